"""The base classes and number types of the parts of a report."""

import json
from collections.abc import Mapping, Sequence
from typing import Annotated, Self, TypedDict

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

Count = Annotated[int, Meta(extra_json_schema={"minimum": 0})]
RankNumber = Annotated[int, Meta(extra_json_schema={"minimum": 1})]
Fraction = Annotated[float, Meta(extra_json_schema={"minimum": 0, "maximum": 1})]
IntervalMethod = Annotated[str, Meta(extra_json_schema={"enum": ["bca", "korn-graubard", "none"]})]


class Part(Struct, frozen=True, omit_defaults=True):
    """Base of all parts of a report: immutable; a field that has its default is absent in the JSON."""


Value = str | float | Part | Sequence["Value"] | Mapping[str, "Value"] | None
Fields = Mapping[str, Value]
"""Fields of a `Report` that one section computes, by name."""


class JsonDocument(Part, frozen=True):
    """A whole file in JSON."""

    @classmethod
    def from_dict(cls, values: Mapping[str, object]) -> Self:
        return msgspec.convert(values, cls)

    def to_dict(self) -> dict[str, object]:
        """Return the document as objects that JSON has, keys in the order of the fields."""
        values: dict[str, object] = msgspec.to_builtins(self)
        return values

    def to_json(self) -> bytes:
        """Encode as UTF-8, keys in the order of the fields, floats in the shortest form that reads back the same."""
        return (json.dumps(self.to_dict(), ensure_ascii=False, allow_nan=False, indent=1) + "\n").encode()


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
        return {"pearson": self.pearson, "spearman": self.spearman, "kendall_tau_b": self.kendall_tau_b}


class ResponseMeans(Part, frozen=True):
    """The value of one response in each mean, by imported ids."""

    prompt: str
    response: str
    system: str
    means: Mapping[str, float | None]


class ReportProtocol(Part, frozen=True):
    """The protocol version under which the ratings were given."""

    slug: str
    version: str
    sha256: str


class ReportSoftware(Part, frozen=True):
    """The versions that computed the report."""

    factuary: str
    numpy: str


class ExcludedResponses(Part, frozen=True):
    """Responses that a lead excluded for one reason, and the raters' ratings of them, which do not count."""

    reason: str
    responses: Count
    ratings: Count


class ReportSample(Part, frozen=True):
    """How the items were drawn that raters were asked about: `drawn` of `items`."""

    design: Annotated[
        str,
        Meta(
            description="`uniform`: spread over prompts, with equal probabilities; `responses`: whole responses, with "
            "equal probabilities; `uncertain`: more often where a judge was unsure. Only `weighted_estimates`, "
            "`hybrid` and `judge_against_people` are weighted for it.",
            extra_json_schema={"enum": ["uniform", "responses", "uncertain"]},
        ),
    ]
    items: Count
    drawn: Count


class ReportData(Part, frozen=True, kw_only=True):
    """The data of the report; `left_out` counts ratings by the reason why they do not count."""

    sha256: str
    ratings: Count
    assessed: Count
    left_out: Mapping[str, Count]
    prompts: Count
    responses: Count
    documents: Annotated[
        int | None, Meta(description="Absent where prompts have documents of their own, or nearly all of them.")
    ] = None
    without_document: Annotated[
        int | None,
        Meta(
            description="Prompts without a document, each a unit of its own where documents are the unit; absent "
            "without `documents`, and where there is none."
        ),
    ] = None
    items: Count | None
    raters: Count | None
    shown_in_translation: Annotated[
        Mapping[str, Count] | None,
        Meta(
            description="Annotations of the project by the language in which the rater was shown the questions; absent "
            "where all saw the protocol's own words."
        ),
    ] = None
    verdict_shown: Annotated[
        int | None,
        Meta(
            description="Ratings that were given or changed after verdicts of a judge were shown to the rater; absent "
            "where none was."
        ),
    ] = None
    skipped: Annotated[
        Mapping[str, Count] | None,
        Meta(
            description="Items of the rated responses that raters were not asked about because they are marked as "
            "likely free of claims, by reason; absent where all are rated."
        ),
    ] = None
    sample: Annotated[
        ReportSample | None, Meta(description="The project's sample; absent where raters are asked about all items.")
    ] = None
    excluded: Annotated[
        Sequence[ExcludedResponses] | None,
        Meta(
            description="Responses that leads excluded, by reason; absent where none is. `left_out` counts their "
            "ratings."
        ),
    ] = None


EFFECTIVE = "effective"
"""`degrees_of_freedom` of a report whose intervals take into account that a few clusters are much larger."""

PEOPLE_ALONE = "people alone"
"""`constant_verdicts` of a report whose λ is 0 where all verdicts of the judge are alike."""

STUDENTIZED = "studentized"
"""`swap_statistic` of a report whose swap tests divide each difference by its standard error."""


class ReportMethod(Part, frozen=True):
    """How the intervals were computed."""

    level: float
    cluster: Annotated[str, Meta(extra_json_schema={"enum": ["prompt", "document"]})]
    resamples: Count
    seed: Count


class Inference(Part, frozen=True):
    """How the sampling unit was chosen and the tests were computed; absent in older reports."""

    cluster_chosen: Annotated[
        bool, Meta(description="Whether a person chose the cluster; absent where the rule of `auto` did.")
    ] = False
    swap_statistic: Annotated[
        str | None,
        Meta(
            description="`studentized`: the difference over its standard error; absent in older reports, whose swap "
            "tests compare the difference itself."
        ),
    ] = None
    degrees_of_freedom: Annotated[
        str | None,
        Meta(
            description="`effective`: where clusters are very unequal (CV² of their sizes above .5), t of closed-form "
            "intervals has their effective number less one; absent in older reports, whose degrees are always the "
            "clusters less one."
        ),
    ] = None
    constant_verdicts: Annotated[
        str | None,
        Meta(
            description="`people alone`: in estimates with a judge, λ is 0 where all of its verdicts on a measure are "
            "alike; absent without such estimates, and in older reports, where λ followed from the weights then."
        ),
    ] = None


class Filters(Part, frozen=True):
    """The choices that exclude or replace ratings: those that are set."""

    answers: str | None = None
    least_gold: float | None = None
    without_raters: Sequence[str] | None = None
    least_seconds: float | None = None
    systems: Sequence[str] | None = None
    metadata: Mapping[str, Sequence[str]] | None = None

    @property
    def set_fields(self) -> list[str]:
        return [name for name in self.__struct_fields__ if getattr(self, name) is not None]

    def __bool__(self) -> bool:
        return bool(self.set_fields)
