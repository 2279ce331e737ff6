"""The result of splitting: spans, their kinds, and which kinds raters rate."""

from dataclasses import dataclass

KINDS = (
    "sentence",
    "item",
    "table_row",
    "math",
    "heading",
    "lead_in",
    "code",
    "table_header",
    "reference",
    "reasoning",
)
RATED_KINDS = frozenset({"sentence", "item", "table_row", "math"})


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of a response: code points `start` to `end` (exclusive) of the raw text, and its kind."""

    start: int
    end: int
    kind: str
    rate: bool
