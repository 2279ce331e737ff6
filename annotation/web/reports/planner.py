"""The sample-size planner, and how the project's intervals compare with its target.

The whole plan is in the address, so it can be bookmarked or sent to others.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from ...access import project_for
from ...i18n.numbers import localized
from ...models import Project
from ...projects.analysis_plans import newest_plan
from ...projects.precision_target import NARROWEST, WIDEST, set_target
from ...protocols import Measure
from ...protocols.analysis_plan import BY_MEASURE, PLANNED
from ...reporting import live
from ...reporting.compute.detectable import TestFamily
from ...reporting.compute.plan_deviations import family_tests
from ...reporting.compute.planning import Plans, half_widths, plans_for_target, widest_system
from ...reporting.compute.planning_figures import (
    Figure,
    RatingSummary,
    planning_figures,
    summarize_ratings,
    unit_of,
)
from ...reporting.data.project_size import ProjectSize, read_project_size
from ...reporting.text.figure_format import listed
from ...reporting.text.names import Names
from ...reporting.text.plan_inputs import reported_power
from ...reporting.text.sample_precision import sample_precision
from ...reporting.weighted_estimates import weighted_estimates
from ..authentication import Request
from ..projects.forms import TargetForm
from .judge_plan import JUDGE_RESULT, judge_plan, judge_plan_form
from .planner_form import PERCENTAGES, PlanForm
from .planner_result import plan_result

USUAL_TARGET = 0.03
USUAL_DIFFERENCE = 0.05
USUAL_POWER = 0.8
USUAL_PROMPTS = 100  # to compare designs with before there are any


@dataclass(frozen=True)
class _Data:
    """What a project's data say to the planner, for one measure; `named_system`: the system of the address."""

    project: Project
    measure: Measure
    named_system: str | None
    prompts: int

    @cached_property
    def size(self) -> ProjectSize:
        return read_project_size(self.project)

    @cached_property
    def rated(self) -> RatingSummary:
        return live.live_figures(self.project, summarize_ratings)

    @property
    def unit(self) -> str:
        return unit_of(self.size, self.rated)

    @property
    def target(self) -> float:
        return self.project.target_half_width or USUAL_TARGET

    @cached_property
    def plans(self) -> Plans:
        return plans_for_target(self.size, self.rated, self.target)

    @cached_property
    def system(self) -> str | None:
        """The system whose figures fill the form: the one asked for, else the one that needs most units."""
        systems = self.rated.by_measure.get(self.measure.key, {})
        return self.named_system if self.named_system in systems else widest_system(self.plans, self.measure.key)

    @cached_property
    def family(self) -> TestFamily:
        """The tests of the plan's family, or the pairs of a measure."""
        plan, report = newest_plan(self.project), live.live_report(self.project).report
        if plan is not None and plan.definition.family != BY_MEASURE:
            tests, size = family_tests(plan.definition, report)
            planned = frozenset((test.a, test.b, test.measure) for test in tests)
            if size:
                return TestFamily(size, planned if plan.definition.family == PLANNED else None)
        systems = self.figures["systems"].value
        return TestFamily(max(1, int(systems * (systems - 1) / 2)))

    @cached_property
    def figures(self) -> dict[str, Figure]:
        return planning_figures(self.size, self.rated, self.measure.key, self.system)

    def form_values(self) -> dict[str, str]:
        """Return the project's own figures or the defaults, as the form has them."""
        numbers = {name: figure.value for name, figure in self.figures.items()}
        numbers |= {
            "half_width": self.target,
            "difference": USUAL_DIFFERENCE,
            "power": USUAL_POWER,
            "pairs": self.family.size,
            "prompts": self.prompts or self.size.prompts or USUAL_PROMPTS,
        }
        return {"unit": self.unit} | {
            name: _as_text(100 * value if name in PERCENTAGES else value) for name, value in numbers.items()
        }


@require_http_methods(["GET", "HEAD", "POST"])
def planner(request: Request, slug: str) -> HttpResponse:
    """Show the planner, for leads; a post stores the target. For htmx render only the result."""
    project = project_for(request.user, slug, needs="lead")
    if request.method == "POST":
        return _save_target(request, project)
    if request.htmx and request.htmx.target == JUDGE_RESULT:
        return render(
            request, "reports/_judge_plan_result.html", judge_plan(project, judge_plan_form(project, request.GET))
        )
    if request.htmx:
        form = PlanForm(request.GET)
        return render(request, "reports/_planner_result.html", {"project": project, "form": form, **plan_result(form)})
    return render(request, "reports/planner.html", _page(request, project))


def _save_target(request: Request, project: Project) -> HttpResponse:
    form = TargetForm(request.POST)
    if form.is_valid():
        points = form.cleaned_data["target"]
        set_target(project, None if points is None else points / 100, actor=request.user)
        message = gettext("The target is ± %(points)s points.") % {"points": localized(f"{points:g}")} if points else ""
        messages.success(request, message or gettext("The target is removed."))
    else:
        messages.error(request, " ".join([*map(str, form.errors["target"]), gettext("The target was not changed.")]))
    return redirect("planner", project.slug)


def _page(request: Request, project: Project) -> dict[str, Any]:
    report = live.live_report(project).report
    data = _Data(project, _measure(request, project), request.GET.get("system"), report.data.prompts)
    names, target = Names(project.protocol.translated), project.target_half_width
    form, judge_form = PlanForm(_values(request, data)), judge_plan_form(project, request.GET)
    weighted = live.live_figures(project, weighted_estimates)
    return {
        "project": project,
        "measure": data.measure,
        "measures": project.protocol.translated.measures,
        "system": data.system,
        "is_widest": data.system is not None and data.named_system != data.system,
        "form": form,
        "usual": [form[name].label for name, figure in data.figures.items() if figure.is_default],
        "data": report.data,
        "method": report.method,
        "data_unit": data.unit,
        "counts": data.rated if data.rated.unit else data.size,
        "target": target,
        "narrowest": NARROWEST,
        "widest": WIDEST,
        "reported": reported_power(report, data.rated, data.measure.key, data.system, data.family),
        "scores": listed([score.label for score in project.protocol.translated.scores], gettext("and")),
        "target_form": TargetForm(initial={"target": "" if target is None else _as_text(100 * target)}),
        "system_head": names.system_head,
        "widths": [
            vars(width) | {"name": names.measure(width.measure), "key": width.measure}
            for width in half_widths(report, target, data.plans, weighted)
        ],
        "is_weighted": bool(weighted),
        "sample": sample_precision(project, report, is_weighted=bool(weighted)),
        "judge_form": judge_form,
        **(judge_plan(project, judge_form) if judge_form else {}),
        **plan_result(form),
    }


def _measure(request: Request, project: Project) -> Measure:
    measures = project.protocol.translated.measures
    key = request.GET.get("measure")
    return next((measure for measure in measures if measure.key == key), measures[0])


def _values(request: Request, data: _Data) -> dict[str, str]:
    """Return the form's values: those of the address, else the project's own figures or the defaults."""
    entered = {name: request.GET[name] for name in PlanForm.base_fields if request.GET.get(name, "").strip()}
    return data.form_values() | entered


def _as_text(value: float) -> str:
    """Format a number for a form: a figure has been rounded before, a whole number is shown as one."""
    return f"{float(f'{value:.6g}'):.15g}"
