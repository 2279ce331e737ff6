"""Rows of Excel workbooks (.xlsx) and Parquet files, read by `table_extractor.py`.

Of a workbook the cells of the first sheet are read as texts. It is a zip archive of XML files, whose list is checked
before it is read, because a small file may unpack to a huge one. Of a Parquet file flat columns are texts like those of
a CSV file, nested ones the objects of JSON lines.
"""

import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ..jobs import Refused
from .input_files import MAX_RATIO, MAX_RECORD_SIZE, MEGABYTE, RATIO_MATTERS_FROM, FileReader
from .input_files import MAX_UNPACKED as MAX_UNPACKED_PARQUET
from .limited_process import output_of
from .zip_archives import DAMAGED, check_list

MAX_UNPACKED = 256 * MEGABYTE
MAX_PART = 32 * MEGABYTE  # unpacked bytes of a part that is read whole, such as the styles
MAX_PARTS = 2_000
MAX_COLUMNS = 1_000
MAX_CELLS = 20_000_000
MAX_SECONDS, MAX_MEMORY = 300, 2_048
PROGRAM = Path(__file__).with_name("table_extractor.py")
_STREAMED = ("xl/worksheets/sheet", "xl/sharedstrings.xml", "xl/media/")  # beginnings of parts that may be large
_PROBLEMS = {
    "broken": "the workbook cannot be read; save it again as .xlsx, or as CSV in UTF-8",
    "cells": "the sheet has more than %(columns)s columns or %(cells)s million cells; save a part of it",
    "rows": "the sheet has a row after row %(detail)s, the last that Excel has; save it again",
    "row": "the row is longer than %(megabytes)s MB; shorten its texts",
    "unpacked": (
        "the workbook unpacks to more than %(most)s MB or to more than 100 times its size; save its table as CSV in "
        "UTF-8"
    ),
    "time": "reading the workbook takes longer than %(seconds)s seconds; save it as CSV in UTF-8",
    "memory": "reading the workbook takes more than %(memory)s MB of memory; save it as CSV in UTF-8",
    "died": "reading the workbook took too much time or memory; save it as CSV in UTF-8",
}

_PARQUET_PROBLEMS = {
    "broken": "the Parquet file cannot be read (%(detail)s); write it again, or save it as CSV in UTF-8",
    "unpacked": (
        "the file unpacks to more than %(most)s MB or to more than 100 times its size, or has more than %(columns)s "
        "columns; split it, or save it as CSV in UTF-8"
    ),
    "row": "the row is longer than %(megabytes)s MB; shorten its texts",
    "twice": "two columns have the name %(detail)s",
    "time": "reading the Parquet file takes longer than %(seconds)s seconds; split it",
    "memory": "reading the Parquet file takes more than %(memory)s MB of memory; write shorter row groups",
    "died": "reading the Parquet file took too much time or memory; split it",
}


def workbook_rows(file_reader: FileReader) -> Iterator[tuple[int, list[str]]]:
    """Yield number (from 1) and cells of the rows of the first sheet that have any. Raise Refused."""
    file_reader.hash_whole_file()
    _refuse_bomb(file_reader)
    for line in extracted(file_reader, _PROBLEMS, MAX_UNPACKED):
        if "row" in line:
            yield line["row"], line["values"]


def parquet_rows(file_reader: FileReader) -> Iterator[tuple[int, dict[str, Any], bool]]:
    """Yield number (from 1) and values of the rows, and whether all columns are flat. Raise Refused."""
    file_reader.hash_whole_file()
    is_flat = True
    for line in extracted(file_reader, _PARQUET_PROBLEMS, MAX_UNPACKED_PARQUET):
        if "flat" in line:
            is_flat = line["flat"]
        elif "row" in line:
            yield line["row"], line["values"], is_flat


def extracted(file_reader: FileReader, problems: Mapping[str, str], unpacked: int) -> Iterator[dict[str, Any]]:
    """Yield what `table_extractor.py` prints about the file, at most `unpacked` characters. Raise Refused with the
    message of a problem's kind."""
    limits = (MAX_COLUMNS, MAX_CELLS, MAX_RECORD_SIZE, unpacked)
    for line in output_of(PROGRAM, file_reader.source.path, *limits, seconds=MAX_SECONDS, megabytes=MAX_MEMORY):
        if "problem" in line:
            values = {
                "columns": MAX_COLUMNS, "cells": MAX_CELLS // 10**6, "megabytes": MAX_RECORD_SIZE // MEGABYTE,
                "seconds": MAX_SECONDS, "memory": MAX_MEMORY, "most": unpacked // MEGABYTE,
                "detail": line.get("detail"),
            }  # fmt: skip
            raise file_reader.refused(problems[line["problem"]] % values, line.get("row"))
        yield line


def _refuse_bomb(file_reader: FileReader) -> None:
    """Refuse a file that is no workbook or unpacks to too much. zipfile never unpacks more than the list states."""
    try:
        check_list(file_reader.source, MAX_PARTS)
    except Refused:
        raise file_reader.refused("the workbook is damaged, or has too many parts; save it again") from None
    try:
        with zipfile.ZipFile(file_reader.source.path) as archive:
            parts = {info.filename.lower(): info.file_size for info in archive.infolist()}
    except DAMAGED as error:
        raise file_reader.refused(f"the workbook is damaged ({error}); save it again") from None
    if "xl/workbook.xml" not in parts:
        raise file_reader.refused("this is a zip archive, not an Excel workbook; name the file in it")
    unpacked = sum(parts.values())
    is_bomb = unpacked > RATIO_MATTERS_FROM and unpacked > MAX_RATIO * file_reader.packed
    part = max((size for name, size in parts.items() if not name.startswith(_STREAMED)), default=0)
    if unpacked > MAX_UNPACKED or part > MAX_PART or is_bomb:
        most = min(unpacked, MAX_UNPACKED) // MEGABYTE
        raise file_reader.refused(f"the workbook unpacks to more than {most} MB; save its table as CSV in UTF-8")
