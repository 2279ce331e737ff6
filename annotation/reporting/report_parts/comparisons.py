"""The comparisons and ranks of systems."""

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from .base import Count, Fraction, Part, RankNumber
from .estimates import Bounds


class Comparison(Part, frozen=True, kw_only=True):
    """Two systems on the same prompts: difference = a - b."""

    a: str
    b: str
    measure: str
    prompts: Count
    difference: float | None
    low: float | None
    high: float | None
    method: Annotated[
        str | None,
        Meta(
            description="Of the interval: `bca`, or `t` where there is too little to resample, or `mover` where a "
            "share is 0 or 1 or the difference does not vary between units; `none` without one."
        ),
    ] = None
    p: Fraction | None
    p_holm: Fraction | None
    swaps: Annotated[
        int | UnsetType | None, Meta(description="Random swaps of the test; null where all were tried.")
    ] = UNSET
    clusters: Annotated[int | None, Meta(description="In common; with fewer than 10, tables show no interval.")] = None
    degrees_of_freedom: Annotated[
        float | UnsetType,
        Meta(
            description="Of a `t` interval over clusters of very unequal sizes (CV² above .5): their effective number "
            "- 1. Absent elsewhere, where they are clusters - 1."
        ),
    ] = UNSET
    by_prompt: Annotated[
        Bounds | None, Meta(description="With prompts as units, where documents are the report's.")
    ] = None


class Rank(Part, frozen=True):
    """The rank of a system on a measure: 1 has the highest value."""

    measure: str
    system: str
    rank: RankNumber | None
    low: RankNumber | None
    high: RankNumber | None
