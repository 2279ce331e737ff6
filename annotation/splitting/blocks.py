"""Blocks of a response: the role of each line, before lines are split into sentences.

Lines are read from the top. Code, display math and tables take several lines; prose lines stay lines, except that
hard-wrapped ones are joined. Kinds that depend on the neighborhood (titles, lead-ins, references) are decided later, in
`kinds`.
"""

import re
from dataclasses import dataclass, replace

from annotation.splitting.display_math import Displays
from annotation.splitting.inline_lists import inline_entries
from annotation.splitting.lines import RULE, RULE_SIGNS, Line, neighbor_markers, parse_line, ranks, raw_lines
from annotation.splitting.marks import ENDS, INVISIBLE, WIDE_STOPS, text_end
from annotation.splitting.tables import read_table
from annotation.splitting.wrapping import NARROWEST, paragraph

_FENCE = re.compile(r"(`{3,})(?!.*`)|(~{3,})")
_HEADING = re.compile(r"#{1,6}(?=\s|$)|#{2,6}(?=[^\W_*])")
_CLOSING_HASHES = re.compile(r"\s#+$")
_SETEXT = re.compile(r"(?:=+|-+)$")
_CLOSED = re.compile(rf"[{ENDS}][\"”’»'*_)\]\d\[]*$")
_LABEL = re.compile(rf"[>\s{INVISIBLE}]*[(（]?(\d{{1,3}}|[^\W\d_]|[ivxIVX]{{2,5}})[.)）、{WIDE_STOPS}]")
_FOOTNOTE = re.compile(r"\[\^[^\]\s]{1,60}\]:")


@dataclass(slots=True)
class Block:
    """A piece of a response: raw `start` to `end`, trimmed, and its `role`.

    Roles: text, heading, code, math, table_header, table_row, footnote. Before the block there is a list marker
    (`marker`), a numbered one (`numbered`), a blank line or the text's start (`gap`), an indentation of `indent`
    columns, and `quotes` quote marks. `closed`: it ends in a closing mark; `before_math`, `after_math`: display math
    interrupts the prose there.
    """

    role: str
    start: int
    end: int
    marker: bool = False
    gap: bool = False
    indent: int = 0
    quotes: int = 0
    numbered: bool = False
    closed: bool = False
    before_math: bool = False
    after_math: bool = False


def read_blocks(text: str) -> list[Block]:
    """Return all blocks of a response in order; between them is only white space and block markup."""
    return _Reader(text).blocks()


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.bounds = raw_lines(text)
        self.lines: list[Line | None] = [None] * len(self.bounds)
        self.extra = neighbor_markers(text, self.bounds)
        self.displays = Displays(text)
        self.found: list[Block] = []
        self.gap = True
        self.row = 0
        self.unwrapped = self.tried = 0
        self.ranks: set[tuple[str, int]] | None = None

    def blocks(self) -> list[Block]:
        while self.row < len(self.bounds):
            start, end = self.bounds[self.row]
            if start == end:
                self.gap = True
                self.row += 1
                continue
            line = self._line(self.row)
            if line.blank:
                if line.marker and self._is_answer(line):
                    start = line.end - len(self.text[line.start : line.end].lstrip(f"> \t{INVISIBLE}"))
                    self._add("text", start, line.end, Line(start, line.end, start, quotes=line.quotes))
                self.gap = True if not line.marker else self.gap
                self.row += 1
            elif not (self._code(line) or self._table(line) or self._markup(line)):
                self._prose(line)
        return self.found

    def _is_answer(self, line: Line) -> bool:
        """Return whether a number or letter without text after it is no marker: "42.", "b)".

        It is a marker if its text is in the next line, or if a line has the number before or after it.
        """
        label = _LABEL.match(self.text, line.start, line.end)
        if label is None:
            return False
        if self.ranks is None:
            labels = (_LABEL.match(self.text, *bounds) for bounds in self.bounds)
            self.ranks = {rank for match in labels if match for rank in ranks(match[1])}
        below = self._following_lines(1)
        if below is not None and not below.blank and below.indent > line.indent + 1:
            return False
        neighbors = {(count, place + step) for count, place in ranks(label[1]) for step in (-1, 1)}
        return neighbors.isdisjoint(self.ranks)

    def _line(self, row: int) -> Line:
        line = self.lines[row]
        if line is None:
            line = self.lines[row] = parse_line(self.text, *self.bounds[row], self.extra.get(row))
        return line

    def _add(self, role: str, start: int, end: int, line: Line) -> Block | None:
        text = self.text
        while start < end and text[start].isspace():
            start += 1
        end = text_end(text, start, end)
        if start >= end:
            return None
        while role == "text" and start > line.start and text[start - 1] in INVISIBLE:
            start -= 1
        block = Block(role, start, end, line.marker, self.gap, line.indent, line.quotes, line.numbered)
        block.closed = bool(_CLOSED.search(text, max(start, end - 12), end))
        self.found.append(block)
        self.gap = False
        return block

    def _code(self, line: Line) -> bool:
        if self.text[line.content] not in "`~" or not (match := _FENCE.match(self.text, line.content, line.end)):
            return False
        fence = match[1] or match[2]
        closing = re.compile(rf"[>\s]*{fence[0]}{{{len(fence)},}}\s*$")
        row = self.row + 1
        while row < len(self.bounds) and not closing.match(self.text[slice(*self.bounds[row])]):
            row += 1
        last = min(row, len(self.bounds) - 1)
        self._add("code", line.content, self.bounds[last][1], line)
        self.row = last + 1
        return True

    def _table(self, line: Line) -> bool:
        text = self.text
        if text.find("|", line.content, line.end) < 0:
            return False
        rows, length = read_table(text, line, self._following_lines)
        for role, start, end in rows:
            self._add(role, start, end, line)
        self.row += length
        return length > 0

    def _following_lines(self, count: int) -> Line | None:
        row = self.row + count
        return self._line(row) if row < len(self.bounds) else None

    def _markup(self, line: Line) -> bool:
        text, first = self.text, self.text[line.content]
        if first in RULE_SIGNS and RULE.match(text, line.content, line.end):
            self.gap = True
        elif first == "#" and (match := _HEADING.match(text, line.content, line.end)):
            content = text[match.end() : line.end]
            closing = _CLOSING_HASHES.search(content)
            self._add("heading", match.end(), match.end() + (closing.start() if closing else len(content)), line)
            self.gap = True
        elif first == "[" and (match := _FOOTNOTE.match(text, line.content, line.end)):
            self._add("footnote", match.end(), line.end, line)
        else:
            return False
        self.row += 1
        return True

    def _prose(self, line: Line) -> None:
        if self._underlined(line):
            self._add("heading", line.content, line.end, line)
            self.gap = True
            self.row += 2
            return
        end, count = self._extent(line)
        if self._with_displays(line, end):
            return
        entries = inline_entries(self.text, line) if count == 1 else []
        for start, entry_end in entries or [(line.content, end)]:
            in_list = start > line.content
            self._add("text", start, entry_end, replace(line, marker=True, numbered=True) if in_list else line)
        self.row += count

    def _extent(self, line: Line) -> tuple[int, int]:
        """Return the end of the prose that begins at a line, and its number of lines: one unless hard-wrapped."""
        if self.row >= self.unwrapped and line.end - line.start >= NARROWEST // 2:
            lines, wrapped = paragraph(self.text, line, self._following_lines)
            if wrapped:
                return lines[-1].end, len(lines)
            # Called for the first and the second line only, so that a long paragraph is not read from every line.
            self.tried = self.tried + 1 if len(lines) > 1 else 0
            self.unwrapped = self.row + (1 if self.tried == 1 else len(lines))
            self.tried %= 2
        return line.end, 1

    def _underlined(self, line: Line) -> bool:
        row = self.row + 1
        if row >= len(self.bounds) or line.marker or self.text[self.bounds[row][1] - 1] not in "=- \t":
            return False
        below = self._line(row)
        if below.quotes != line.quotes:
            return False
        # Markers are removed from "- - -" but not from "---", so the underline is read from the raw line.
        under = self.text[below.start : below.end].lstrip("> \t")
        if not _SETEXT.match(under):
            return False
        title = self.text[line.content : line.end]
        return under[0] == "=" or (len(under) > 1 and title[-1] not in ".?!:;,|")

    def _with_displays(self, line: Line, end: int) -> bool:
        """Read a line (or joined paragraph) that display math interrupts; it may go on beyond `end`."""
        index, display = line.content, None
        if not self.displays.any or (display := self.displays.following(index, end)) is None:
            return False
        while display is not None:
            block = self._add("text", index, display[0], line)
            if block is not None:
                block.before_math = True
                block.after_math = index != line.content
            self._add("math", *display, line)
            index = display[1]
            while self.bounds[self.row][1] < index:
                self.row += 1
            end = self.bounds[self.row][1]
            display = self.displays.following(index, end)
        block = self._add("text", index, end, line)
        if block is not None:
            block.after_math = True
        self.row += 1
        return True
