"""Split a response's text into the spans that raters judge: blocks first, then sentences, then kinds."""

from contextlib import nullcontext
from dataclasses import replace
from operator import attrgetter

from annotation.site.garbage_collection import collector_paused
from annotation.splitting.blocks import read_blocks
from annotation.splitting.formula_sentences import join_formulas
from annotation.splitting.kinds import KINDS, RATED_KINDS, Span, name_spans
from annotation.splitting.lead_ins import claims_something
from annotation.splitting.reasoning import REASONING_TAGS, separate
from annotation.splitting.short_answers import with_something_rated

__all__ = ["KINDS", "RATED_KINDS", "REASONING_TAGS", "VERSION", "Span", "split", "split_items"]

# Stored with the items. Changes whenever some text would get other items.
VERSION = "3"

LONG = 100_000  # characters


def split(text: str) -> list[Span]:
    """Cut a raw Markdown response into spans: sorted, disjoint, never empty, no white space at either end.

    Text outside all spans is white space or block markup (list markers, hashes, quote marks, rules, table pipes). Never
    raises, whatever the text; linear in its length.
    """
    with collector_paused() if len(text) > LONG else nullcontext():
        reasoning, answers = separate(text)
        spans = [Span(each.start, each.end, "reasoning", False) for each in reasoning]
        for start, end in answers:
            part = text[start:end]
            spans += (
                replace(span, start=span.start + start, end=span.end + start) if start else span
                for span in name_spans(part, read_blocks(part))
            )
        return with_something_rated(text, sorted(spans, key=attrgetter("start")), answers)


def split_items(text: str) -> list[Span]:
    """Return the spans of a response's items: those of `split`, with two exceptions.

    A sentence that display equations interrupt is one item with them, and a lead-in that claims something is rated.
    """
    spans = join_formulas(text, split(text))
    return [
        replace(span, rate=True) if span.kind == "lead_in" and claims_something(text[span.start : span.end]) else span
        for span in spans
    ]
