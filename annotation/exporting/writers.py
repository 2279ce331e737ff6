"""Writers of rows in pieces of bytes: JSON lines, CSV with guarded formulas, Parquet."""

import json
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from itertools import islice
from typing import Any, TypeVar

from .. import protocols
from ..csv_guarding import csv_text, guard_cell
from .rating_columns import Column, Row, flat, flat_columns

_T = TypeVar("_T")
CHUNK_SIZE = 1_000
ROW_GROUP = 20_000


def write_jsonl(rows: Iterable[Row], protocol: protocols.Protocol, also: tuple[Column, ...] = ()) -> Iterator[bytes]:
    """Yield ratings as JSON lines; `also` are among the rows."""
    return write_json_lines(rows)


def write_json_lines(rows: Iterable[Row]) -> Iterator[bytes]:
    """Yield one JSON object a line, UTF-8, numbers in the shortest form that reads back the same."""
    for batch in batches(rows, CHUNK_SIZE):
        lines = (json.dumps(row, ensure_ascii=False, default=_time) for row in batch)
        yield "".join(f"{line}\n" for line in lines).encode()


def write_csv(rows: Iterable[Row], protocol: protocols.Protocol, also: tuple[Column, ...] = ()) -> Iterator[bytes]:
    """Yield RFC 4180 CSV in UTF-8 with guarded formulas; empty is absent. `also` are additional columns of the rows."""
    return write_csv_columns(map(flat, rows), (*flat_columns(protocol), *also))


def write_csv_columns(rows: Iterable[Row], columns: tuple[Column, ...]) -> Iterator[bytes]:
    """Yield CSV of these columns, in the same form."""
    yield csv_text([[column.name for column in columns]]).encode()
    for batch in batches(rows, CHUNK_SIZE):
        yield csv_text(_cells(columns, row) for row in batch).encode()


def write_parquet(rows: Iterable[Row], protocol: protocols.Protocol, also: tuple[Column, ...] = ()) -> Iterator[bytes]:
    """Return ratings as Parquet, with a column for each question."""
    return write_table(map(flat, rows), (*flat_columns(protocol), *also))


def write_table(rows: Iterable[Row], columns: tuple[Column, ...]) -> Iterator[bytes]:
    """Write Parquet with typed columns, a row group for every 20,000 rows."""
    import pyarrow
    from pyarrow import parquet

    schema = pyarrow.schema([(column.name, _arrow_type(pyarrow, column.kind)) for column in columns])
    pieces = PieceBuffer()
    with parquet.ParquetWriter(pieces, schema, compression="zstd") as writer:
        for batch in batches(rows, ROW_GROUP):
            values = {c.name: [_arrow_value(row.get(c.name), c.kind) for row in batch] for c in columns}
            writer.write_table(pyarrow.table(values, schema=schema))
            yield pieces.pop_bytes()
    yield pieces.pop_bytes()


def batches(rows: Iterable[_T], size: int) -> Iterator[list[_T]]:
    """Yield the rows in lists of this size; the last one may be shorter."""
    rest = iter(rows)
    while batch := list(islice(rest, size)):
        yield batch


def _time(value: datetime) -> str:
    """Return ISO 8601 in UTC, always with microseconds."""
    return value.astimezone(UTC).isoformat(timespec="microseconds")


def _cells(columns: Iterable[Column], row: Row) -> list[str]:
    return [_cell(row.get(column.name)) for column in columns]


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


def _arrow_type(pyarrow: Any, kind: str) -> Any:
    time, truth = pyarrow.timestamp("us", tz="UTC"), pyarrow.bool_()
    types = {"whole": pyarrow.int64(), "number": pyarrow.float64(), "time": time, "truth": truth}
    return types.get(kind, pyarrow.string())


def _arrow_value(value: object, kind: str) -> object:
    if kind == "json":
        return json.dumps(value, ensure_ascii=False) if value else None
    return value


class PieceBuffer:
    """A file-like object that collects written bytes until they are yielded."""

    closed = False

    def __init__(self) -> None:
        self._waiting: list[bytes] = []
        self._bytes_written = 0
        self.waiting = 0  # bytes

    def write(self, data: Any) -> int:
        self._waiting.append(bytes(data))
        self._bytes_written += len(self._waiting[-1])
        self.waiting += len(self._waiting[-1])
        return len(self._waiting[-1])

    def tell(self) -> int:
        return self._bytes_written

    def flush(self) -> None:
        """Do nothing: data is never buffered."""

    def close(self) -> None:
        self.closed = True

    def pop_bytes(self) -> bytes:
        """Return the bytes written since the last call."""
        waiting, self._waiting = self._waiting, []
        self.waiting = 0
        return b"".join(waiting)
