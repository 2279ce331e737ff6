"""What splitting yields: target spans, their kinds, and which kinds raters are asked about."""

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
)
RATED_KINDS = frozenset({"sentence", "item", "table_row", "math"})


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of a response: code points `start` to `end` (exclusive) of the raw text, and what it is there."""

    start: int
    end: int
    kind: str
    rate: bool
