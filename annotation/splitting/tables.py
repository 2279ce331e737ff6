"""Tables in pipe syntax, with and without outer pipes, and the spans of their rows."""

from collections.abc import Callable

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


def read_table(
    text: str, first: Line, following: Callable[[int], Line | None]
) -> tuple[list[tuple[str, int, int]], int]:
    """Return the rows of the table that begins at `first` as (role, start, end), and the number of its lines.

    It is a header above a delimiter row, or lines with outer pipes; without either there are no rows and no lines.
    """
    second = following(1)
    rows: list[tuple[str, int, int]] = []
    piped = False
    if is_delimiter_row(_raw(text, first)):
        length = 1
    elif second is not None and is_delimiter_row(_raw(text, second)):
        rows.append(("table_header", *row_span(text, first.content, first.end)))
        length = 2
    elif second is not None and is_piped(_content(text, first)) and is_piped(_content(text, second)):
        length, piped = 0, True
    else:
        return [], 0
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
