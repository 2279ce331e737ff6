"""Other analyses of the same ratings: aggregations, sensitivity analyses and models with crossed random effects."""

from collections.abc import Mapping, Sequence
from typing import Annotated

from msgspec import Meta

from .base import Count, Fraction, Part
from .estimates import Share

MAJORITIES = "majorities"


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


class SensitivityScore(Part, frozen=True):
    """One score, per 100 ratings, of one system or of all together, in an analysis; `measure` is the score's key."""

    measure: str
    system: str | None
    value: float | None
    n: Count
    low: float | None
    high: float | None
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
    scores: Annotated[
        Sequence[SensitivityScore] | None,
        Meta(description="Under protocols with scores; absent where an analysis counts items, not weights."),
    ] = None


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
    0), or `not fitted` with the reason; then all lists are empty. Figures have six significant digits. `fitted_to`:
    the single ratings or, where the Laplace approximation gives the variance between items no reliable estimate, one
    answer for each item, the majority; then `ratings` are items with a majority, and the inference is not about raters
    in general.
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
    fitted_to: Annotated[str, Meta(extra_json_schema={"enum": ["ratings", "majorities"]})] = "ratings"
    undecided: Annotated[Count | None, Meta(description="Items without a majority, in a model of majorities.")] = None

    @property
    def is_of_majorities(self) -> bool:
        """Whether its answers are the majorities of the items."""
        return self.fitted_to == MAJORITIES
