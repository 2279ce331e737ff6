"""Split a response's text into the spans that raters judge: blocks first, then sentences, then kinds."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

from annotation.splitting.blocks import read_blocks
from annotation.splitting.kinds import name_spans
from annotation.splitting.spans import KINDS, RATED_KINDS, Span

__all__ = ["KINDS", "RATED_KINDS", "VERSION", "Span", "split"]

# Stored with the items. Changes whenever some text would be split differently.
VERSION = "1"

LONG = 100_000  # characters


def split(text: str) -> list[Span]:
    """Cut a raw Markdown response into spans: sorted, disjoint, never empty, no white space at either end.

    Text outside all spans is white space or block markup (list markers, hashes, quote marks, rules, table pipes). Never
    raises, whatever the text; linear in its length.
    """
    with _collector_paused() if len(text) > LONG else nullcontext():
        return name_spans(text, read_blocks(text))


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
