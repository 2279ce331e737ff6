"""The estimates of a report: shares, proportions, scores, means and the cells that hold them."""

from collections.abc import Mapping
from typing import Annotated, TypedDict

from msgspec import UNSET, Meta, UnsetType

from .base import Count, Fraction, IntervalMethod, Part


class Share(Part, frozen=True):
    """k / n without an interval; `value` is null where n is 0."""

    value: Fraction | None
    k: Count
    n: Count

    def minus(self, other: "Share | None") -> float | None:
        """Return the difference of the values, None where one is undefined."""
        return None if other is None or self.value is None or other.value is None else self.value - other.value


class BoundedShare(Share, frozen=True):
    """k / n with the bounds of its interval."""

    low: Fraction | None
    high: Fraction | None


class Proportion(BoundedShare, frozen=True):
    """A proportion k / n with its interval; null where it is undefined."""

    method: IntervalMethod


class Bounds(Part, frozen=True):
    """The interval of a figure with another sampling unit than the report's."""

    low: float | None
    high: float | None
    method: Annotated[str, Meta(description="As of the figure itself: `bca`, `korn-graubard`, `t` or `none`.")]


class MeasureProportion(Proportion, frozen=True):
    """A measure's proportion with its design effect and its intraclass correlation."""

    deff: float | None
    icc: float | UnsetType | None = UNSET
    by_prompt: Annotated[
        Bounds | None,
        Meta(description="With prompts as units, where documents are the report's; by system and overall."),
    ] = None


class ScoreEstimate(Part, frozen=True):
    """A weighted sum of errors per 100 assessed ratings (`points` / `n` × 100) with its interval."""

    value: float | None
    points: float
    n: Count
    low: float | None
    high: float | None
    method: IntervalMethod
    by_prompt: Annotated[
        Bounds | None,
        Meta(description="With prompts as units, where documents are the report's; by system and overall."),
    ] = None


class MeanEstimate(Part, frozen=True):
    """A mean over `n` responses with its interval; null where it is undefined."""

    value: float | None
    n: Count
    low: float | None
    high: float | None
    method: Annotated[
        str,
        Meta(
            description="`bca`, or `t` where there is too little to resample, or `none`; of Fact-QA `logit-t` instead "
            "of `t`, so that bounds are from 0 to 1."
        ),
    ]


class CountFields(TypedDict):
    """Numbers of ratings, for the constructors of `Cell` and `Disagreement`."""

    ratings: int
    assessed: int
    options: dict[str, int]
    questions: dict[str, dict[str, int]]


class Cell(Part, frozen=True, kw_only=True):
    """The figures of one set of ratings: of a system, of a value of a breakdown, of both, or of all ratings."""

    system: str | None = None
    value: str | None = None
    ratings: Count
    assessed: Count
    options: Annotated[Mapping[str, Count], Meta(description="Of the first question that the measures count.")]
    questions: Annotated[Mapping[str, Mapping[str, Count]], Meta(description="Of every other choice question.")]
    measures: Mapping[str, MeasureProportion]
    shares: Annotated[
        Mapping[str, Proportion] | None, Meta(description="Of each option among all ratings; by system and overall.")
    ] = None
    shares_of_assessed: Mapping[str, Proportion] | None = None
    means: Annotated[
        Mapping[str, MeanEstimate] | None, Meta(description="Under protocols that have means over responses.")
    ] = None
    scores: Annotated[
        Mapping[str, ScoreEstimate] | None, Meta(description="Under protocols that have severity-weighted scores.")
    ] = None

    @property
    def labels(self) -> list[str]:
        """The system, the value, or both; [] for all ratings."""
        return [label for label in (self.system, self.value) if label is not None]

    @property
    def left_out(self) -> int:
        """The number of ratings that could not be assessed."""
        return self.ratings - self.assessed


class Coefficient(Part, frozen=True):
    """A correlation coefficient with its interval."""

    value: float | None
    low: float | None
    high: float | None
    method: Annotated[str, Meta(description="`bca` or `none`.")]


class Correlation(Part, frozen=True):
    """The correlation of two means over the responses of one system, or of all together (`system` null)."""

    key: str
    system: str | None
    between: tuple[str, str]
    n: Count
    pearson: Coefficient
    spearman: Coefficient
    kendall_tau_b: Coefficient

    @property
    def coefficients(self) -> dict[str, Coefficient]:
        """The coefficients by name, in the order of the tables."""
        return {"pearson": self.pearson, "spearman": self.spearman, "kendall_tau_b": self.kendall_tau_b}


class ResponseMeans(Part, frozen=True):
    """The value of one response in each mean, by imported ids."""

    prompt: str
    response: str
    system: str
    means: Mapping[str, float | None]
