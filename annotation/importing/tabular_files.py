"""Rows of a file of responses or ratings: JSON lines or CSV, detected by the name or else by the content."""

import csv
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any

from django.utils.translation import gettext as _

from .input_files import MAX_RECORD_SIZE, MEGABYTE, FileReader
from .json_stream import parse
from .problems import BadRecord, Problems

FORMATS = ("jsonl", "csv")
_ENDINGS = {".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "jsonl", ".csv": "csv"}
Lines = Iterator[tuple[int, str]]


@dataclass(frozen=True, slots=True)
class Row:
    """One record. In a CSV every value is a text, and an empty cell is absent."""

    location: str
    values: Any
    is_csv: bool = False


def read_rows(
    file_reader: FileReader, problems: Problems, *, format: str | None, needed: Iterable[str], separator: str = ","
) -> Iterator[Row]:
    """Yield the file's rows; invalid ones go to `problems`. Raise Refused if a CSV lacks a required column."""
    lines = file_reader.lines()
    if format is None:
        format, lines = _guess(file_reader, lines)
    if format == "csv":
        yield from _csv_rows(file_reader, lines, problems, needed, separator)
    else:
        yield from _json_rows(file_reader, lines, problems)


def _guess(file_reader: FileReader, lines: Lines) -> tuple[str, Lines]:
    for ending, format in _ENDINGS.items():
        if file_reader.source.bare_name.endswith(ending):
            return format, lines
    first = next(lines, (1, ""))
    return ("jsonl" if first[1].lstrip().startswith("{") else "csv"), chain([first], lines)


def _json_rows(file_reader: FileReader, lines: Lines, problems: Problems) -> Iterator[Row]:
    for number, line in lines:
        if line.strip():
            location = f"{file_reader.name}:{number}"
            try:
                yield Row(location, parse(line))
            except BadRecord as broken:
                problems.add(location, broken)


def _csv_rows(
    file_reader: FileReader, lines: Lines, problems: Problems, needed: Iterable[str], separator: str
) -> Iterator[Row]:
    csv.field_size_limit(MAX_RECORD_SIZE)
    reader = csv.reader((line for _, line in lines), strict=True, delimiter=separator)
    began = 1
    try:
        header = _header(file_reader, next(reader, []), needed)
        began = reader.line_num + 1
        for cells in reader:
            location, began = f"{file_reader.name}:{began}", reader.line_num + 1
            if len(cells) == len(header):
                yield Row(location, {key: cell for key, cell in zip(header, cells, strict=True) if cell}, is_csv=True)
            elif cells:
                problems.add(
                    location,
                    _("the row has %(cells)s cells and the header %(header)s; mind commas and quotes")
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


def _header(file_reader: FileReader, header: list[str], needed: Iterable[str]) -> list[str]:
    header = [name or f"column {n}" for n, name in enumerate(header, 1)]
    missing = [name for name in needed if name not in header]
    if missing:
        has = ", ".join(header[:20]) or _("nothing")
        raise file_reader.refused(
            _("there is no column %(missing)s; the header has: %(has)s (separated by commas)")
            % {"missing": ", ".join(missing), "has": has},
            1,
        )
    twice = sorted({name for name in header if header.count(name) > 1})
    if twice:
        raise file_reader.refused(_("two columns have the name %(twice)s") % {"twice": ", ".join(twice)}, 1)
    return header
