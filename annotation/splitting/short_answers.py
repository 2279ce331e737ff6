"""Responses that would have nothing to rate: a title, an address, a number that looks like the marker of a list.

Whatever they consist of is their answer. Only reasoning, and fenced code that nothing introduces, are never rated.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise

from annotation.splitting.kinds import Span
from annotation.splitting.lines import raw_lines
from annotation.splitting.marks import trimmed
from annotation.splitting.references import is_reference_title

_WORD = re.compile(r"\w")
_FENCES = ("```", "~~~")
_FENCED_WORDS = re.compile(r"(?:`{3}|~{3}).*\n[\s\S]*\w")


def with_something_rated(text: str, spans: list[Span], answers: Iterable[tuple[int, int]]) -> list[Span]:
    """Return `spans`; where none is rated, with those as items that may be the answer.

    These are references and lines of inline code; else fenced code below a heading or lead-in; else headings, lead-ins
    and table headers; else the lines of the text's `answers` that have no span.
    """
    if any(span.rate for span in spans):
        return spans
    words = {span: text[span.start : span.end] for span in spans}
    of_kinds = [
        {span for span in spans if span.kind in kinds and _may_answer(words[span], spans)}
        for kinds in (("reference", "code"), ("heading", "lead_in", "table_header"))
    ]
    introduced = {
        span
        for before, span in pairwise(spans)
        if before.kind in ("heading", "lead_in") and _FENCED_WORDS.match(words[span])
    }
    for candidates in (of_kinds[0], introduced, of_kinds[1]):
        if candidates:
            return [replace(span, kind="item", rate=True) if span in candidates else span for span in spans]
    with_words = [span for span in spans if _WORD.search(words[span]) or words[span].startswith(_FENCES)]
    lines = list(_lines(text, with_words, answers))
    before_end = (bisect_left(lines, span.end, key=lambda line: line.start) - 1 for span in spans)
    others = [span for span, n in zip(spans, before_end, strict=True) if n < 0 or lines[n].end <= span.start]
    return sorted([*others, *lines], key=lambda span: span.start)


def _may_answer(words: str, spans: Sequence[Span]) -> bool:
    if words.startswith(_FENCES) or not _WORD.search(words):
        return False
    return not (is_reference_title(words) and len(spans) > 1)


def _lines(text: str, spans: Sequence[Span], answers: Iterable[tuple[int, int]]) -> Iterable[Span]:
    """Yield the lines with something visible that none of these spans touches."""
    ends = [span.end for span in spans]
    for first, last in answers:
        for line_start, line_end in raw_lines(text[first:last]):
            start, end = trimmed(text, first + line_start, first + line_end)
            following = bisect_right(ends, start)
            is_free = following == len(spans) or spans[following].start >= end
            if is_free and start < end:
                yield Span(start, end, "item", True)
