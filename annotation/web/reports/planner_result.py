"""The result of the planner's form: designs that reach the margin or detect the difference, and what they cost."""

from dataclasses import dataclass, replace
from typing import Any

from ...reporting.choices import DOCUMENT
from ...reporting.compute.planning import (
    RATERS_COMPARED,
    correlations_of,
    design_of,
    difference_test_of,
    plan_of,
)
from ...stats import planning as stats
from ...stats import power
from .planner_form import PlanForm


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
class _Planner:
    figures: dict[str, float]
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
        more = replace(design, prompts=raters * design.prompts)
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


def plan_result(form: PlanForm) -> dict[str, Any]:
    """Return the context of reports/_planner_result.html for a valid form, {} for another."""
    if not form.is_valid():
        return {}
    planner = _Planner(form.figures(), form.cleaned_data["unit"])
    figures, alike = planner.figures, correlations_of(planner.figures, planner.unit)
    rows = [planner.margin_row(raters) for raters in planner.raters()]
    differences = [planner.difference_row(raters) for raters in planner.raters()]
    return {
        "rows": rows,
        "differences": differences,
        "answer": next(row for row in rows if row.is_overlap),
        "difference_answer": next(row for row in differences if row.is_overlap),
        "other_share": power.other_share(figures["share"], figures["difference"]),
        "alpha_each": difference_test_of(figures).alpha_each,
        "spent": [planner.same_work(raters) for raters in RATERS_COMPARED[1:]],
        "units": planner.units,
        "now_ratings": round(figures["prompts"] * figures["systems"] * figures["sentences"]),
        "now": planner.width(planner.units, design_of(figures, planner.unit, 1)),
        "unit": planner.unit,
        "by_documents": planner.unit == DOCUMENT,
        "between_documents": alike.document,
        "between_prompts": alike.prompt - alike.document,
        "between_sentences": alike.item - alike.prompt,
        "within_sentences": 1 - alike.item,
        "least": stats.least_half_width(figures["share"], alike, int(figures["raters"])),
        "figures": figures,
    }
