"""Tidy CSV: one row for each figure, with all digits."""

from collections.abc import Iterable, Iterator, Sequence

from ...csv_guarding import csv_text, guard_cell
from .table import NUMBERS, Column, Figure, Row, Table, TidyRow

COLUMNS = ("table", "system", "value", "figure", "key", *NUMBERS)


def rows_of(table: Table) -> Iterator[TidyRow]:
    if table.rows_of_csv:
        yield from table.rows_of_csv()
        return
    for row in table.rows:
        yield from figures_of(table.key, table.columns, row)


def figures_of(table: str, columns: Sequence[Column], row: Row) -> Iterator[TidyRow]:
    """Yield the figures of a row; a value of None is a figure that is not known."""
    for column, value in zip(columns, row.values, strict=True):
        if (column.figure or column.key) and (value is None or isinstance(value, Figure)):
            where = {"table": table, "figure": column.figure, "key": column.key, **row.where}
            yield {**where, **({} if value is None else value.numbers)}


def as_csv(rows: Iterable[TidyRow]) -> str:
    """Return rows as CSV; names are guarded against spreadsheets."""
    return csv_text([COLUMNS, *([guarded(row.get(name)) for name in COLUMNS] for row in rows)])


def guarded(value: str | float | None) -> str | float:
    return "" if value is None else guard_cell(value) if isinstance(value, str) else value
