"""The report as typed classes: the one definition of its JSON, its API schema, its pages and its exports.

The classes are msgspec Structs. A frozen report is decoded and validated in one step, in about the time that plain
`json` takes, and the JSON schema comes from the same fields; dataclasses would need a decoder and a schema generator of
our own. The JSON text is written by the standard library, because its shortest float form (`1e-05`) differs from
msgspec's (`0.00001`), and the bytes of a report are compared.

Fields are in the order of the JSON keys. A field with a default was added after the first release: it is absent in
older reports, and absent again when these are written. `UNSET` is used where both null and absence occur.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Annotated, Self, TypedDict

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

SCHEMA = "factuary-report/1"

Count = Annotated[int, Meta(extra_json_schema={"minimum": 0})]
RankNumber = Annotated[int, Meta(extra_json_schema={"minimum": 1})]
Fraction = Annotated[float, Meta(extra_json_schema={"minimum": 0, "maximum": 1})]
IntervalMethod = Annotated[str, Meta(extra_json_schema={"enum": ["bca", "korn-graubard", "none"]})]


class Part(Struct, frozen=True, omit_defaults=True):
    """Base of all parts of a report: immutable; a field that has its default is absent in the JSON."""


class JsonDocument(Part, frozen=True):
    """A whole file in JSON."""

    @classmethod
    def from_dict(cls, values: Mapping[str, object]) -> Self:
        """Convert a decoded JSON object, as a JSONField returns it."""
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
    method: Annotated[str, Meta(description="`bca`, or `t` where there is too little to resample, or `none`.")]
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
    method: Annotated[str, Meta(description="`bca`, or `t` where there is too little to resample, or `none`.")]


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


class MajorityShare(Share, frozen=True):
    """The share of items with a majority; `undecided` are ties."""

    undecided: Count


class DawidSkene(Part, frozen=True):
    """The share among the most likely labels of the items."""

    value: Fraction | None
    items: Count
    raters: Count
    low: Annotated[Fraction | None, Meta(description="Percentile bootstrap over the sampling units.")] = None
    high: Fraction | None = None


class MeasureAggregation(Part, frozen=True):
    """One measure aggregated in several ways."""

    pooled: Fraction | None
    majority: MajorityShare
    macro_item: Fraction | None
    macro_response: Fraction | None
    macro_prompt: Fraction | None
    responses_with_any: Share
    dawid_skene: DawidSkene | None


class Aggregation(Part, frozen=True):
    """The measures of one system, or of all together (`system` null), aggregated in other ways than pooled."""

    system: str | None
    measures: Mapping[str, MeasureAggregation]


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


class ReportProtocol(Part, frozen=True):
    """The protocol version under which the ratings were given."""

    slug: str
    version: str
    sha256: str


class ReportSoftware(Part, frozen=True):
    """The versions that computed the report."""

    factuary: str
    numpy: str


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
    items: Count | None
    raters: Count | None
    shown_in_translation: Annotated[
        Mapping[str, Count] | None,
        Meta(
            description="Readings of the project by the language in which the rater was shown the questions; absent "
            "where all saw the protocol's own words."
        ),
    ] = None
    skipped: Annotated[
        Mapping[str, Count] | None,
        Meta(
            description="Items of the rated responses that raters were not asked about because they are marked as "
            "likely free of claims, by reason; absent where all are rated."
        ),
    ] = None


EFFECTIVE = "effective"
"""`degrees_of_freedom` of a report whose intervals take into account that a few clusters are much larger."""

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
        bool, Meta(description="Whether somebody chose the cluster; absent where the rule of `auto` did.")
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


class SensitivityEstimate(Part, frozen=True):
    """One measure of one system, or of all together (`system` null), in a sensitivity analysis."""

    measure: str
    system: str | None
    value: Fraction | None
    n: Count
    low: Fraction | None
    high: Fraction | None
    method: str
    shift: Annotated[float | None, Meta(description="`value` less the report's own.")]


class SensitivityAnalysis(Part, frozen=True, kw_only=True):
    """The measures under one other decision about the analysis.

    `without` names the raters that are excluded; it is absent in the other analyses.
    """

    analysis: Annotated[
        str,
        Meta(
            extra_json_schema={
                "enum": [
                    "as reported",
                    "without rater",
                    "without alerted raters",
                    "majority",
                    "dawid-skene",
                    "responses equal",
                    "not assessed as worst",
                    "not assessed as best",
                    "by prompt",
                    "by document",
                ]
            }
        ),
    ]
    without: Sequence[str] | None = None
    estimates: Sequence[SensitivityEstimate]


class VarianceComponent(Part, frozen=True):
    """The variance of one grouping's random effects, on the logit scale."""

    grouping: Annotated[str, Meta(description="`document`, `prompt`, `response`, `item` or `rater`.")]
    levels: Count
    variance: float
    singular: Annotated[bool, Meta(description="Whether the estimate lies on the boundary, 0.")] = False


class MarginalProportion(Part, frozen=True):
    """The proportion of a system that the model implies, averaged over its random effects."""

    system: str
    value: Fraction
    low: Fraction | None
    high: Fraction | None


class OddsRatio(Part, frozen=True):
    """The odds of the measure under system a over those under system b."""

    a: str
    b: str
    value: float
    low: float | None
    high: float | None
    p: Fraction | None
    p_holm: Fraction | None


class CrossedModel(Part, frozen=True, kw_only=True):
    """A logistic model of one measure with crossed random effects: system fixed, other groupings random.

    Its inference is about raters, documents and prompts in general. `status`: `fitted`, `singular` (some variance is
    0), or `not fitted` with the reason; then all lists are empty. Figures have six significant digits.
    """

    measure: str
    ratings: Count
    status: Annotated[str, Meta(extra_json_schema={"enum": ["fitted", "singular", "not fitted"]})]
    reason: str | None = None
    log_likelihood: float | None
    components: Sequence[VarianceComponent]
    marginal: Sequence[MarginalProportion]
    odds_ratios: Sequence[OddsRatio]
    dropped: Annotated[
        Mapping[str, str] | None, Meta(description="Groupings that the model has not, with the reason.")
    ] = None
    separated: Annotated[
        Sequence[str] | None,
        Meta(description="Systems that the model has not: all or none of their ratings count."),
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
        """The names of the filters that are set."""
        return [name for name in self.__struct_fields__ if getattr(self, name) is not None]

    def __bool__(self) -> bool:
        return bool(self.set_fields)


class Report(JsonDocument, frozen=True, kw_only=True):
    """factuary-report/1. Shares are 0 to 1."""

    schema: Annotated[str, Meta(extra_json_schema={"enum": [SCHEMA]})]
    protocol: ReportProtocol
    software: ReportSoftware
    data: ReportData
    method: ReportMethod
    inference: Inference | None = None
    filters: Filters | None = None
    overall: Cell
    systems: Sequence[Cell]
    by: Mapping[str, Sequence[Cell]]
    multi_valued: Annotated[
        Sequence[str] | None, Meta(description="The parts of `by` whose cells overlap: a prompt has several values.")
    ] = None
    without_value: Annotated[
        Mapping[str, Count] | None,
        Meta(description="Ratings in no cell of a part of `by`: their prompt has no value there."),
    ] = None
    correlations: Sequence[Correlation] | None = None
    responses: Sequence[ResponseMeans] | None = None
    comparisons: Sequence[Comparison]
    score_comparisons: Annotated[
        Sequence[Comparison] | None,
        Meta(description="Under protocols that have scores; differences in weighted errors per 100 ratings."),
    ] = None
    ranks: Sequence[Rank] | None = None
    aggregations: Sequence[Aggregation] | None = None
    agreement: Mapping[str, Agreement]
    disagreements: Sequence[Disagreement] | None = None
    disagreement_tie: Annotated[
        DisagreementTie | None, Meta(description="Absent where no item ties with the last of the list.")
    ] = None
    raters: Sequence[RaterQuality] | None = None
    sensitivity: Annotated[
        Sequence[SensitivityAnalysis] | None,
        Meta(
            description="In frozen reports; in others only the exclusion of raters with an alert (`flags`), if there "
            "are any."
        ),
    ] = None
    crossed_models: Annotated[Sequence[CrossedModel] | None, Meta(description="In frozen reports, by measure.")] = None

    @property
    def all_comparisons(self) -> list[Comparison]:
        """The comparisons of measures and means, then of scores."""
        return [*self.comparisons, *(self.score_comparisons or ())]

    @property
    def chosen_cluster(self) -> str | None:
        """The sampling unit if somebody chose it, None if the rule of `auto` did."""
        return self.method.cluster if self.inference is not None and self.inference.cluster_chosen else None

    @property
    def is_studentized(self) -> bool:
        """Whether p is that of the studentized swap test; in older reports it is that of the bare difference."""
        return self.inference is not None and self.inference.swap_statistic == STUDENTIZED

    @property
    def has_effective_degrees(self) -> bool:
        """Whether intervals take into account that a few clusters are much larger than the others."""
        return self.inference is not None and self.inference.degrees_of_freedom == EFFECTIVE

    @classmethod
    def from_json(cls, text: bytes | str) -> "Report":
        """Decode a stored report. Raises `msgspec.ValidationError` where it is not one."""
        return msgspec.json.decode(text, type=cls)
