"""Hard-wrapped prose: which lines are one paragraph broken to a width.

Joined only where the evidence is strong, because a newline otherwise ends a span: at least one break in
mid-sentence, and every line so full that the first word of the next would not have fitted.
"""

import re
from collections.abc import Callable
from itertools import pairwise

from annotation.splitting.lines import Line
from annotation.splitting.marks import ENDS

_FIRST_WORD = re.compile(r"\S+")
_CLOSED = re.compile(rf"[:;{ENDS}][\"”’)\]*_]*(?:\[\d+\])*$")
_STARTS_BLOCK = re.compile(r"#{1,6}\s|`{3}|~{3}|\||\[\^[^\]]+\]:|\\\[|\$\$|\\begin\{|<[a-zA-Z/]")
NARROWEST = 45
_WIDEST = 140


def paragraph(text: str, first: Line, following: Callable[[int], Line | None]) -> tuple[list[Line], bool]:
    """Return the lines of the paragraph that `first` begins, and whether they are one text, hard-wrapped."""
    lines = [first]
    if first.end - first.start > _WIDEST or first.quotes:
        return lines, False
    while (line := following(len(lines))) is not None:
        if line.blank or line.marker or line.quotes or line.end - line.start > _WIDEST:
            break
        if _STARTS_BLOCK.match(text, line.content):
            break
        lines.append(line)
    return lines, len(lines) > 1 and _is_wrapped(text, lines)


def _is_wrapped(text: str, lines: list[Line]) -> bool:
    width = max(line.end - line.start for line in lines)
    breaks = list(pairwise(lines))
    if width < NARROWEST:
        return False
    for line, below in breaks:
        word = _FIRST_WORD.match(text, below.content, below.end)
        length = line.end - line.start
        if length + 1 + (len(word.group()) if word else 0) <= width - 1 or length <= width * 0.6:
            return False
    open_breaks = [below for line, below in breaks if not _CLOSED.search(text[line.content : line.end])]
    continued = sum(text[below.content].islower() for below in open_breaks)
    # Verse begins its lines with capitals; wrapped prose seldom has a name at the start of a line.
    return continued > 0 and continued * 2 >= len(open_breaks) and len(open_breaks) * 2 >= len(breaks)
