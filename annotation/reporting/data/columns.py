"""Whole columns from the database as arrays: no Python object a row, so a million ratings are read in a second.

The query gathers each column into an array, in as many rows as it likes to group by; arrays travel in PostgreSQL's own
binary form, whose numbers have a fixed size, and are looked at in place.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from django.db import connection
from numpy.typing import NDArray

HEAD = 20  # bytes before the first element: dimensions, flags, type, length, lower bound

Column = NDArray[Any]


def read_columns(query: str, parameters: Sequence[Any], kinds: Sequence[str]) -> list[Column]:
    """The columns of all rows of `query`, each joined to one array.

    `kinds` names the type of each column as NumPy does: `i2`, `i4`, `i8`, `f4` or `f8`; integers come as int64 and
    floats as float64. The query gives `array_send(array_agg(…))` for each, without nulls inside; a whole column that is
    null (nothing was aggregated) is empty.
    """
    return joined([of for _, of in read_groups(query, parameters, (), kinds)], kinds)


def read_groups(
    query: str, parameters: Sequence[Any], keys: Sequence[str], kinds: Sequence[str]
) -> Iterator[tuple[tuple[Any, ...], list[Column]]]:
    """The rows of `query` one by one: what each is grouped by, values of the types `keys`, then its columns."""
    for row in _rows(query, parameters, [*keys, *["bytea"] * len(kinds)]):
        columns = zip(row[len(keys) :], kinds, strict=True)
        yield row[: len(keys)], [_elements(data, kind) for data, kind in columns]


def joined(rows: Sequence[Sequence[Column]], kinds: Sequence[str]) -> list[Column]:
    """The columns of several rows as one of each."""
    return [_joined([row[at] for row in rows], kind) for at, kind in enumerate(kinds)]


def array_of(*expressions: str) -> str:
    """The columns of a query for `read_columns`."""
    return ", ".join(f"array_send(array_agg({expression}))" for expression in expressions)


def read_lines(query: str, parameters: Sequence[Any]) -> list[list[Any]]:
    """The lines of `query`, which gives one text, of `json_agg(json_build_array(…))`: rows take longer one by one."""
    with connection.cursor() as cursor:
        cursor.execute(query, parameters)
        return list(json.loads(cursor.fetchone()[0] or "[]"))


def as_array(ids: Iterable[int]) -> str:
    """Numbers for a parameter that the query casts to `bigint[]`: a list of hundreds takes long to be quoted."""
    return f"{{{','.join(map(str, ids))}}}"


def _rows(query: str, parameters: Sequence[Any], types: Iterable[str]) -> Iterator[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        statement = cursor.mogrify(f"COPY ({query}) TO STDOUT (FORMAT binary)", parameters)
        with cursor.copy(statement) as copy:
            copy.set_types(list(types))
            yield from copy.rows()


def _elements(data: bytes | None, kind: str) -> Column:
    if data is None or len(data) < HEAD:
        return np.zeros(0, dtype=_wide(kind))
    return np.frombuffer(data, dtype=[("size", ">i4"), ("value", f">{kind}")], offset=HEAD)["value"].astype(_wide(kind))


def _joined(parts: list[Column], kind: str) -> Column:
    return np.concatenate(parts) if parts else np.zeros(0, dtype=_wide(kind))


def _wide(kind: str) -> str:
    return f"{kind[0]}8"
