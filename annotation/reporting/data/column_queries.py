"""Columns of a query as NumPy arrays, without a Python object for each row.

PostgreSQL joins the values of a column to one byte string, eight bytes a value (`string_agg(int8send(…))`), which NumPy
reads in place: psycopg's array loaders make a Python object for each value.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

import numpy as np
from django.db import connection
from numpy.typing import NDArray

Kind = Literal["int8", "float8"]
Column = NDArray[Any]

_DTYPES: Mapping[Kind, str] = {"int8": ">i8", "float8": ">f8"}


def column(expression: str, kind: Kind = "int8") -> str:
    """Return the SQL of one column; `expression` must not be null."""
    return f"string_agg({kind}send({expression}), '')"


def read_columns(query: str, parameters: Sequence[Any], kinds: Sequence[Kind]) -> list[Column]:
    """Return the columns of all rows of `query`, each joined to one array of shape (values,)."""
    return concatenate([columns for _, columns in read_groups(query, parameters, 0, kinds)], kinds)


def read_groups(
    query: str, parameters: Sequence[Any] | Mapping[str, Any], keys: int, kinds: Sequence[Kind]
) -> Iterator[tuple[tuple[str, ...], list[Column]]]:
    """Yield what each row of `query` is grouped by, `keys` texts, and its columns. Empty columns are null."""
    with connection.cursor() as cursor:
        statement = cursor.mogrify(f"COPY ({query}) TO STDOUT (FORMAT binary)", parameters)
        with cursor.copy(statement) as copy:
            copy.set_types([*["text"] * keys, *["bytea"] * len(kinds)])
            for row in copy.rows():
                yield row[:keys], [_array(data, kind) for data, kind in zip(row[keys:], kinds, strict=True)]


def concatenate(rows: Sequence[Sequence[Column]], kinds: Sequence[Kind]) -> list[Column]:
    """Return the columns of several rows as one of each."""
    return [np.concatenate([_array(None, kind), *(row[i] for row in rows)]) for i, kind in enumerate(kinds)]


def read_json_rows(query: str, parameters: Sequence[Any]) -> list[list[Any]]:
    """Return the rows of `query`, which gives one text of `json_agg(json_build_array(…))`."""
    with connection.cursor() as cursor:
        cursor.execute(query, parameters)
        return list(json.loads(cursor.fetchone()[0] or "[]"))


def bigint_array(ids: Iterable[int]) -> str:
    """Return a parameter that the query casts to `bigint[]`; quoting a list of numbers one by one takes long."""
    return f"{{{','.join(map(str, ids))}}}"


def _array(data: bytes | None, kind: Kind) -> Column:
    return np.frombuffer(data or b"", dtype=_DTYPES[kind]).astype(_DTYPES[kind].replace(">", "="))
