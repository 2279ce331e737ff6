"""Agreement, disagreements and the quality of raters."""

from collections.abc import Mapping, Sequence
from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from .base import Count, Fraction, Part
from .estimates import BoundedShare, Share


class RaterPair(Part, frozen=True):
    """Two raters on the items that both rated."""

    a: str
    b: str
    items: Count
    percent: Fraction | None
    ac1: float | None


class Agreement(Part, frozen=True):
    """Agreement of the raters on items with two labels or more."""

    items: Count
    raters: Count
    percent: Fraction | None
    fleiss_kappa: float | None
    gwet_ac1: float | None
    krippendorff_alpha: float | None
    intervals: Mapping[str, tuple[float, float] | None] | None
    rater_pairs: Sequence[RaterPair] | UnsetType | None = UNSET

    @property
    def coefficients(self) -> dict[str, float | None]:
        """The coefficients by name, in the order of the tables."""
        return {
            "percent": self.percent,
            "fleiss_kappa": self.fleiss_kappa,
            "gwet_ac1": self.gwet_ac1,
            "krippendorff_alpha": self.krippendorff_alpha,
        }


class Disagreement(Part, frozen=True):
    """An item that raters disagree on, by imported ids, with the count of each option; most disagreement first."""

    prompt: str
    response: str
    against: str | None
    unit: str
    item: Count
    system: str
    text: Annotated[str, Meta(description="Its first 300 characters.")]
    disagreement: Annotated[float, Meta(extra_json_schema={"minimum": 0})]
    ratings: Count
    assessed: Count
    options: Mapping[str, Count]
    questions: Mapping[str, Mapping[str, Count]]


class DisagreementTie(Part, frozen=True):
    """The items with the same disagreement and number of ratings as the last of the list: `shown` of `items`."""

    items: Count
    shown: Count


class Leniency(Part, frozen=True):
    """How much more often than the others on the same items a rater chose the counted answer, shrunk toward 0."""

    value: float | None
    low: float | None
    high: float | None
    raw: float | None
    items: Count


class RaterWeek(Part, frozen=True):
    """One rater in one ISO week (UTC)."""

    week: str
    ratings: Count
    accurate: Fraction | None
    leave_one_out: Fraction | None
    leniency: float | None


class RaterQuality(Part, frozen=True):
    """One rater compared with gold answers, adjudications and the other raters."""

    rater: str
    ratings: Count
    assessed: Count
    gold: BoundedShare | None
    adjudicated: BoundedShare | None
    leave_one_out: BoundedShare | None
    leniency: Leniency | None
    seconds: Annotated[float | None, Meta(description="Median.")]
    quick: Share | None
    weeks: Sequence[RaterWeek]
    flags: Sequence[str]
