"""Rows of a file of responses or ratings: JSON lines, a JSON list, CSV, an Excel workbook or Parquet.

Excel and Parquet are detected by the content; JSON and CSV by the name, or else by the content. The cells of all tables
are texts, as those of a CSV file.
"""

import csv
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.translation import gettext as _

from .column_names import did_you_mean
from .input_files import MAX_RECORD_SIZE, MEGABYTE, PARQUET, ZIP, FileReader
from .json_stream import read_values
from .parquet_files import parquet_rows
from .problems import Problems
from .workbooks import MAX_COLUMNS, workbook_rows

FORMATS = ("jsonl", "csv")
_ENDINGS = {".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "jsonl", ".csv": "csv"}


@dataclass(frozen=True, slots=True)
class Row:
    """One record. In a CSV or another table every value is a text, and an empty cell is absent."""

    location: str
    values: Any
    is_csv: bool = False


def read_rows(
    file_reader: FileReader, problems: Problems, *, format: str | None, needed: Iterable[str], separator: str = ","
) -> Iterator[Row]:
    """Yield the file's rows; invalid ones go to `problems`. Raise Refused if a table lacks a required column."""
    if file_reader.starts_with(ZIP):
        yield from _workbook_rows(file_reader, problems, needed)
    elif file_reader.starts_with(PARQUET):
        yield from _parquet_rows(file_reader, needed)
    elif (format or _guess(file_reader)) == "csv":
        yield from _csv_rows(file_reader, problems, needed, separator)
    else:
        yield from (Row(location, value) for location, value in read_values(file_reader, problems))


def is_binary(file_reader: FileReader) -> bool:
    """Return whether the file is an Excel workbook or Parquet."""
    return file_reader.starts_with(ZIP) or file_reader.starts_with(PARQUET)


def _guess(file_reader: FileReader) -> str:
    for ending, format in _ENDINGS.items():
        if file_reader.source.bare_name.endswith(ending):
            return format
    return "jsonl" if file_reader.beginning().startswith((b"{", b"[")) else "csv"


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
            problems.add(location, _("a cell is to the right of the last named column; name the column"))
        else:
            yield Row(location, {key: cell for key, cell in zip(header, cells, strict=False) if cell}, is_csv=True)


def _parquet_rows(file_reader: FileReader, needed: Iterable[str]) -> Iterator[Row]:
    columns = tuple(needed)
    for number, values, is_flat in parquet_rows(file_reader):
        if number == 1:
            _header(file_reader, list(values), columns)
        cells = {name: text for name, text in values.items() if text} if is_flat else values
        yield Row(f"{file_reader.name}:{number}", cells, is_csv=is_flat)


def _csv_rows(file_reader: FileReader, problems: Problems, needed: Iterable[str], separator: str) -> Iterator[Row]:
    csv.field_size_limit(MAX_RECORD_SIZE)
    reader = csv.reader((line for _, line in file_reader.lines()), strict=True, delimiter=separator)
    began = 1
    try:
        header = _header(file_reader, next(reader, []), needed, is_csv=True)
        began = reader.line_num + 1
        for cells in reader:
            location, began = f"{file_reader.name}:{began}", reader.line_num + 1
            if len(cells) == len(header):
                yield Row(location, {key: cell for key, cell in zip(header, cells, strict=True) if cell}, is_csv=True)
            elif cells:
                problems.add(
                    location,
                    _(
                        "the row and the header differ in length (%(cells)s and %(header)s cells); "
                        "check commas and quotes"
                    )
                    % {"cells": len(cells), "header": len(header)},
                )
    except csv.Error as error:
        if "field limit" in str(error):
            message = _(
                "a cell is longer than %(most)s MB: a quotation mark that opens here is most likely never closed"
            )
            raise file_reader.refused(message % {"most": MAX_RECORD_SIZE // MEGABYTE}, began) from None
        if "unexpected end" in str(error):
            message = _("a quotation mark that opens in this row is never closed: close it, or double it within a cell")
            raise file_reader.refused(message, began) from None
        raise file_reader.refused(
            _("this is not valid CSV: %(error)s") % {"error": error}, reader.line_num or 1
        ) from None


def _header(
    file_reader: FileReader, header: list[str], needed: Iterable[str], *, line: int = 1, is_csv: bool = False
) -> list[str]:
    """Return the names of the columns. Raise Refused for too many, a missing required one, or two equal ones."""
    if len(header) > MAX_COLUMNS:
        message = _("the table has %(columns)s columns and may have %(most)s: remove those that you do not need")
        raise file_reader.refused(message % {"columns": intcomma(len(header)), "most": intcomma(MAX_COLUMNS)}, line)
    header = [name or f"column {n}" for n, name in enumerate(header, 1)]
    missing = [name for name in needed if name not in header]
    if missing:
        named = {"missing": ", ".join(missing), "has": ", ".join(header[:20]) or _("nothing")}
        of_csv = _("there is no column %(missing)s; the header has: %(has)s (separated by commas)")
        message = of_csv if is_csv else _("there is no column %(missing)s; the header has: %(has)s")
        raise file_reader.refused(message % named + did_you_mean(missing, header), line)
    twice = sorted(name for name, n in Counter(header).items() if n > 1)
    if twice:
        raise file_reader.refused(_("two columns have the name %(twice)s") % {"twice": ", ".join(twice)}, line)
    return header
