"""Rows of Parquet files: flat columns as texts like those of a CSV file, nested ones as the objects of JSON lines."""

import math
from collections.abc import Iterator
from itertools import chain
from typing import Any

from django.utils.translation import gettext as _

from .input_files import MAX_UNPACKED, MEGABYTE, FileReader
from .workbooks import MAX_COLUMNS, cell_text

BATCH = 100


def parquet_rows(file_reader: FileReader) -> Iterator[tuple[int, dict[str, Any], bool]]:
    """Yield number (from 1) and values of the rows, and whether all columns are flat. Raise Refused."""
    from pyarrow import ArrowException, parquet, types

    file_reader.hash_whole_file()
    try:
        with parquet.ParquetFile(file_reader.source.path) as file:
            _refuse_bomb(file_reader, file.metadata)
            is_flat = not any(types.is_nested(field.type) for field in file.schema_arrow)
            batches = (batch.to_pylist() for batch in file.iter_batches(batch_size=BATCH))
            for number, row in enumerate(chain.from_iterable(batches), 1):
                yield number, _texts(row) if is_flat else _json_values(row), is_flat
    except (ArrowException, OSError, ValueError, OverflowError) as error:
        message = _("the Parquet file cannot be read (%(error)s); write it again, or save it as CSV in UTF-8")
        raise file_reader.refused(message % {"error": type(error).__name__}) from None


def _refuse_bomb(file_reader: FileReader, metadata: Any) -> None:
    unpacked = sum(metadata.row_group(n).total_byte_size for n in range(metadata.num_row_groups))
    if unpacked > MAX_UNPACKED or metadata.num_columns > MAX_COLUMNS:
        message = _("the file unpacks to more than %(most)s MB, or has more than %(columns)s columns; split it")
        raise file_reader.refused(message % {"most": MAX_UNPACKED // MEGABYTE, "columns": MAX_COLUMNS})


def _texts(row: dict[str, Any]) -> dict[str, str]:
    return {name: "" if _is_missing(value) else cell_text(value) for name, value in row.items()}


def _json_values(value: Any) -> Any:
    """Return the value with types that JSON has."""
    match value:
        case dict():
            return {key: _json_values(inner) for key, inner in value.items()}
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
