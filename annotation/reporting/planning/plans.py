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
from .figures import UNIT_VARIATION, RatingSummary, planning_figures, unit_of

RATERS_COMPARED = (1, 2, 3, 5)
"""Raters per sentence, one for each row of the planner's table."""
UNIT_PARTS = ("variation", "prompts_per_document", "document_variation")
"""Figures from which the variation of ratings per document follows, if lengths do not depend on the document."""

Value = TypeVar("Value")


@dataclass(frozen=True)
class HalfWidth:
    """The interval of a system's proportion against a target.

    `half_width` is half the interval's width, None without one; `met` whether it is within the target; `plan` what
    would reach it with the system's own figures, as the planner computes it. Both are None without a target or an
    interval. `by_prompt`: half the width with prompts as the unit; None where they are the unit already.
    """

    system: str
    measure: str
    value: float | None
    low: float | None
    high: float | None
    half_width: float | None
    met: bool | None
    plan: Plan | None
    by_prompt: float | None


Plans = Mapping[tuple[str, str], Plan]
"""Plans by system and measure."""


Weighted = Mapping[str, Mapping[str, PeopleAlone]]
"""Estimates by system and measure, weighted for unequal probabilities of a sample."""


def half_widths(
    report: Report, target: float | None, plans: Plans | None = None, weighted: Weighted | None = None
) -> list[HalfWidth]:
    """Compare each system's intervals with a target, system by system and measure by measure: those of the report, or
    the `weighted` ones where there are.
    """
    return [
        _half_width(str(cell.system), key, (weighted or {}).get(str(cell.system), {}).get(key, p), target, plans or {})
        for cell in report.systems
        for key, p in cell.measures.items()
    ]


def _half_width(
    system: str, key: str, p: MeasureProportion | PeopleAlone, target: float | None, plans: Plans
) -> HalfWidth:
    half, by_prompt = _half(p), _half(p.by_prompt if isinstance(p, MeasureProportion) else None)
    if half is None or target is None:
        return HalfWidth(system, key, p.value, p.low, p.high, half, None, None, by_prompt)
    return HalfWidth(system, key, p.value, p.low, p.high, half, half <= target, plans.get((system, key)), by_prompt)


def _half(interval: MeasureProportion | PeopleAlone | Bounds | None) -> float | None:
    if interval is None or interval.low is None or interval.high is None:
        return None
    return (interval.high - interval.low) / 2


def plans_for_target(size: ProjectSize, rated: RatingSummary, target: float) -> dict[tuple[str, str], Plan]:
    """Return the plan for ± `target` of each system and measure with ratings, with its own figures and overlap."""
    return {
        (system, measure): plan_of(_values(size, rated, measure, system), unit_of(size, rated), target)
        for measure, systems in rated.by_measure.items()
        for system in systems
    }


def widest_system(plans: Plans, measure: str) -> str | None:
    """Return the system whose plan for a measure has most units; None without plans."""
    systems = {system: plan.units for (system, key), plan in plans.items() if key == measure}
    return max(systems, key=lambda system: systems[system], default=None)


def largest_plan(plans: Plans, measure: str) -> Plan | None:
    """Return the plan for a measure that is enough for every system; None without plans."""
    return plans.get((widest_system(plans, measure) or "", measure))


def plan_of(figures: Mapping[str, float], unit: str, half_width: float, raters: float | None = None) -> Plan:
    """Return the plan for ± `half_width` with `raters` per sentence, by default the overlap of the figures."""
    return stats.plan(figures["share"], half_width, design_of(figures, unit, raters), correlations_of(figures, unit))


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


def with_given(own: Mapping[str, Value], given: Mapping[str, Value]) -> dict[str, Value]:
    """Return the project's own figures with those that somebody has given. If a part of UNIT_VARIATION is given without
    it, it follows from the parts: that of the project is of other lengths or documents.
    """
    figures = {**own, **given}
    if UNIT_VARIATION not in given and any(name in given for name in UNIT_PARTS):
        figures.pop(UNIT_VARIATION, None)
    return figures


def correlations_of(figures: Mapping[str, float], unit: str) -> Correlations:
    """Return the correlations to plan with; ratings of a smaller group are at least as alike as those of a larger."""
    document = figures["icc_document"] if unit == DOCUMENT else 0.0
    prompt = max(document, figures["icc"])
    return Correlations(prompt, max(prompt, figures["icc_sentence"]), figures["icc_rater"], document)


def difference_test_of(figures: Mapping[str, float]) -> DifferenceTest:
    """Return the test of a difference between two systems."""
    return DifferenceTest(figures["power"], pairs=int(figures["pairs"]), correlation=figures["correlation"])


def _values(size: ProjectSize, rated: RatingSummary, measure: str, system: str) -> dict[str, float]:
    return {name: figure.value for name, figure in planning_figures(size, rated, measure, system).items()}


@dataclass(frozen=True)
class PlanRow:
    """One design of a table. `too_many`: there are fewer raters, and a rater rates a sentence only once; `is_overlap`:
    it has the overlap of the form; `detectable`: the difference that the available prompts detect, None if none.
    """

    raters: float
    plan: stats.Plan
    responses: int
    ratings: int
    hours: float
    hours_each: float
    too_many: bool
    is_overlap: bool
    detectable: float | None = None


@dataclass(frozen=True)
class SameWork:
    """The same work in several designs: several raters on the same sentences, or one on as many times the prompts, of
    the same documents (`more_per_document`, if documents are the unit) or of others.
    """

    raters: int
    units: int
    prompts: int
    ratings: int
    more_raters: float
    more_per_document: float | None
    more_units: float


@dataclass(frozen=True)
class SamplePlan:
    """Designs for a margin (`rows`) and a difference (`differences`), by raters per sentence; `answer` and
    `difference_answer` have the overlap of the figures.

    `now`: half the width of the interval with one rater on the available prompts, which are `units` units and
    `now_ratings` ratings; `spent`: the same number of ratings in other designs. `between_*` and `within_sentences`:
    shares of the variance. `least`: the half-width that no number of prompts improves if raters are a sample.
    """

    unit: str
    figures: Mapping[str, float]
    rows: Sequence[PlanRow]
    differences: Sequence[PlanRow]
    other_share: float
    alpha_each: float
    spent: Sequence[SameWork]
    units: int
    now_ratings: int
    now: float
    between_documents: float
    between_prompts: float
    between_sentences: float
    within_sentences: float
    least: float

    @property
    def answer(self) -> PlanRow:
        return next(row for row in self.rows if row.is_overlap)

    @property
    def difference_answer(self) -> PlanRow:
        return next(row for row in self.differences if row.is_overlap)

    @property
    def by_documents(self) -> bool:
        return self.unit == DOCUMENT


@dataclass(frozen=True)
class _Planner:
    figures: Mapping[str, float]
    unit: str

    @property
    def units(self) -> int:
        """The sampling units of the available prompts, at least the two that a standard error takes."""
        per_unit = self.figures["prompts_per_document"] if self.unit == DOCUMENT else 1
        return max(2, round(self.figures["prompts"] / per_unit))

    def raters(self) -> list[float]:
        return sorted({*map(float, RATERS_COMPARED), self.figures["overlap"]})

    def margin_row(self, raters: float) -> PlanRow:
        return self._row(raters, plan_of(self.figures, self.unit, self.figures["half_width"], raters))

    def difference_row(self, raters: float) -> PlanRow:
        share, design = self.figures["share"], design_of(self.figures, self.unit, raters)
        alike, test = correlations_of(self.figures, self.unit), difference_test_of(self.figures)
        plan = power.plan_difference(share, self.figures["difference"], design, alike, test)
        detectable = power.detectable_difference(share, self.units, design, alike, test)
        return replace(self._row(raters, plan), detectable=detectable)

    def _row(self, raters: float, plan: stats.Plan) -> PlanRow:
        figures = self.figures
        responses = int(plan.prompts * figures["systems"])
        ratings = round(responses * figures["sentences"] * raters)
        hours = ratings * figures["seconds"] / 3600
        return PlanRow(
            raters, plan, responses, ratings, hours, hours / figures["raters"],
            too_many=raters > figures["raters"], is_overlap=raters == figures["overlap"],
        )  # fmt: skip

    def same_work(self, raters: int) -> SameWork:
        """Compare `raters` on the available prompts with one rater on that many times the prompts."""
        figures, design = self.figures, design_of(self.figures, self.unit, 1)
        more = design.with_more_prompts(raters)
        return SameWork(
            raters,
            raters * self.units,
            int(raters * figures["prompts"]),
            round(raters * figures["prompts"] * figures["systems"] * figures["sentences"]),
            self.width(self.units, replace(design, raters=raters)),
            self.width(self.units, more) if self.unit == DOCUMENT else None,
            self.width(raters * self.units, design),
        )

    def width(self, units: int, design: stats.Design) -> float:
        return stats.planned_half_width(self.figures["share"], units, design, correlations_of(self.figures, self.unit))


def sample_plan(figures: Mapping[str, float], unit: str) -> SamplePlan:
    """Return the plan for figures by the names of the planner's form, as shares, and a sampling unit."""
    planner = _Planner(figures, unit)
    alike = correlations_of(figures, unit)
    return SamplePlan(
        unit=unit,
        figures=figures,
        rows=[planner.margin_row(raters) for raters in planner.raters()],
        differences=[planner.difference_row(raters) for raters in planner.raters()],
        other_share=power.other_share(figures["share"], figures["difference"]),
        alpha_each=difference_test_of(figures).alpha_each,
        spent=[planner.same_work(raters) for raters in RATERS_COMPARED[1:]],
        units=planner.units,
        now_ratings=round(figures["prompts"] * figures["systems"] * figures["sentences"]),
        now=planner.width(planner.units, design_of(figures, unit, 1)),
        between_documents=alike.document,
        between_prompts=alike.prompt - alike.document,
        between_sentences=alike.item - alike.prompt,
        within_sentences=1 - alike.item,
        least=stats.least_half_width(figures["share"], alike, int(figures["raters"])),
    )
