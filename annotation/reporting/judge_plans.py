"""The plan of further ratings with a judge and without, with the warnings about the judge, for page and API."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..models import Project
from .hybrid_plans import HybridPlanData, HybridPlans, hybrid_plan_data, hybrid_plans
from .live import live_figures, live_report
from .text.judge_warnings import Verdicts, few_units_warning, one_answer_warning
from .text.names import Names

USUAL_MORE = 200
MOST = 10_000_000
"""Further ratings: the usual number, and the largest."""


@dataclass(frozen=True)
class JudgePlan:
    """Plans of all measures, None without a rating that counts. `reason`: why there are no estimates with the judge,
    else empty.
    """

    reason: str
    plans: HybridPlans | None
    warnings: Sequence[str]


def judge_plan_data(project: Project, judge: str) -> HybridPlanData:
    """Return the data of plans with the judge (NAME@N)."""
    return live_figures(project, hybrid_plan_data, judge)


def judge_plan(project: Project, judge: str, further: int, system: str | None = None) -> JudgePlan:
    """Return the plan for `further` ratings, of all systems together or of one.

    Raises ValueError for a system that the data of the plan do not have.
    """
    data = judge_plan_data(project, judge)
    if data.reason is not None:
        return JudgePlan(data.reason, None, ())
    plans = hybrid_plans(data, further, system)
    return JudgePlan("", plans, _warnings(project, plans, judge) if plans else ())


def _warnings(project: Project, plans: HybridPlans, judge: str) -> list[str]:
    names, cluster = Names(project.protocol.translated), live_report(project).report.method.cluster
    verdicts = {names.measure(plan.measure): Verdicts(plan.judge_alone, plan.people_value) for plan in plans.measures}
    units = {
        names.measure(plan.measure): plan.rated_units
        for plan in plans.measures
        if plan.lambda_ and plan.now is not None
    }
    return list(filter(None, [one_answer_warning(judge, verdicts), few_units_warning(units, cluster)]))
