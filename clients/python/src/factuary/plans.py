"""Plans of the sample-size planner: how many ratings a margin of error takes, and what a judge is worth.

Half-widths are half the width of 95 % intervals; all proportions are shares from 0 to 1.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Figures:
    """The figures of a plan; `Project.plan` takes each by name."""

    half_width: float
    share: float
    difference: float
    power: float
    pairs: int
    prompts: int
    prompts_per_document: float
    document_variation: float
    sentences: float
    variation: float
    excluded: float
    overlap: float
    systems: int
    raters: int
    seconds: float
    icc_document: float
    icc: float
    icc_sentence: float
    icc_rater: float
    correlation: float
    unit_variation: float | None = None


@dataclass(frozen=True)
class Design:
    """A design and what it costs. `units` and `prompts` are of one system; `responses` and `ratings` of all.

    `detectable`: the difference that the available prompts detect, None for a margin.
    """

    raters: float
    units: int
    prompts: int
    is_at_minimum: bool
    design_effect: float
    responses: int
    ratings: int
    hours: float
    hours_each: float
    too_few_raters: bool
    detectable: float | None


@dataclass(frozen=True)
class SameWork:
    """The same number of ratings: `raters` on each sentence, or one on as many times the prompts."""

    raters: int
    ratings: int
    units: int
    prompts: int
    half_width_more_raters: float
    half_width_more_prompts_per_document: float | None
    half_width_more_units: float


@dataclass(frozen=True)
class TargetInterval:
    """The present interval of a system's proportion against the target; `units` would reach it."""

    system: str
    measure: str
    value: float | None
    low: float | None
    high: float | None
    half_width: float | None
    half_width_by_prompt: float | None
    met: bool | None
    units: int | None


@dataclass(frozen=True)
class Plan:
    """A plan for people's ratings. `half_width`: with one rater on each sentence of the available prompts.

    `usual`: figures that neither the call nor the project's data have.
    """

    measure: str
    system: str | None
    unit: str
    figures: Figures
    usual: tuple[str, ...]
    margins: tuple[Design, ...]
    differences: tuple[Design, ...]
    other_share: float
    alpha_each: float
    units: int
    ratings: int
    half_width: float
    same_work: tuple[SameWork, ...]
    least_half_width: float
    between_documents: float
    between_prompts: float
    between_sentences: float
    within_sentences: float
    target: float | None
    intervals: tuple[TargetInterval, ...]


@dataclass(frozen=True)
class MeasurePlan:
    """One measure now and with further ratings. `worth`: ratings of people that the judge replaces."""

    measure: str
    value: float
    people_value: float | None
    judge_value: float | None
    judge_weight: float
    half_width: float | None
    people_half_width: float | None
    planned_half_width: float | None
    people_planned_half_width: float | None
    worth: int | None
    worth_is_more_than_all: bool
    rated_units: int


@dataclass(frozen=True)
class HybridPlan:
    """The numbers of items and ratings of a plan with a judge, and its measures."""

    items: int
    drawn: int
    rated: int
    ratings: int
    ratings_each: float
    planned_items: int
    ratings_left: int
    is_larger_sample: bool
    is_all: bool
    measures: tuple[MeasurePlan, ...]


@dataclass(frozen=True)
class JudgePlan:
    """What `further` ratings of people add, with a judge and without. `reason`: why there is no plan."""

    judge: str
    further: int
    system: str | None
    reason: str
    warnings: tuple[str, ...]
    plan: HybridPlan | None
