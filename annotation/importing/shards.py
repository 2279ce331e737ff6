"""Rows of the Parquet files of a Hugging Face data set: one table in several files, in folders or an archive."""

import re
from collections.abc import Iterator
from pathlib import Path
from tempfile import NamedTemporaryFile

from .input_files import FileReader, SourceFile
from .problems import Problems
from .rows import rows_in
from .tabular_files import Row

SPLIT = "split"
_SPLIT = re.compile(r"(?:^|[/_.-])(train|validation|valid|dev|test)(?=[/_.-])")


def shard_rows(file_reader: FileReader, problems: Problems) -> Iterator[Row]:
    """Yield the rows of one file, with the split that its path names as a column. A file in an archive is unpacked for
    the time of the reading. Raise Refused."""
    splits = _SPLIT.findall(file_reader.name.lower())
    for row in _rows(file_reader, problems):
        yield Row(row.location, {SPLIT: splits[-1], **row.values}, row.is_csv) if splits else row


def _rows(file_reader: FileReader, problems: Problems) -> Iterator[Row]:
    if not file_reader.source.member:
        yield from rows_in(file_reader, problems)
        return
    with NamedTemporaryFile(dir=file_reader.keeps) as file:
        for chunk in file_reader.raw_chunks():
            file.write(chunk)
        file.flush()
        yield from rows_in(FileReader(SourceFile(Path(file.name), file_reader.name)), problems)
