"""Rows of a file of responses or ratings: JSON lines, a JSON list, CSV, an Excel workbook or Parquet.

Excel and Parquet are detected by the content; JSON and CSV by the name, or else by the content, and so is what
separates the cells of a CSV file (`csv_dialect`). The cells of all tables are texts, as those of a CSV file.
"""

import csv
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from django.contrib.humanize.templatetags.humanize import intcomma

from ..csv_guarding import FIRST_EXPORTED, unguard_row
from .csv_dialect import Dialect, dialect_of
from .input_files import MAX_RECORD_SIZE, MEGABYTE, PARQUET, ZIP, FileReader
from .json_fields import check_text
from .json_stream import read_values
from .problems import BadRecord, Problems, did_you_mean
from .workbooks import MAX_COLUMNS, parquet_rows, workbook_rows

FORMATS = ("jsonl", "csv")
_ENDINGS = {".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "jsonl", ".csv": "csv", ".tsv": "csv"}


@dataclass(frozen=True, slots=True)
class Row:
    """One record. In a CSV or another table every value is a text, and an empty cell is absent. `is_guarded`: it is
    from a CSV file, in which an export of this site guards cells against spreadsheets; `is_exported`: the file has the
    columns of such an export."""

    location: str
    values: Any
    is_csv: bool = False
    is_guarded: bool = False
    is_exported: bool = False

    @property
    def unguarded(self) -> Any:
        """Return the values as they were before an export of this site."""
        return unguard_row(self.values, self.is_exported) if self.is_guarded else self.values


def read_rows(
    file_reader: FileReader, problems: Problems, *, format: str | None, needed: Iterable[str]
) -> Iterator[Row]:
    """Yield the file's rows; invalid ones go to `problems`. Raise Refused if a table lacks a required column."""
    if file_reader.starts_with(ZIP):
        yield from _workbook_rows(file_reader, problems, needed)
    elif file_reader.starts_with(PARQUET):
        columns = tuple(needed)
        for number, values, is_flat in parquet_rows(file_reader):
            if number == 1:
                _header(file_reader, list(values), columns)
            cells = {name: text for name, text in values.items() if text} if is_flat else values
            yield Row(f"{file_reader.name}:{number}", cells, is_csv=is_flat)
    else:
        format = format or _ENDINGS.get(PurePath(file_reader.source.bare_name).suffix)
        if format is None:
            format = "jsonl" if file_reader.beginning().startswith((b"{", b"[")) else "csv"
        if format == "csv":
            yield from _csv_rows(file_reader, problems, tuple(needed))
        else:
            yield from (Row(location, value) for location, value in read_values(file_reader, problems))


def is_binary(file_reader: FileReader) -> bool:
    """Return whether the file is an Excel workbook or Parquet."""
    return file_reader.starts_with(ZIP) or file_reader.starts_with(PARQUET)


def _workbook_rows(file_reader: FileReader, problems: Problems, needed: Iterable[str]) -> Iterator[Row]:
    """Yield the rows below the first one that is not empty, which is the header."""
    rows = ((number, cells) for number, cells in workbook_rows(file_reader) if any(cells))
    first, names = next(rows, (1, []))
    while names and not names[-1]:
        names.pop()
    header = _header(file_reader, names, needed, line=first)
    for number, cells in rows:
        location = f"{file_reader.name}:{number}"
        if any(cells[len(header) :]):
            problems.add(location, "a cell is to the right of the last named column; name the column")
        else:
            yield Row(location, {key: cell for key, cell in zip(header, cells, strict=False) if cell}, is_csv=True)


def _csv_rows(file_reader: FileReader, problems: Problems, needed: tuple[str, ...]) -> Iterator[Row]:
    csv.field_size_limit(MAX_RECORD_SIZE)
    dialect = dialect_of(file_reader, needed)
    lines = (line for number, line in file_reader.lines() if number > dialect.lines_before)
    reader, before = csv.reader(lines, strict=True, delimiter=dialect.separator), dialect.lines_before
    began = before + 1
    try:
        names = next((cells for cells in reader if cells), [])
        header = _header(file_reader, names, needed, line=before + max(1, reader.line_num), dialect=dialect)
        is_exported = any(tuple(header[: len(first)]) == first for first in FIRST_EXPORTED)
        began = before + reader.line_num + 1
        for cells in reader:
            location, began = f"{file_reader.name}:{began}", before + reader.line_num + 1
            if len(cells) == len(header):
                values = {key: cell for key, cell in zip(header, cells, strict=True) if cell}
                yield Row(location, values, is_csv=True, is_guarded=True, is_exported=is_exported)
            elif cells:
                lengths = f"{len(cells)} and {len(header)} cells"
                message = f"the row and the header differ in length ({lengths}); check {dialect.name} and quotes"
                problems.add(location, message)
    except csv.Error as error:
        if "field limit" in str(error):
            message = f"a cell is longer than {MAX_RECORD_SIZE // MEGABYTE} MB"
            hint = "a quotation mark that opens here is most likely never closed"
            raise file_reader.refused(f"{message}: {hint}", began) from None
        if "unexpected end" in str(error):
            message = "a quotation mark that opens in this row is never closed: close it, or double it within a cell"
            raise file_reader.refused(message, began) from None
        raise file_reader.refused(f"this is not valid CSV: {error}", before + (reader.line_num or 1)) from None


def _header(
    file_reader: FileReader, header: list[str], needed: Iterable[str], *, line: int = 1, dialect: Dialect | None = None
) -> list[str]:
    """Return the names of the columns. Raise Refused for too many, a missing required one, two equal ones, or one that
    cannot be stored."""
    if len(header) > MAX_COLUMNS:
        message = f"the table has {intcomma(len(header))} columns and may have {intcomma(MAX_COLUMNS)}"
        raise file_reader.refused(f"{message}: remove those that you do not need", line)
    header = [name or f"column {n}" for n, name in enumerate(header, 1)]
    try:
        for n, name in enumerate(header, 1):
            check_text(name, f"the name of column {n}")
    except BadRecord as broken:
        raise file_reader.refused(str(broken), line) from None
    missing = [name for name in needed if name not in header]
    if missing:
        message = f"there is no column {', '.join(missing)}; the header has: {', '.join(header[:20]) or 'nothing'}"
        if dialect:
            message += f" (separated by {dialect.name})"
        raise file_reader.refused(message + did_you_mean(missing, header), line)
    twice = sorted(name for name, n in Counter(header).items() if n > 1)
    if twice:
        message = f"two columns have the name {', '.join(twice)}: rename or delete one of them"
        hint = "(pandas writes the index as a column, too, which to_csv(index=False) omits)"
        raise file_reader.refused(f"{message} {hint}", line)
    return header
