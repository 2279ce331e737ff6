"""Labels of a figure: broken into two lines if needed, then shortened in the middle, but always distinct."""

import json
from collections import Counter
from collections.abc import Iterable
from itertools import chain
from unicodedata import east_asian_width

from ..text.names import show_direction_marks
from . import vega

MAX_LINE_LENGTH = 28  # characters of a system's name in a line
LINE_HEIGHT = 15  # pixels
_BREAKS = "-_/:.,;)"  # after these a line may end where no space is near

Lines = list[str]


def lines_of(names: Iterable[str], most: int = MAX_LINE_LENGTH) -> dict[str, Lines]:
    """Return each name as lines of at most `most` characters, two at most unless names would look the same."""
    return {name: break_lines(short, most) for name, short in cut_apart(names, most, lines=2).items()}


def cut_apart(names: Iterable[str], most: int, *, lines: int = 1) -> dict[str, str]:
    """Cut names to `lines` lines of `most` characters. Equal results keep more characters, until they differ."""
    whole = list(dict.fromkeys(names))
    cut_names = {name: _cut_middle(show_direction_marks(name), most * lines) for name in whole}
    times = Counter(cut_names.values())
    alike = [name for name, short in cut_names.items() if times[short] > 1]
    return cut_names | (cut_apart(alike, 2 * most, lines=lines) if alike else {})


def named_axis(labels: dict[str, Lines], **more: object) -> vega.Spec:
    """Return the axis of these names; several lines are centered on the same height."""
    lookup = f"({json.dumps(labels)})[datum.value]"
    highest = max(map(len, labels.values()), default=1)
    moved = [{"test": f"length({lookup}) == {n}", "value": -LINE_HEIGHT * (n - 1) / 2} for n in range(2, highest + 1)]
    offset = {"condition": moved, "value": 0}
    return vega.axis(labelExpr=lookup, labelLimit=0, labelLineHeight=LINE_HEIGHT, labelOffset=offset, **more)


def row_height(labels: dict[str, Lines], usual: int) -> int:
    """Return the height of a row in pixels: `usual`, or that of the name with the most lines."""
    return max(usual, LINE_HEIGHT * max(map(len, labels.values()), default=1) + 8)


def text_width(text: str) -> int:
    """Return the width of a text in characters: Chinese, Japanese and Korean ones count as two."""
    return sum(2 if east_asian_width(letter) in "WF" else 1 for letter in text)


def _cut_middle(name: str, most: int) -> str:
    """Cut the middle of a name, as versions usually differ at the end."""
    if text_width(name) <= most:
        return name
    ahead, behind = len(name) // 2, len(name) - len(name) // 2
    while text_width(name[:ahead]) + text_width(name[len(name) - behind :]) >= most:
        ahead, behind = (ahead - 1, behind) if ahead >= behind else (ahead, behind - 1)
    return f"{name[:ahead].rstrip()}…{name[len(name) - behind :].lstrip()}"


def break_lines(name: str, most: int) -> Lines:
    """Break a name or a sentence into lines of at most `most` characters, between words if possible."""
    lines = []
    while text_width(name) > most:
        end = next(n for n in range(len(name), 0, -1) if text_width(name[:n]) <= most)
        between_words = (n for n in range(end, end // 3, -1) if name[n] == " ")
        within = (n for n in range(end, end // 2, -1) if name[n - 1] in _BREAKS)
        tidy = next(chain(between_words, within), end)
        lines.append(name[:tidy].rstrip())
        name = name[tidy:].lstrip()
    return [*lines, name] if name else lines
