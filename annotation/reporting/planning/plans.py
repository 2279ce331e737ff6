"""Plans from planning figures, and a project's intervals against its target."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from ...stats import planning as stats
from ...stats import power
from ...stats.planning import Correlations, Design, Plan
from ...stats.power import DifferenceTest
from ..choices import DOCUMENT
from ..data.project_items import ProjectSize
from ..parts import Bounds, MeasureProportion
from ..report import Report
from ..sections.hybrid.figures import PeopleAlone
from .figures import DEFAULTS, UNIT_VARIATION, RatingSummary, own_figures, unit_of

RATERS_COMPARED = (1, 2, 3, 5)
"""Raters per sentence, one for each row of the planner's table."""
UNIT_PARTS = ("variation", "prompts_per_document", "document_variation")
"""Figures from which the variation of ratings per document follows, if lengths do not depend on the document."""

Value = TypeVar("Value")
Plans = Mapping[tuple[str, str], Plan]
"""Plans by system and measure."""
Weighted = Mapping[str, Mapping[str, PeopleAlone]]
"""Estimates by system and measure, weighted for unequal probabilities of a sample."""


@dataclass(frozen=True)
class HalfWidth:
    """The interval of a system's proportion against a target.

    `half_width` is half the interval's width, None without one; `met` whether it is within the target; `plan` what
    would reach it with the system's own figures, as the planner computes it. Both are None without a target or an
    interval. `half_width_by_prompt`: the same with prompts as the unit; None where they are the unit already.
    """

    system: str
    measure: str
    value: float | None
    low: float | None
    high: float | None
    half_width: float | None
    met: bool | None
    plan: Plan | None
    half_width_by_prompt: float | None


def half_widths(
    report: Report, target: float | None, plans: Plans | None = None, weighted: Weighted | None = None
) -> list[HalfWidth]:
    """Compare each system's intervals with a target, system by system and measure by measure: those of the report, or
    the `weighted` ones where there are.
    """

    def half(interval: MeasureProportion | PeopleAlone | Bounds | None) -> float | None:
        if interval is None or interval.low is None or interval.high is None:
            return None
        return (interval.high - interval.low) / 2

    rows = []
    for cell in report.systems:
        system = str(cell.system)
        for key, measure in cell.measures.items():
            p = (weighted or {}).get(system, {}).get(key, measure)
            width = half(p)
            met = None if width is None or target is None else width <= target
            plan = None if met is None else (plans or {}).get((system, key))
            by_prompt = half(p.by_prompt) if isinstance(p, MeasureProportion) else None
            rows.append(HalfWidth(system, key, p.value, p.low, p.high, width, met, plan, by_prompt))
    return rows


def plans_for_target(size: ProjectSize, rated: RatingSummary, target: float) -> dict[tuple[str, str], Plan]:
    unit = unit_of(size, rated)
    plans = {}
    for measure, systems in rated.by_measure.items():
        for system in systems:
            figures = DEFAULTS | own_figures(size, rated, measure, system)
            design, correlations = design_of(figures, unit), correlations_of(figures, unit)
            plans[system, measure] = stats.plan(figures["share"], target, design, correlations)
    return plans


def widest_system(plans: Plans, measure: str) -> str | None:
    systems = {system: plan.units for (system, key), plan in plans.items() if key == measure}
    return max(systems, key=lambda system: systems[system], default=None)


def largest_plan(plans: Plans, measure: str) -> Plan | None:
    """Return the plan for a measure that is enough for every system; None without plans."""
    return plans.get((widest_system(plans, measure) or "", measure))


def design_of(figures: Mapping[str, float], unit: str, raters: float | None = None) -> Design:
    """Return one system's part of a unit: its assessed sentences, each by `raters`, by default the overlap. Without
    UNIT_VARIATION the ratings per document vary as if lengths did not depend on the document.
    """
    items, overlap = figures["sentences"] * (1 - figures["left_out"]), figures["overlap"]
    design = Design(items, overlap if raters is None else raters, figures["variation"])
    if unit != DOCUMENT:
        return design
    per_document, variation = figures["prompts_per_document"], figures["document_variation"]
    return replace(design, prompts=per_document, cv2_prompts=variation, cv2_units=figures.get(UNIT_VARIATION))


def with_given(own: Mapping[str, Value], entered: Mapping[str, Value]) -> dict[str, Value]:
    """Return the project's own figures with those that somebody has given. If a part of UNIT_VARIATION is given without
    it, it follows from the parts: that of the project is of other lengths or documents.
    """
    figures = {**own, **entered}
    if UNIT_VARIATION not in entered and any(name in entered for name in UNIT_PARTS):
        figures.pop(UNIT_VARIATION, None)
    return figures


def correlations_of(figures: Mapping[str, float], unit: str) -> Correlations:
    """Return the correlations to plan with; ratings of a smaller group are at least as alike as those of a larger."""
    document = figures["icc_document"] if unit == DOCUMENT else 0.0
    prompt = max(document, figures["icc"])
    return Correlations(prompt, max(prompt, figures["icc_sentence"]), figures["icc_rater"], document)


def difference_test_of(figures: Mapping[str, float]) -> DifferenceTest:
    return DifferenceTest(figures["power"], pairs=int(figures["pairs"]), correlation=figures["correlation"])


@dataclass(frozen=True)
class PlanRow:
    """One design of a table. `too_few_raters`: fewer are available, and a rater rates a sentence only once;
    `is_overlap`: it has the overlap of the form; `detectable`: what the available prompts detect, None if nothing.
    """

    raters: float
    plan: Plan
    responses: int
    ratings: int
    hours: float
    hours_each: float
    too_few_raters: bool
    is_overlap: bool
    detectable: float | None


@dataclass(frozen=True)
class SameWork:
    """The same work in several designs: several raters on the same sentences, or one on as many times the prompts, of
    the same documents (`half_width_more_prompts_per_document`, if documents are the unit) or of others.
    """

    raters: int
    units: int
    prompts: int
    ratings: int
    half_width_more_raters: float
    half_width_more_prompts_per_document: float | None
    half_width_more_units: float


@dataclass(frozen=True)
class SamplePlan:
    """Designs for a margin (`margins`) and a difference (`differences`), by raters per sentence.

    `half_width`: half the width of the interval with one rater on the available prompts, which are `units` units and
    `ratings` ratings; `same_work`: the same number of ratings in other designs. `between_*` and `within_sentences`:
    shares of the variance. `least_half_width`: that which no number of prompts improves if raters are a sample.
    """

    unit: str
    figures: Mapping[str, float]
    margins: Sequence[PlanRow]
    differences: Sequence[PlanRow]
    other_share: float
    alpha_each: float
    same_work: Sequence[SameWork]
    units: int
    ratings: int
    half_width: float
    between_documents: float
    between_prompts: float
    between_sentences: float
    within_sentences: float
    least_half_width: float

    @property
    def by_documents(self) -> bool:
        return self.unit == DOCUMENT


def sample_plan(figures: Mapping[str, float], unit: str) -> SamplePlan:
    """Return the plan for figures by the names of the planner's form, as shares, and a sampling unit."""
    share, prompts, by_documents = figures["share"], figures["prompts"], unit == DOCUMENT
    ratings_per_prompt = figures["systems"] * figures["sentences"]
    correlations, test = correlations_of(figures, unit), difference_test_of(figures)
    # A standard error takes two units at least.
    units = max(2, round(prompts / (figures["prompts_per_document"] if by_documents else 1)))
    one_rater = design_of(figures, unit, 1)
    overlaps = sorted({*map(float, RATERS_COMPARED), figures["overlap"]})
    designs = [design_of(figures, unit, raters) for raters in overlaps]

    def row(plan: Plan, detectable: float | None = None) -> PlanRow:
        raters, responses = plan.design.raters, int(plan.prompts * figures["systems"])
        ratings = round(responses * figures["sentences"] * raters)
        hours = ratings * figures["seconds"] / 3600
        return PlanRow(
            raters=raters,
            plan=plan,
            responses=responses,
            ratings=ratings,
            hours=hours,
            hours_each=hours / figures["raters"],
            too_few_raters=raters > figures["raters"],
            is_overlap=raters == figures["overlap"],
            detectable=detectable,
        )

    def width(units: int, design: Design) -> float:
        return stats.planned_half_width(share, units, design, correlations)

    return SamplePlan(
        unit=unit,
        figures=figures,
        margins=[row(stats.plan(share, figures["half_width"], design, correlations)) for design in designs],
        differences=[
            row(
                power.plan_difference(share, figures["difference"], design, correlations, test),
                power.detectable_difference(share, units, design, correlations, test),
            )
            for design in designs
        ],
        other_share=power.other_share(share, figures["difference"]),
        alpha_each=test.alpha_each,
        same_work=[
            SameWork(
                raters=times,
                units=times * units,
                prompts=int(times * prompts),
                ratings=round(times * prompts * ratings_per_prompt),
                half_width_more_raters=width(units, replace(one_rater, raters=times)),
                half_width_more_prompts_per_document=(
                    width(units, one_rater.with_more_prompts(times)) if by_documents else None
                ),
                half_width_more_units=width(times * units, one_rater),
            )
            for times in RATERS_COMPARED[1:]
        ],
        units=units,
        ratings=round(prompts * ratings_per_prompt),
        half_width=width(units, one_rater),
        between_documents=correlations.document,
        between_prompts=correlations.prompt - correlations.document,
        between_sentences=correlations.item - correlations.prompt,
        within_sentences=1 - correlations.item,
        least_half_width=stats.least_half_width(share, correlations, int(figures["raters"])),
    )
