"""The sample-size planner, and how the project's intervals compare with its target.

The whole plan is in the address, so it can be bookmarked or sent to others.
"""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from ...access import project_for
from ...i18n.english import in_english
from ...i18n.numbers import localized
from ...models import Project
from ...projects.precision_target import NARROWEST, WIDEST, set_target
from ...protocols import Measure
from ...reporting.planner import PlannerData
from ...reporting.planning.plans import with_given
from ...reporting.planning.text import sample_precision
from ...reporting.sections.analysis_plan.text import reported_power
from ...reporting.text.figure_format import listed
from ...reporting.text.names import Names
from ..authentication import Request
from ..projects.forms import TargetForm
from .judge_plan import JUDGE_RESULT, judge_plan_context, judge_plan_form
from .planner_form import PERCENTAGES, PlanForm, plan_result


@require_http_methods(["GET", "HEAD", "POST"])
@in_english
def planner(request: Request, slug: str) -> HttpResponse:
    """Show the planner, for leads; a post stores the target. For htmx render only the result."""
    project = project_for(request.user, slug, needs="lead")
    if request.method == "POST":
        return _save_target(request, project)
    if request.htmx and request.htmx.target == JUDGE_RESULT:
        context = judge_plan_context(project, judge_plan_form(project, request.GET))
        return render(request, "reports/_judge_plan_result.html", context)
    if request.htmx:
        form = PlanForm(request.GET)
        return render(request, "reports/_planner_result.html", {"project": project, "form": form, **plan_result(form)})
    return render(request, "reports/planner.html", _page(request, project))


def _save_target(request: Request, project: Project) -> HttpResponse:
    form = TargetForm(request.POST)
    if form.is_valid():
        points = form.cleaned_data["target"]
        set_target(project, None if points is None else points / 100, actor=request.user)
        message = f"The target is ± {localized(f'{points:g}')} points." if points else ""
        messages.success(request, message or "The target is removed.")
    else:
        messages.error(request, " ".join([*map(str, form.errors["target"]), "The target was not changed."]))
    return redirect("planner", project.slug)


def _page(request: Request, project: Project) -> dict[str, Any]:
    data = PlannerData(project, _measure(request, project), request.GET.get("system"))
    report, names, target = data.report, Names(project.protocol.definition), project.target_half_width
    form, judge_form = PlanForm(_values(request, data)), judge_plan_form(project, request.GET)
    return {
        "project": project,
        "measure": data.measure,
        "measures": project.protocol.definition.measures,
        "system": data.system,
        "is_widest": data.system is not None and data.named_system != data.system,
        "form": form,
        "usual": [form[name].label for name in data.usual()],
        "data": report.data,
        "method": report.method,
        "data_unit": data.unit,
        "counts": data.rated if data.rated.unit else data.size,
        "target": target,
        "narrowest": NARROWEST,
        "widest": WIDEST,
        "reported": reported_power(report, data.rated, data.measure.key, data.system, data.family),
        "scores": listed([score.label for score in project.protocol.definition.scores], "and"),
        "target_form": TargetForm(initial={"target": "" if target is None else _as_text(100 * target)}),
        "system_head": names.system_head,
        "widths": [
            vars(width) | {"name": names.measure(width.measure), "key": width.measure} for width in data.half_widths()
        ],
        "is_weighted": data.is_weighted,
        "sample": sample_precision(project, report, is_weighted=data.is_weighted),
        "judge_form": judge_form,
        **(judge_plan_context(project, judge_form) if judge_form else {}),
        **plan_result(form),
    }


def _measure(request: Request, project: Project) -> Measure:
    measures = project.protocol.definition.measures
    key = request.GET.get("measure")
    return next((measure for measure in measures if measure.key == key), measures[0])


def _values(request: Request, data: PlannerData) -> dict[str, str]:
    """Return the form's values: those of the address, else the project's own figures or the defaults."""
    entered = {name: request.GET[name] for name in PlanForm.base_fields if request.GET.get(name, "").strip()}
    own = {name: _as_text(100 * value if name in PERCENTAGES else value) for name, value in data.values().items()}
    return with_given(own | {"unit": data.unit}, entered)


def _as_text(value: float) -> str:
    """Format a number for a form: a figure has been rounded before, a whole number is shown as one."""
    return f"{float(f'{value:.6g}'):.15g}"
