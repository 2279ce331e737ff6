"""Parts of a line inside which nothing is split: code, math, addresses, brackets; and quotations.

Every search moves forward only, and a failed search is not repeated, so the time is linear even where a megabyte of
opening marks is never closed.
"""

import re
from bisect import bisect_left
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

_TOKEN = re.compile(
    r"\\[()\[\]$`\\\"*]|`+|\$\$?|(?:https?://|www\.)[^\s<>()\[\]{}\"“”`|*]+|[\[\](){}【】（）〔〕]|[\"“”„«»‘’'「」『』〝〞]"
)
_PAIRS = {")": "(", "]": "[", "}": "{", "】": "【", "）": "（", "〕": "〔"}
_OPENERS = frozenset(_PAIRS.values())
_URL_TAIL = ".,;:!?'…。*_~"
_MAX_MATH = _MAX_BRACKET = 1_000
_MAX_CODE = 500
_MAX_QUOTE = 2_000
_LONG_WORD = re.compile(r"[^\W\d_]{3,}")
_COMMAND = re.compile(r"\\[a-zA-Z]+(?:\{[^{}$]{0,80}\})?")
_MATH_SIGN = re.compile(r"[\\^_={}<>+*/|]")
PROSE_STOP = re.compile(r"[a-z]{2}[.?!]\s+[A-Z][a-z]")


class Region(NamedTuple):
    """A protected stretch `start` to `end`; `kind` is code, math, url or the opening bracket."""

    start: int
    end: int
    kind: str


@dataclass(slots=True)
class Quote:
    """A quotation with its marks, `start` to `end`."""

    start: int
    end: int


class Forward:
    """Find the next position of a string from positions that only grow: each string is searched for once over."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.next: dict[str, int] = {}

    def find(self, target: str, index: int) -> int:
        next_index = self.next.get(target, index - 1)
        if (next_index != -1 and next_index < index) or target not in self.next:
            next_index = self.next[target] = self.text.find(target, index)
        return next_index


def regions(text: str) -> tuple[list[Region], list[Quote]]:
    """Return outermost protected regions and quotations of one line or paragraph, both in order."""
    signs = [(m.start(), m.group()) for m in _TOKEN.finditer(text)]
    if not signs:
        return [], []
    matched, marks = _scan(text, signs)
    outer: list[Region] = []
    for region in sorted(matched, key=lambda region: (region.start, -region.end)):
        if not outer or region.start >= outer[-1].end:
            outer.append(region)
    return outer, _quotes(text, marks, outer)


def _scan(text: str, signs: list[tuple[int, str]]) -> tuple[list[Region], list[tuple[int, str]]]:
    matched: list[Region] = []
    marks: list[tuple[int, str]] = []
    brackets = _Brackets(text)
    forward = Forward(text)
    ticks: dict[int, list[int]] = {}
    for index, sign in signs:
        if sign[0] == "`":
            ticks.setdefault(len(sign), []).append(index)
    dollars = _dollar_pairs(text, signs)
    skip = 0
    for index, sign in signs:
        if index < skip:
            continue
        stop, kind = -1, "math"
        if sign[0] == "`":
            runs, kind = ticks[len(sign)], "code"
            following = bisect_left(runs, index + 1)
            stop = runs[following] + len(sign) if following < len(runs) else -1
            inner = text[index:stop]
            # A quotation mark of TeX, "`…'", that only by chance has another one after it.
            is_tex_quote = "' " in inner and PROSE_STOP.search(inner)
            stop = stop if stop - index <= _MAX_CODE and not is_tex_quote else -1
        elif sign in ("\\(", "\\["):
            close = forward.find("\\)" if sign == "\\(" else "\\]", index)
            stop = close + 2 if 0 <= close < index + _MAX_MATH else -1
        elif sign == "$$":
            close = forward.find("$$", index + 2)
            stop = close + 2 if 0 <= close < index + _MAX_MATH and not PROSE_STOP.search(text, index, close) else -1
        elif sign == "$":
            stop = dollars.get(index, -1)
        elif sign[0] in "hw":
            stop, kind = index + len(sign.rstrip(_URL_TAIL)), "url"
        elif sign in _OPENERS:
            brackets.open(index, sign)
        elif sign in _PAIRS:
            if region := brackets.close(index, sign):
                matched.append(region)
        elif sign[0] != "\\":
            marks.append((index, sign))
        if stop >= 0:
            matched.append(Region(index, stop, kind))
            skip = stop
    return matched, marks


class _Brackets:
    """Open brackets waiting to be closed; one that never is protects nothing."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.waiting: list[tuple[int, str]] = []
        self.count: dict[str, int] = {}

    def open(self, index: int, sign: str) -> None:
        if sign == "(" and self.text[max(index - 1, 0) : index] in (":", ";"):  # a smiley
            return
        self.waiting.append((index, sign))
        self.count[sign] = self.count.get(sign, 0) + 1

    def close(self, index: int, sign: str) -> Region | None:
        opener = _PAIRS[sign]
        if not self.count.get(opener):
            return None
        while True:
            start, waiting = self.waiting.pop()
            self.count[waiting] -= 1
            if waiting == opener:
                # A bracket that spans half a page was not closed.
                return Region(start, index + 1, opener) if index - start < _MAX_BRACKET else None


def _dollar_pairs(text: str, signs: list[tuple[int, str]]) -> dict[int, int]:
    """Return opening dollar -> end of its formula: two neighboring dollars with something between that is no prose."""
    dollars = [index for index, sign in signs if sign == "$"]
    pairs: dict[int, int] = {}
    closed = -1
    for start, stop in pairwise(dollars):
        if start > closed and stop - start <= _MAX_MATH and _is_math(text, start + 1, stop):
            pairs[start], closed = stop + 1, stop
    return pairs


def _is_math(text: str, start: int, stop: int) -> bool:
    """Return whether "$…$" holds a formula. "$5 and $10" does not, nor does "$x. It costs $"."""
    inner = text[start:stop]
    if not inner.strip() or text[stop + 1 : stop + 2].isdigit():
        return False
    words = len(_LONG_WORD.findall(_COMMAND.sub(" ", inner)))
    if inner[0].isdigit() and words > 1:
        return False
    return words == 0 or (bool(_MATH_SIGN.search(inner)) and not PROSE_STOP.search(inner))


# Quotations -----------------------------------------------------------------------------------------------------

_CLOSERS = {'"': '"', "“": "”", "„": "“”", "«": "»", "‘": "’", "'": "'", "「": "」", "『": "』", "〝": "〞", "”": "”"}
_BEFORE_OPENING = frozenset("([{—–-/*_~:>|（【「『“\"'‘…")


def _quotes(text: str, marks: list[tuple[int, str]], outer: list[Region]) -> list[Quote]:
    quotes: list[Quote] = []
    opened: tuple[int, str] | None = None
    region = 0
    for index, mark in marks:
        while region < len(outer) and outer[region].end <= index:
            region += 1
        if region < len(outer) and outer[region].start <= index:
            continue
        if opened and mark in _CLOSERS[opened[1]] and _closes(text, index, mark):
            if index - opened[0] < _MAX_QUOTE:
                quotes.append(Quote(opened[0], index + 1))
            opened = None
        # A second opening mark of the same kind means that the first was never closed; a single quotation mark gives
        # way to a double one, because it may have been an apostrophe.
        elif (opened is None or opened[1] == mark or opened[1] in "'‘") and mark in _CLOSERS:
            opened = (index, mark) if _opens(text, index, mark) else opened
    return quotes


def _opens(text: str, index: int, mark: str) -> bool:
    before, after = text[max(index - 1, 0) : index], text[index + 1 : index + 2]
    if mark in "“„«「『〝":
        return True
    if not after or after.isspace():
        return False
    free = not before or before.isspace() or before in _BEFORE_OPENING
    if mark in "'‘":
        return free and (after.isalpha() or mark == "‘")
    return free and mark == '"'


def _closes(text: str, index: int, mark: str) -> bool:
    before, after = text[max(index - 1, 0) : index], text[index + 1 : index + 2]
    if mark == "'":
        return before in ".?!…," and not after.isalnum()
    if mark == "’":
        return not after.isalnum()
    if mark == '"':
        return not before.isspace() or not after or after.isspace()
    return True
