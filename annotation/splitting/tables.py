"""Tables in pipe syntax, with and without outer pipes, and the spans of their rows."""

from collections.abc import Callable
from dataclasses import dataclass

from annotation.splitting.lines import Line

_DELIMITER_SIGNS = frozenset("|-: \t+=")


def is_delimiter_row(line: str) -> bool:
    """Return whether a line is the `|---|:--:|` row below a table's header; a cell is at least one dash."""
    return "-" in line and "|" in line and not set(line) - _DELIMITER_SIGNS


def is_piped(line: str) -> bool:
    """Return whether a line begins and ends with a pipe, as rows with outer pipes do."""
    return len(line) > 2 and line[0] == "|" and line[-1] == "|" and not line.endswith("\\|")


def row_span(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the bounds from the first cell's text to the last cell's, without outer pipes and spaces."""
    if start < end and text[start] == "|":
        start += 1
    if start < end and text[end - 1] == "|" and text[end - 2 : end - 1] != "\\":
        end -= 1
    return start, end


@dataclass(slots=True)
class Table:
    """Rows as (role, start, end) and the number of lines taken, the delimiter row included."""

    rows: list[tuple[str, int, int]]
    length: int

    @classmethod
    def read(cls, text: str, first: Line, following: Callable[[int], Line | None]) -> "Table | None":
        """Return the table that begins at `first`: a header above a delimiter row, or lines with outer pipes."""
        second = following(1)
        if is_delimiter_row(_raw(text, first)):
            return cls(*_body(text, [], 1, first, following))
        if second is not None and is_delimiter_row(_raw(text, second)):
            header = ("table_header", *row_span(text, first.content, first.end))
            return cls(*_body(text, [header], 2, first, following))
        if is_piped(_content(text, first)) and second is not None and is_piped(_content(text, second)):
            return cls(*_body(text, [], 0, first, following, piped=True))
        return None


def _body(text, rows, length: int, first: Line, following, piped: bool = False):
    while (line := first if length == 0 else following(length)) is not None and not line.blank:
        content = _content(text, line)
        if "|" not in content or line.quotes != first.quotes or (piped and not is_piped(content)):
            break
        if not is_delimiter_row(content):
            rows.append(("table_row", *row_span(text, line.content, line.end)))
        length += 1
    return rows, length


def _content(text: str, line: Line) -> str:
    return text[line.content : line.end]


def _raw(text: str, line: Line) -> str:
    return text[line.start : line.end].strip().lstrip("> \t")
