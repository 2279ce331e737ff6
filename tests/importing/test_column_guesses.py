"""Wide tables: the work to guess and check a mapping grows with the number of columns, not with its square."""

import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

from annotation.importing.column_guesses import guess_columns, sample_rows
from annotation.importing.column_mapping import columns_from
from annotation.importing.input_files import SourceFile
from annotation.importing.workbooks import MAX_COLUMNS


class Name(str):
    """The name of a column. Counts its comparisons."""

    comparisons = 0
    __slots__ = ()
    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        Name.comparisons += 1
        return str.__eq__(self, other)


def operations_of(function: Callable[[], Any]) -> int:
    """Return the number of Python's operations that a call takes."""
    count = 0

    def trace(frame: FrameType, event: str, _argument: Any) -> Any:
        nonlocal count
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        count += event == "opcode"
        return trace

    previous = sys.gettrace()
    sys.settrace(trace)
    try:
        function()
    finally:
        sys.settrace(previous)
    return count


def wide_table(path: Path, columns: int) -> SourceFile:
    """Write a table of two rows, whose first columns are prompt, response and system. Return it as a file."""
    header = ["prompt", "response", "system", *(f"c{n}" for n in range(columns - 3))]
    rows = [["Why?", "So.", "wren", *(f"long {'text ' * 50}{row}" for _ in header[3:])] for row in range(2)]
    path.write_text("\n".join(",".join(cells) for cells in [header, *rows]) + "\n", encoding="utf-8")
    return SourceFile(path)


def test_reading_and_guessing_is_linear_in_the_columns(tmp_path):
    files = [wide_table(tmp_path / f"{n}.csv", n) for n in (MAX_COLUMNS // 4, MAX_COLUMNS)]
    few, many = (operations_of(lambda file=file: guess_columns(sample_rows([file]))) for file in files)
    assert many < 5 * few


def test_checking_a_mapping_compares_each_column_a_few_times():
    for columns in (MAX_COLUMNS // 4, MAX_COLUMNS):
        names = [Name(f"c{n}") for n in range(columns)]
        Name.comparisons = 0
        columns_from({"prompt": "prompt", "metadata": names})
        assert Name.comparisons <= 10 * columns
