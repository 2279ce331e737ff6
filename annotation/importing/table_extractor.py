"""A separate program that prints the rows of an Excel workbook or a Parquet file, without imports of this package.

A small file can unpack to more than any memory, and a damaged one can keep a library busy for hours. So they are read
in a process with limits, which is killed instead of the worker. `limited_process.py` starts it; `workbooks.py` reads
its output.
"""

import contextlib
import errno
import json
import math
import os
import re
import resource
import sys
from collections.abc import Iterator
from datetime import date, datetime, time
from typing import Any

BATCH = 100
LAST_ROW = 1_048_576
"""Of a sheet in Excel; a file can name a higher one, and has all empty rows before it."""
MAX_RATIO, RATIO_MATTERS_FROM = 100, 64 << 20
"""No table unpacks to more than so many times its size; checked from so many bytes on. The characters of the rows count
too, as one value of a dictionary or of the shared texts can stand in any number of cells."""
_ESCAPE = re.compile(r"_x([0-9A-Fa-f]{4})_")


class Problem(Exception):
    """The file is refused: the kind of problem, a number in its message, and a row."""


def main(path: str, seconds: int, megabytes: int, columns: int, cells: int, row_size: int, unpacked: int) -> None:
    """Print `{"flat"}` of a Parquet file; then `{"row", "values"}` for each row with values, in lines of at most
    `row_size` bytes; then `{"end"}`, or `{"problem", "detail", "row"}`.
    """
    for kind, most in ((resource.RLIMIT_CPU, seconds), (resource.RLIMIT_AS, megabytes << 20)):
        with contextlib.suppress(ValueError, OSError):  # macOS has no limit for memory
            resource.setrlimit(kind, (most, most))
    try:
        with open(path, "rb") as file:
            is_workbook = file.read(2) == b"PK"
        lines = _workbook_lines(path, columns, cells) if is_workbook else _parquet_lines(path, columns, unpacked)
        printed = 0
        for line in lines:
            characters = _characters(line.get("values"))
            text = b"" if characters > row_size else json.dumps(line, ensure_ascii=False).encode(errors="surrogatepass")
            if not 0 < len(text) <= row_size:
                raise Problem("row", None, line["row"])
            printed += characters
            if printed > unpacked or (printed > RATIO_MATTERS_FROM and printed > MAX_RATIO * os.path.getsize(path)):
                raise Problem("unpacked", None, None)
            sys.stdout.buffer.write(text + b"\n")
        sys.stdout.buffer.flush()
        print(json.dumps({"end": True}), flush=True)
    except Problem as refusal:
        kind, detail, row = refusal.args
        print(json.dumps({"problem": kind, "detail": detail, "row": row}), flush=True)
    except Exception as error:  # any error of the library about an invalid file; a library too large is not imported
        is_full = isinstance(error, (MemoryError, ImportError)) or getattr(error, "errno", 0) == errno.ENOMEM
        problem = {"problem": "memory"} if is_full else {"problem": "broken", "detail": type(error).__name__}
        print(json.dumps(problem), flush=True)


def _characters(value: Any) -> int:
    """Return the number of characters of the value's texts, with the names that are not empty, and of its elements."""
    if isinstance(value, str):
        return len(value)
    if isinstance(value, dict):
        return sum(len(key) + _characters(inner) for key, inner in value.items() if inner not in (None, ""))
    return sum(map(_characters, value)) + len(value) if isinstance(value, list) else 0


def _workbook_lines(path: str, max_columns: int, max_cells: int) -> Iterator[dict[str, Any]]:
    cells = 0
    for number, row in enumerate(_values(path), 1):
        cells += len(row)
        if len(row) > max_columns or cells > max_cells:
            raise Problem("cells", None, number)
        if number > LAST_ROW:
            raise Problem("rows", LAST_ROW, None)
        values = [_decoded(value) if isinstance(value, str) else cell_text(value) for value in row]
        if any(values):
            yield {"row": number, "values": values}


def _values(path: str) -> Iterator[tuple[Any, ...]]:
    from openpyxl.reader.excel import ExcelReader

    with open(path, "rb") as file:
        reader = ExcelReader(file, read_only=True, data_only=True, keep_links=False)
        reader.read_strings = lambda: _read_strings(reader)
        reader.read()
        sheet = reader.wb.worksheets[0]
        sheet.reset_dimensions()  # the file may state wrong ones
        yield from sheet.iter_rows(values_only=True)


def _read_strings(reader: Any) -> None:
    """Read the shared texts as they are: openpyxl removes the escape of an escape, `_x005F_`, and leaves the others."""
    from openpyxl.cell.text import Text
    from openpyxl.xml.constants import SHARED_STRINGS, SHEET_MAIN_NS
    from openpyxl.xml.functions import iterparse

    if (part := reader.package.find(SHARED_STRINGS)) is None:
        return
    reader.shared_strings = []
    with reader.archive.open(part.PartName[1:]) as xml:
        for _event, node in iterparse(xml):
            if node.tag == f"{{{SHEET_MAIN_NS}}}si":
                reader.shared_strings.append(Text.from_tree(node).content)
                node.clear()


def _decoded(text: str) -> str:
    """Return a text of a workbook with the characters that XML cannot have, which are written `_x000D_`."""
    decoded = _ESCAPE.sub(lambda escape: chr(int(escape[1], 16)), text)
    is_of_pairs = decoded != text and any("\ud800" <= character <= "\udfff" for character in decoded)
    return decoded.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass") if is_of_pairs else decoded


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


def _parquet_lines(path: str, max_columns: int, max_unpacked: int) -> Iterator[dict[str, Any]]:
    os.environ["ARROW_DEFAULT_MEMORY_POOL"] = "system"  # the others reserve more addresses than the limit has
    import pyarrow
    from pyarrow import parquet, types

    pyarrow.set_cpu_count(1)
    pyarrow.set_io_thread_count(1)
    with parquet.ParquetFile(path) as file:
        metadata, size = file.metadata, os.path.getsize(path)
        unpacked = sum(metadata.row_group(n).total_byte_size for n in range(metadata.num_row_groups))
        is_bomb = unpacked > RATIO_MATTERS_FROM and unpacked > MAX_RATIO * size
        if unpacked > max_unpacked or metadata.num_columns > max_columns or is_bomb:
            raise Problem("unpacked", None, None)
        names = file.schema_arrow.names
        if len(set(names)) < len(names):
            raise Problem("twice", ", ".join(sorted(name for name in set(names) if names.count(name) > 1)), None)
        is_flat = not any(types.is_nested(field.type) for field in file.schema_arrow)
        yield {"flat": is_flat}
        number = 0
        for batch in file.iter_batches(batch_size=BATCH, use_threads=False):
            # pandas writes nanoseconds; Python's times have microseconds.
            from pyarrow import Table, schema

            coarse = schema([field.with_type(_coarse(field.type)) for field in batch.schema])
            for row in (
                batch if coarse.equals(batch.schema) else Table.from_batches([batch]).cast(coarse, safe=False)
            ).to_pylist(maps_as_pydicts="strict"):
                number += 1
                yield {
                    "row": number,
                    "values": {name: "" if _is_missing(value) else cell_text(value) for name, value in row.items()}
                    if is_flat
                    else _json_values(row),
                }


def _coarse(type: Any) -> Any:
    """Return the type with microseconds in place of nanoseconds, also within lists, maps and objects."""
    import pyarrow
    from pyarrow import types

    if types.is_timestamp(type) and type.unit == "ns":
        return pyarrow.timestamp("us", type.tz)
    if types.is_time64(type) and type.unit == "ns":
        return pyarrow.time64("us")
    if types.is_duration(type) and type.unit == "ns":
        return pyarrow.duration("us")
    if types.is_struct(type):
        return pyarrow.struct([field.with_type(_coarse(field.type)) for field in type])
    if types.is_list(type):
        return pyarrow.list_(type.value_field.with_type(_coarse(type.value_type)))
    if types.is_large_list(type):
        return pyarrow.large_list(type.value_field.with_type(_coarse(type.value_type)))
    if types.is_fixed_size_list(type):
        return pyarrow.list_(type.value_field.with_type(_coarse(type.value_type)), type.list_size)
    if types.is_map(type):
        return pyarrow.map_(_coarse(type.key_type), type.item_field.with_type(_coarse(type.item_type)))
    return type


def _json_values(value: Any) -> Any:
    """Return the value with types that JSON has."""
    match value:
        case dict():
            return {cell_text(key): _json_values(inner) for key, inner in value.items()}
        case list():
            return [_json_values(inner) for inner in value]
        case None | bool() | int() | str():
            return value
        case float():
            return None if _is_missing(value) else value
    return cell_text(value)


def _is_missing(value: Any) -> bool:
    """Return whether the value is missing: pandas writes a missing number as NaN."""
    return value is None or (isinstance(value, float) and math.isnan(value))


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
