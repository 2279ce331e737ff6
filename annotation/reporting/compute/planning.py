"""Plans from planning figures, and a project's intervals against its target."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

from ...stats import planning as stats
from ...stats.planning import Correlations, Design, Plan
from ...stats.power import DifferenceTest
from ..choices import DOCUMENT
from ..data.project_size import ProjectSize
from ..report import Bounds, MeasureProportion, PeopleAlone, Report
from .planning_figures import UNIT_VARIATION, RatingSummary, planning_figures, unit_of

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
