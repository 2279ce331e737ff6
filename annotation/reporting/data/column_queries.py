"""Columns of a query as NumPy arrays, without a Python object for each row.

PostgreSQL joins the values of a column to one byte string, eight bytes a value (`string_agg(int8send(…))`), which NumPy
reads in place: psycopg's array loaders make a Python object for each value.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal

import numpy as np
from django.db import connection
from psycopg import ClientCursor

from .arrays import Indices


def column(expression: str, kind: Literal["int8", "float8"] = "int8") -> str:
    """Return the SQL of one column; `expression` must not be null."""
    return f"string_agg({kind}send({expression}), '')"


def read_columns(query: str, parameters: Sequence[int | str | Sequence[str]], count: int) -> list[Indices]:
    """Return the columns of all rows of `query`, each joined to one array of shape (values,)."""
    return concatenate([columns for _, columns in read_groups(query, parameters, 0, count)], count)


def read_groups(
    query: str, parameters: Sequence[int | str | Sequence[str]] | Mapping[str, object], keys: int, count: int
) -> Iterator[tuple[tuple[str, ...], list[Indices]]]:
    """Yield the keys of each group of `query`, `keys` texts, and its `count` columns. Empty columns are null.

    The eight bytes of each value are read as a whole number: `view(np.float64)` converts a column of "float8".
    """
    with connection.cursor() as cursor:
        # COPY takes no parameters: the client writes them into the text.
        statement = ClientCursor(connection.connection).mogrify(f"COPY ({query}) TO STDOUT (FORMAT binary)", parameters)
        with cursor.copy(statement) as copy:
            copy.set_types([*["text"] * keys, *["bytea"] * count])
            for row in copy.rows():
                yield row[:keys], [_array(data) for data in row[keys:]]


def concatenate(rows: Sequence[Sequence[Indices]], count: int) -> list[Indices]:
    """Return the `count` columns of several rows as one of each."""
    return [np.concatenate([_array(None), *(row[number] for row in rows)]) for number in range(count)]


def read_json_rows(query: str, parameters: Sequence[str]) -> str:
    """Return the JSON list of rows that `query` gives as one text of `json_agg(json_build_array(…))`."""
    with connection.cursor() as cursor:
        cursor.execute(query, parameters)
        return cursor.fetchone()[0] or "[]"


def bigint_array(ids: Iterable[int]) -> str:
    """Return a parameter that the query casts to `bigint[]`; quoting a list of numbers one by one takes long."""
    return f"{{{','.join(map(str, ids))}}}"


def _array(data: bytes | None) -> Indices:
    return np.frombuffer(data or b"", dtype=">i8").astype(np.int64)
