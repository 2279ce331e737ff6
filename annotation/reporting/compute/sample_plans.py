"""Plans of the planner from figures: designs that reach the margin or detect the difference, and what they cost."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ...stats import planning as stats
from ...stats import power
from ..choices import DOCUMENT
from .planning import RATERS_COMPARED, correlations_of, design_of, difference_test_of, plan_of


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
