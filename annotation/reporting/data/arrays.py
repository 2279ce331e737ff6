"""Columns as arrays: read from the database, numbered and counted."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal

import numpy as np
from django.db import connection
from numpy.typing import NDArray
from psycopg import ClientCursor

from ...stats.proportions import SPARSE

Indices = NDArray[np.int64]
SmallNumbers = NDArray[np.int8 | np.int16 | np.int32 | np.int64]
"""Small integer types, to save memory."""
Mask = NDArray[np.bool_]
MISSING = -1
"""The number of a label that is not there."""


def indices(values: Iterable[int]) -> Indices:
    return np.fromiter(values, dtype=np.int64)


def positions_in(values: Indices, among: Indices) -> Indices:
    """Return the position of each of `values` in the distinct `among`; -1 if absent."""
    if not len(among):
        return np.full(len(values), -1)
    order = np.argsort(among, kind="stable")
    nearest = order[np.minimum(np.searchsorted(among, values, sorter=order), len(among) - 1)]
    return np.where(among[nearest] == values, nearest, -1)


def new_numbers(used: Mask) -> Indices:
    """Return for each number below len(used) its new number when only the used ones remain; -1 for the others."""
    return np.where(used, np.cumsum(used) - 1, -1)


def occurring(numbers: SmallNumbers, count: int) -> Mask:
    """Return for each number below `count` whether it occurs."""
    return np.bincount(numbers, minlength=count) > 0


def order_by_answers(item: Indices, rater: Indices, label: Indices | Mask) -> tuple[Indices, Indices]:
    """Return the order of ratings by item and rater, and the number of the rater of each rating, with the raters in the
    order of what they answered; all of shape (ratings,).

    The last digits of a figure may depend on the order of the raters. It is not that of their names, because a bundle
    has other names, and the report that is built from it must have the same bytes.
    """
    codes = item * (int(label.max(initial=0)) + 1) + label
    names, number = np.unique(rater, return_inverse=True)
    answers = codes[np.lexsort((item, number))].tolist()
    ends = np.cumsum(np.bincount(number, minlength=len(names))).tolist()
    own = [answers[start:end] for start, end in zip([0, *ends], ends, strict=False)]
    number = np.argsort(sorted(range(len(own)), key=own.__getitem__))[number]
    return np.lexsort((number, item)), number


def count_rows(columns: list[tuple[SmallNumbers, int]], n: Indices) -> tuple[list[Indices], Indices]:
    """Return the distinct rows of `columns` in order, and the sum of `n` over equal rows.

    Each column comes with an upper limit of its values. Counting in a table takes a tenth of the time of sorting.
    """
    codes, below = np.zeros(len(n), dtype=np.int64), 1
    for numbers, width in columns:
        codes, below = codes * width + numbers, below * width
    if below > SPARSE * (len(codes) + 1):
        distinct, code = np.unique(codes, return_inverse=True)
        sums = np.bincount(code, weights=n, minlength=len(distinct))
    else:
        table = np.bincount(codes, weights=n)
        distinct = np.flatnonzero(table)
        sums = table[distinct]
    numbers_of: list[Indices] = []
    for _, width in reversed(columns):
        distinct, rest = np.divmod(distinct, max(1, width))
        numbers_of.insert(0, rest)
    return numbers_of, sums.astype(np.int64)


def column(expression: str, kind: Literal["int8", "float8"] = "int8") -> str:
    """Return the SQL of one column for `read_groups`; `expression` must not be null.

    PostgreSQL joins its values to one byte string, eight bytes a value, which NumPy reads in place: psycopg's array
    loaders make a Python object for each value.
    """
    return f"string_agg({kind}send({expression}), '')"


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
                columns = [np.frombuffer(data or b"", dtype=">i8").astype(np.int64) for data in row[keys:]]
                yield row[:keys], columns


def concatenate(rows: Sequence[Sequence[Indices]], count: int) -> list[Indices]:
    """Return the `count` columns of several groups as one of each."""
    return [np.concatenate([indices([]), *(row[number] for row in rows)]) for number in range(count)]


def bigint_array(ids: Iterable[int]) -> str:
    """Return a parameter that the query casts to `bigint[]`; quoting a list of numbers one by one takes long."""
    return f"{{{','.join(map(str, ids))}}}"
