"""Writers in pieces of bytes: rows as JSON lines, CSV with guarded formulas or Parquet, and zips of files.

A zip is generated while it is read, so only the current piece is in memory. The same contents give the same bytes:
files keep the order in which they are added, and have one fixed date. The last file is SHA256SUMS, which
`sha256sum --check` reads.
"""

import hashlib
import io
import json
import zipfile
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from itertools import islice
from typing import Any, NamedTuple, TypeVar

from ..csv_guarding import csv_text, guard_cell
from .rating_columns import Column, Row

_T = TypeVar("_T")
CHUNK_SIZE = 1_000
ROW_GROUP = 20_000
SUMS = "SHA256SUMS"
FIXED_DATE = (1980, 1, 1, 0, 0, 0)  # the first date that a zip can hold
PIECE = 65_536


def write_json_lines(rows: Iterable[Row], columns: Iterable[Column] = ()) -> Iterator[bytes]:
    """Yield one JSON object a line, UTF-8, numbers in the shortest form that reads back the same."""
    for batch in batches(rows, CHUNK_SIZE):
        lines = (json.dumps(row, ensure_ascii=False, default=_time) for row in batch)
        yield "".join(f"{line}\n" for line in lines).encode()


def write_csv(rows: Iterable[Row], columns: Iterable[Column]) -> Iterator[bytes]:
    """Yield RFC 4180 CSV of these columns in UTF-8 with guarded formulas; empty is absent."""
    names = [column.name for column in columns]
    yield csv_text([names]).encode()
    for batch in batches(rows, CHUNK_SIZE):
        yield csv_text([_cell(row.get(name)) for name in names] for row in batch).encode()


def write_parquet(rows: Iterable[Row], columns: tuple[Column, ...]) -> Iterator[bytes]:
    """Yield Parquet with typed columns, a row group for every 20,000 rows."""
    import pyarrow
    from pyarrow import parquet

    time, truth = pyarrow.timestamp("us", tz="UTC"), pyarrow.bool_()
    types = {"whole": pyarrow.int64(), "number": pyarrow.float64(), "time": time, "truth": truth}
    schema = pyarrow.schema([(column.name, types.get(column.kind, pyarrow.string())) for column in columns])
    pieces = PieceBuffer()
    with parquet.ParquetWriter(pieces, schema, compression="zstd") as writer:
        for batch in batches(rows, ROW_GROUP):
            values: dict[str, list[object]] = {column.name: [] for column in columns}
            for row in batch:
                for name, cells in values.items():
                    value = row.get(name)
                    is_json = isinstance(value, list | dict)
                    cells.append((json.dumps(value, ensure_ascii=False) if value else None) if is_json else value)
            writer.write_table(pyarrow.table(values, schema=schema))
            yield pieces.pop_bytes()
    yield pieces.pop_bytes()


class TableFormat(NamedTuple):
    """A format of rows: its content type, and what writes them."""

    content_type: str
    write: Callable[[Iterable[Row], tuple[Column, ...]], Iterator[bytes]]


JSON_LINES = TableFormat("application/jsonl; charset=utf-8", write_json_lines)
CSV = TableFormat("text/csv; charset=utf-8", write_csv)
PARQUET = TableFormat("application/vnd.apache.parquet", write_parquet)


def batches(rows: Iterable[_T], size: int) -> Iterator[list[_T]]:
    """Yield the rows in lists of this size; the last one may be shorter."""
    rest = iter(rows)
    while batch := list(islice(rest, size)):
        yield batch


def _time(value: datetime) -> str:
    return value.astimezone(UTC).isoformat(timespec="microseconds")


def _cell(value: object) -> str:
    match value:
        case None:
            return ""
        case list() | dict():
            return guard_cell(json.dumps(value, ensure_ascii=False)) if value else ""
        case datetime():
            return _time(value)
        case bool():
            return "1" if value else "0"
        case str():
            return guard_cell(value)
    return repr(value)


class PieceBuffer(io.RawIOBase):
    """A file that collects written bytes until they are yielded."""

    def __init__(self) -> None:
        self.waiting = bytearray()
        self._popped = 0

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        piece = bytes(data)
        self.waiting += piece
        return len(piece)

    def tell(self) -> int:
        return self._popped + len(self.waiting)

    def pop_bytes(self) -> bytes:
        piece = bytes(self.waiting)
        self.waiting.clear()
        self._popped += len(piece)
        return piece


class Archive:
    """A zip file: `add` files in turn, all in `folder`, and yield the pieces of each call; `end` completes the zip."""

    def __init__(self, folder: str):
        self._folder = folder
        self._pieces = PieceBuffer()
        self._zip = zipfile.ZipFile(self._pieces, "w", zipfile.ZIP_DEFLATED, compresslevel=6)
        self._sums = ""

    def add(self, name: str, pieces: Iterable[bytes], *, program: bool = False) -> Iterator[bytes]:
        """Add one file with these bytes; yield the finished pieces of the zip."""
        entry = zipfile.ZipInfo(f"{self._folder}/{name}", FIXED_DATE)
        entry.compress_type = zipfile.ZIP_DEFLATED
        entry.create_system = 3  # Unix, on every machine
        entry.external_attr = (0o100755 if program else 0o100644) << 16
        digest = hashlib.sha256()
        with self._zip.open(entry, "w", force_zip64=True) as file:
            for piece in pieces:
                digest.update(piece)
                file.write(piece)
                if len(self._pieces.waiting) > PIECE:
                    yield self._pieces.pop_bytes()
        self._sums += f"{digest.hexdigest()}  {name}\n"
        yield self._pieces.pop_bytes()

    def end(self) -> Iterator[bytes]:
        yield from self.add(SUMS, [self._sums.encode()])
        self._zip.close()
        yield self._pieces.pop_bytes()
