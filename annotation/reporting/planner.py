"""What a project's data say to the planner: the figures that a plan begins with, and intervals against the target."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from ..models import Project
from ..projects.analysis_plans import newest_plan
from ..protocols import Measure
from ..protocols.analysis_plan import BY_MEASURE, PLANNED
from .data.project_items import ProjectSize, read_project_size
from .live import live_figures, live_report
from .planning.figures import DEFAULTS, RatingSummary, own_figures, summarize_ratings, unit_of
from .planning.hybrid import HybridPlanData, HybridPlans, hybrid_plan_data, hybrid_plans
from .planning.plans import HalfWidth, Plans, Weighted, half_widths, plans_for_target, widest_system
from .report import Report
from .sections.analysis_plan.deviations import family_tests
from .sections.differences.significance import TestFamily
from .sections.hybrid.figures import weighted_estimates
from .sections.hybrid.tables import Verdicts, few_units_warning, one_answer_warning
from .text.names import Names

USUAL_TARGET = 0.03
USUAL_DIFFERENCE = 0.05
USUAL_POWER = 0.8
USUAL_PROMPTS = 100  # to compare designs with before there are any
USUAL_MORE = 200
MOST = 10_000_000
"""Further ratings: the usual number, and the largest."""


@dataclass(frozen=True)
class PlannerData:
    """A project's figures for plans about one measure; `named_system`: the system that was asked for."""

    project: Project
    measure: Measure
    named_system: str | None

    @cached_property
    def report(self) -> Report:
        return live_report(self.project).report

    @cached_property
    def size(self) -> ProjectSize:
        return read_project_size(self.project)

    @cached_property
    def rated(self) -> RatingSummary:
        return live_figures(self.project, summarize_ratings)

    @property
    def unit(self) -> str:
        return unit_of(self.size, self.rated)

    @property
    def systems(self) -> Sequence[str]:
        return list(self.rated.by_measure.get(self.measure.key, {}))

    @cached_property
    def plans(self) -> Plans:
        return plans_for_target(self.size, self.rated, self.project.target_half_width or USUAL_TARGET)

    @cached_property
    def system(self) -> str | None:
        """The system with whose figures a plan begins: the one asked for, else the one that needs most units."""
        is_known = self.named_system in self.systems
        return self.named_system if is_known else widest_system(self.plans, self.measure.key)

    @cached_property
    def family(self) -> TestFamily:
        """The tests of the plan's family, or the pairs of a measure."""
        plan = newest_plan(self.project)
        if plan is not None and plan.definition.family != BY_MEASURE:
            tests, size = family_tests(plan.definition, self.report)
            planned = frozenset((test.a, test.b, test.measure) for test in tests)
            if size:
                return TestFamily(size, planned if plan.definition.family == PLANNED else None)
        systems = (DEFAULTS | self.figures)["systems"]
        return TestFamily(max(1, int(systems * (systems - 1) / 2)))

    @cached_property
    def figures(self) -> dict[str, float]:
        return own_figures(self.size, self.rated, self.measure.key, self.system)

    @cached_property
    def weighted(self) -> Weighted:
        """The estimates of people alone where items were drawn with unequal probabilities; else empty."""
        return live_figures(self.project, weighted_estimates)

    def values(self) -> dict[str, float]:
        return {
            **DEFAULTS,
            **self.figures,
            "half_width": self.project.target_half_width or USUAL_TARGET,
            "difference": USUAL_DIFFERENCE,
            "power": USUAL_POWER,
            "pairs": self.family.size,
            "prompts": self.report.data.prompts or self.size.prompts or USUAL_PROMPTS,
        }

    def usual(self) -> list[str]:
        """Return the names of figures for which the project has no data."""
        return [name for name in DEFAULTS if name not in self.figures]

    def half_widths(self) -> list[HalfWidth]:
        return half_widths(self.report, self.project.target_half_width, self.plans, self.weighted)


@dataclass(frozen=True)
class JudgePlan:
    """Plans of all measures, None without a rating that counts. `reason`: why there are no estimates with the judge,
    else empty.
    """

    reason: str
    plans: HybridPlans | None
    warnings: Sequence[str]


def judge_plan_data(project: Project, judge: str) -> HybridPlanData:
    return live_figures(project, hybrid_plan_data, judge)


def judge_plan(project: Project, judge: str, further: int, system: str | None = None) -> JudgePlan:
    """Return the plan for `further` ratings, of all systems together or of one.

    Raises ValueError for a system that the data of the plan do not have.
    """
    data = judge_plan_data(project, judge)
    if data.reason is not None:
        return JudgePlan(data.reason, None, ())
    plans = hybrid_plans(data, further, system)
    if plans is None:
        return JudgePlan("", None, ())
    names, cluster = Names(project.protocol.translated), live_report(project).report.method.cluster
    verdicts = {names.measure(plan.measure): Verdicts(plan.judge_value, plan.people_value) for plan in plans.measures}
    units = {
        names.measure(plan.measure): plan.rated_units
        for plan in plans.measures
        if plan.judge_weight and plan.half_width is not None
    }
    warnings = [one_answer_warning(judge, verdicts), few_units_warning(units, cluster)]
    return JudgePlan("", plans, [warning for warning in warnings if warning])
