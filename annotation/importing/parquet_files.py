"""Rows of Parquet files, read by `table_extractor.py`: flat columns as texts like those of a CSV file, nested ones as
the objects of JSON lines.
"""

from collections.abc import Iterator
from typing import Any

from .input_files import MAX_UNPACKED, FileReader
from .workbooks import extracted

_PROBLEMS = {
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


def parquet_rows(file_reader: FileReader) -> Iterator[tuple[int, dict[str, Any], bool]]:
    """Yield number (from 1) and values of the rows, and whether all columns are flat. Raise Refused."""
    file_reader.hash_whole_file()
    is_flat = True
    for line in extracted(file_reader, _PROBLEMS, MAX_UNPACKED):
        if "flat" in line:
            is_flat = line["flat"]
        elif "row" in line:
            yield line["row"], line["values"], is_flat
