"""Split a response's text into the spans that raters judge: blocks first, then sentences, then kinds."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace

from annotation.splitting.blocks import read_blocks
from annotation.splitting.formula_sentences import join_formulas
from annotation.splitting.kinds import name_spans
from annotation.splitting.lead_ins import claims_something
from annotation.splitting.spans import KINDS, RATED_KINDS, Span

__all__ = ["KINDS", "RATED_KINDS", "VERSION", "Span", "split", "split_items"]

# Stored with the items. Changes whenever some text would get other items.
VERSION = "2"

LONG = 100_000  # characters


def split(text: str) -> list[Span]:
    """Cut a raw Markdown response into spans: sorted, disjoint, never empty, no white space at either end.

    Text outside all spans is white space or block markup (list markers, hashes, quote marks, rules, table pipes). Never
    raises, whatever the text; linear in its length.
    """
    with _collector_paused() if len(text) > LONG else nullcontext():
        return name_spans(text, read_blocks(text))


def split_items(text: str) -> list[Span]:
    """Return the spans of a response's items: those of `split`, with two exceptions.

    A sentence that display equations interrupt is one item with them, and a lead-in that claims something is rated.
    """
    spans = join_formulas(text, split(text))
    return [
        replace(span, rate=True) if span.kind == "lead_in" and claims_something(text[span.start : span.end]) else span
        for span in spans
    ]


@contextmanager
def _collector_paused() -> Iterator[None]:
    """Pause the garbage collector: a long text makes a million objects without cycles; searching costs a third."""
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            gc.enable()
