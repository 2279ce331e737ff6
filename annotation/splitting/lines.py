"""Lines of a response and the block markup in front of them.

Models write Markdown loosely: markers without a blank line before them, irregular indentation, fences without an end.
So each line is read separately: quote marks, list markers and task boxes are removed from its start, and the rest is
its content. Only lettered markers need their neighbors.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

from annotation.splitting.marks import INVISIBLE, WIDE_STOPS, text_end

_NEWLINE = re.compile(r"\r\n|[\n\r\x0b\x0c\x85\u2028\u2029]")
_GAP = re.compile(rf"[^\S\r\n]*(?:[{INVISIBLE}]+[^\S\r\n]*)*")
_QUOTES = re.compile(rf"(?:>([^\S\r\n{INVISIBLE}]*[{INVISIBLE}\s]*))+")
_ROMAN = r"(?:x{1,2}i{0,3}|x?(?:ix|iv|vi{1,3}|v|i{2,3}|i))"
_APART = rf"(?=[\s{INVISIBLE}]|$)"
_WIDE = rf"(?:[{WIDE_STOPS}、](?!\d)|）)"  # no space follows
_MARKER = re.compile(
    rf"(?:[-*+•]{_APART}|•|\d{{1,3}}(?:[.)]{_APART}|{_WIDE})|\(\d{{1,3}}\){_APART}|（\d{{1,3}}）"
    rf"|\(?[a-z][.)]{_APART}|\(?[^\W\d_A-Z]\){_APART}|\(?{_ROMAN}[.)]{_APART})"
)
_TASK = re.compile(rf"\[[ xX]\]{_APART}")
_LETTERED = re.compile(rf"[(（]?([^\W\d_]|[IVX]{{1,5}})(?:[.)]{_APART}|{_WIDE})")
_LETTERS = (
    "가나다라마바사아자차카타파하", "アイウエオカキクケコサシスセソ", "あいうえおかきくけこ", "イロハニホヘトチリヌ",
    "أبجدهوزحطي", "ابتثجحخدذر", "กขคงจฉชซ", "一二三四五六七八九十", "абвгґдеєжзиіїйк", "деёжз",
)  # fmt: skip
"""Letters that count, where they are not in the order of their code points."""
_PROVABLE_STARTS = frozenset("(（-*0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ")
_TIGHT = re.compile(r"(?:([-*])(?=[^\W\d_]{2})|(\d{1,3})[.)](?=[^\W\d_]))")
RULE_SIGNS = frozenset("-*_=—–⸻─━═")
RULE = re.compile(r"([-*_=])(?:[ \t]*\1){2,}[ \t]*$|[—–⸻─━═]{2,}[ \t]*$")
_MARKER_STARTS = frozenset("-*+•(（")
_MAX_MARKERS = 3


# Number of a line, end of its possible marker, and the letter or number in it.
_Marked = tuple[int, int, str]


@dataclass(slots=True)
class Line:
    """One line: raw `start` and `end` (newline excluded), and `content`, where its text begins after block markup.

    `quotes` counts the quote marks before it, `indent` the columns before its first marker or text. `marker`: a list
    marker was removed from this very line; `numbered`: it was a number or letter.
    """

    start: int
    end: int
    content: int
    quotes: int = 0
    indent: int = 0
    marker: bool = False
    numbered: bool = False

    @property
    def blank(self) -> bool:
        return self.content >= self.end


def raw_lines(text: str) -> list[tuple[int, int]]:
    """Return start and end of every line, newline excluded; CRLF, lone CR and the Unicode separators end lines too."""
    bounds, start = [], 0
    for match in _NEWLINE.finditer(text):
        bounds.append((start, match.start()))
        start = match.end()
    bounds.append((start, len(text)))
    return bounds


def skip_gap(text: str, index: int, end: int) -> int:
    """Return the first position from `index` that is neither white space nor an invisible mark."""
    if index < end and text[index].isalnum():
        return index
    match = _GAP.match(text, index, end)
    return match.end() if match else index


def parse_line(text: str, start: int, end: int, extra: int | None = None) -> Line:
    """Read one line. `extra` is where a marker ends that only its neighbors show to be one."""
    end = text_end(text, start, end)
    if start == end:
        return Line(start, end, end)
    line = Line(start, end, skip_gap(text, start, end))
    line.indent = line.content - start
    if quotes := _QUOTES.match(text, line.content, end):
        line.quotes = quotes.group().count(">")
        line.indent = len(quotes[1])
        line.content = quotes.end()
    if extra is not None:
        line.marker = line.numbered = True
        line.content = skip_gap(text, extra, end)
    for _ in range(_MAX_MARKERS):
        first = text[line.content : line.content + 1]
        if not (first in _MARKER_STARTS or first.isalnum()) or (
            first in RULE_SIGNS and RULE.match(text, line.content, end)
        ):
            break
        match = _MARKER.match(text, line.content, end)
        if not match:
            break
        line.marker = True
        line.numbered = match.group()[0] not in "-*+•"
        line.content = skip_gap(text, match.end(), end)
    if text[line.content : line.content + 1] == "[" and (box := _TASK.match(text, line.content, end)):
        line.marker = True
        line.content = skip_gap(text, box.end(), end)
    return line


def neighbor_markers(text: str, bounds: list[tuple[int, int]]) -> dict[int, int]:
    """Return line number -> end of its marker, for markers that only the lines around them prove.

    "A." and "I." are markers where a neighboring line carries the next or previous letter or numeral; "1.Foo" and
    "-Foo", without the space, where a neighboring line is marked in the same way.
    """
    lettered: list[_Marked] = []
    tight: list[_Marked] = []
    for number, (start, end) in enumerate(bounds):
        if start == end:
            continue
        index = skip_gap(text, start, end)
        if quotes := _QUOTES.match(text, index, end):
            index = quotes.end()
        if index >= end or not (text[index] in _PROVABLE_STARTS or _LETTERED.match(text, index, end)):
            continue
        if match := _LETTERED.match(text, index, end):
            lettered.append((number, match.end(), match[1]))
        elif match := _TIGHT.match(text, index, end):
            tight.append((number, match.end(), match[1] or match[2]))
    return _confirmed_markers(lettered, follows, 12) | _confirmed_markers(
        tight, lambda label, other: label == other or (label.isdigit() and follows(label, other)), 3
    )


def _confirmed_markers(marked: list[_Marked], related: Callable[[str, str], bool], reach: int) -> dict[int, int]:
    """Return {line: end of its marker} of the lines with a related marker at most `reach` lines away."""
    confirmed = {}
    for (number, end, label), (other, other_end, other_label) in pairwise(marked):
        if other - number <= reach and related(label, other_label):
            confirmed[number], confirmed[other] = end, other_end
    return confirmed


def ranks(label: str) -> set[tuple[str, int]]:
    """Return the places of a number or letter in what counts: numbers, Roman numerals, alphabets."""
    if label.isdecimal():
        return {("number", int(label))}
    places = {(letters, letters.index(label)) for letters in _LETTERS if label in letters}
    values = {"I": 1, "V": 5, "X": 10}
    if label and not set(label.upper()) - set(values):
        numbers = [values[letter] for letter in label.upper()]
        pairs = pairwise([*numbers, 0])
        places.add(("numeral", sum(-number if number < following else number for number, following in pairs)))
    return places | {("letter", ord(label))} if len(label) == 1 else places


def follows(label: str, other: str) -> bool:
    """Return whether `other` comes right after `label` where labels count."""
    return not ranks(other).isdisjoint((count, place + 1) for count, place in ranks(label))
