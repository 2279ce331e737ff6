"""Rows of Excel workbooks (.xlsx): the cells of the first sheet as texts.

A workbook is a zip archive of XML files. Its list is checked before openpyxl reads it, because a small file may unpack
to a huge one; openpyxl holds the texts of a workbook in memory, but not its sheets.
"""

import zipfile
from collections.abc import Iterator
from datetime import date, datetime, time
from typing import Any

from django.utils.translation import gettext as _

from .input_files import MAX_RATIO, MEGABYTE, RATIO_MATTERS_FROM, FileReader

MAX_UNPACKED = 256 * MEGABYTE
MAX_PART = 32 * MEGABYTE  # unpacked bytes of a part that is read whole, such as the styles
MAX_COLUMNS = 1_000
MAX_CELLS = 20_000_000
_STREAMED = ("xl/worksheets/sheet", "xl/sharedstrings.xml", "xl/media/")  # beginnings of parts that may be large


def workbook_rows(file_reader: FileReader) -> Iterator[tuple[int, list[str]]]:
    """Yield number (from 1) and cells of the rows of the first sheet. Raise Refused."""
    file_reader.hash_whole_file()
    _refuse_bomb(file_reader)
    cells = 0
    for number, row in enumerate(_values(file_reader), 1):
        cells += len(row)
        if len(row) > MAX_COLUMNS or cells > MAX_CELLS:
            message = _("the sheet has more than %(columns)s columns or %(cells)s million cells; save a part of it")
            raise file_reader.refused(message % {"columns": MAX_COLUMNS, "cells": MAX_CELLS // 10**6}, number)
        yield number, [cell_text(value) for value in row]


def cell_text(value: Any) -> str:
    """Return a cell's value as text: times in ISO format, a time at midnight as a date, whole numbers without `.0`."""
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case float() if value.is_integer():
            return str(int(value))
        case datetime() if value.tzinfo is None and value.time() == time():
            return value.date().isoformat()
        case date() | time():
            return value.isoformat()
        case bytes():
            return value.decode(errors="replace")
    return str(value)


def _values(file_reader: FileReader) -> Iterator[tuple[Any, ...]]:
    from openpyxl import load_workbook

    try:
        with open(file_reader.source.path, "rb") as file:
            workbook = load_workbook(file, read_only=True, data_only=True, keep_links=False)
            sheet = workbook.worksheets[0]
            sheet.reset_dimensions()  # the file may state wrong ones
            yield from sheet.iter_rows(values_only=True)
    except Exception as error:  # openpyxl has no error of its own for a damaged file
        message = _("the workbook cannot be read; save it again as .xlsx, or as CSV in UTF-8")
        raise file_reader.refused(message) from error


def _refuse_bomb(file_reader: FileReader) -> None:
    """Refuse a file that is no workbook or unpacks to too much. zipfile never unpacks more than the list states."""
    try:
        with zipfile.ZipFile(file_reader.source.path) as archive:
            parts = {info.filename.lower(): info.file_size for info in archive.infolist()}
    except (zipfile.BadZipFile, NotImplementedError, ValueError, OSError, EOFError) as error:
        message = _("the workbook is damaged (%(error)s); save it again")
        raise file_reader.refused(message % {"error": error}) from None
    if "xl/workbook.xml" not in parts:
        raise file_reader.refused(_("this is a zip archive, not an Excel workbook; name the file in it"))
    unpacked = sum(parts.values())
    is_bomb = unpacked > RATIO_MATTERS_FROM and unpacked > MAX_RATIO * file_reader.packed
    part = max((size for name, size in parts.items() if not name.startswith(_STREAMED)), default=0)
    if unpacked > MAX_UNPACKED or part > MAX_PART or is_bomb:
        message = _("the workbook unpacks to more than %(most)s MB; save its table as CSV in UTF-8")
        raise file_reader.refused(message % {"most": min(unpacked, MAX_UNPACKED) // MEGABYTE})
