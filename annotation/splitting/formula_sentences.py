"""Sentences that a display equation interrupts: the spans of the sentence and its formulas as one item.

The spans of `split` follow the boundaries of the text: "The loss is", the equation, and "where x is the input." are
three. Raters cannot judge the first or the last alone, so an import joins them.
"""

import re
from collections.abc import Sequence

from annotation.splitting.kinds import Span
from annotation.splitting.marks import ENDS

_DISPLAY = re.compile(r"\\\[|\$\$|\\begin\{")
_FINISHED = re.compile(rf"[{ENDS}][\"”’»'*_)\]\s]*(?:\[\^?\d[^\]]{{0,20}}\]\s*)*$")
_GOES_ON = re.compile(r"[,;]?\s*[*_]*[a-zα-ω(]")


def join_formulas(text: str, spans: Sequence[Span]) -> list[Span]:
    """Return `spans` of `text` with each sentence and the display equations within it joined to one span."""
    joined: list[Span] = []
    last = -1
    while (first := last + 1) < len(spans):
        last = first + 1 if _leads_into_formula(text, spans, first) else first
        while _goes_on(text, spans, last):
            last += 1
            if not _leads_into_formula(text, spans, last):
                break
            last += 1
        is_one = last == first
        joined.append(spans[first] if is_one else Span(spans[first].start, spans[last].end, "sentence", True))
    return joined


def _leads_into_formula(text: str, spans: Sequence[Span], index: int) -> bool:
    """Return whether an unfinished sentence precedes an equation. After a colon it must go on after the equation."""
    if index + 1 >= len(spans) or not _is_display(text, spans[index + 1]):
        return False
    if spans[index].kind == "lead_in":
        return _goes_on(text, spans, index + 1)
    return spans[index].kind == "sentence" and not _FINISHED.search(text, spans[index].start, spans[index].end)


def _is_display(text: str, span: Span) -> bool:
    return span.kind == "math" and bool(_DISPLAY.match(text, span.start))


def _goes_on(text: str, spans: Sequence[Span], index: int) -> bool:
    """Return whether the sentence goes on after the equation `index`: in lower case, and no other list item."""
    if index + 1 >= len(spans) or spans[index + 1].kind not in ("sentence", "lead_in"):
        return False
    if not _is_display(text, spans[index]) or _FINISHED.search(text, spans[index].start, spans[index].end):
        return False
    following = spans[index + 1]
    is_markup = text[spans[index].end : following.start].strip(" \t\r\n>")
    return not is_markup and bool(_GOES_ON.match(text, following.start))
