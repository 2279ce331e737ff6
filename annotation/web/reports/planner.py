"""The sample-size planner, and how the project's intervals compare with its target.

The whole plan is in the address, so it can be bookmarked or sent to others.
"""

from collections.abc import Mapping

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from ...access import project_for
from ...i18n.english import localized
from ...models import Project
from ...projects.project_settings import SETTINGS, change_settings
from ...reporting.planner import USUAL_MORE, PlannerData, judge_plan, judge_plan_data
from ...reporting.planning.plans import sample_plan, with_given
from ...reporting.planning.tables import (
    PlannedTable,
    judge_plan_table,
    sample_precision,
    sample_size_tables,
    worth_sentence,
)
from ...reporting.sections.analysis_plan.tables import reported_power
from ...reporting.text.figure_format import listed
from ...reporting.text.names import Names
from ..authentication import Request
from ..projects.forms import SettingsForm
from .planner_form import PERCENTAGES, JudgePlanForm, PlanForm
from .sections import judge_versions

TARGET = SETTINGS["target_half_width"]
JUDGE_RESULT = "judge-plan-result"
"""The id of the element that htmx updates."""


@require_http_methods(["GET", "HEAD", "POST"])
def planner(request: Request, slug: str) -> HttpResponse:
    """Show the planner, for leads; a post stores the target. For htmx render only the result."""
    project = project_for(request.user, slug, needs="lead")
    if request.method == "POST":
        return _save_target(request, project)
    if request.htmx and request.htmx.target == JUDGE_RESULT:
        return render(request, "reports/_judge_plan_result.html", _judge_context(project, request.GET))
    if request.htmx:
        form = PlanForm(request.GET)
        return render(request, "reports/_planner_result.html", {"form": form, "planned": _planned(form)})
    return render(request, "reports/planner.html", _page(request, project))


def _save_target(request: Request, project: Project) -> HttpResponse:
    form = SettingsForm(project, [TARGET], request.POST)
    if form.is_valid():
        change_settings(project, form.values(), actor=request.user)
        points = form.cleaned_data[TARGET.name]
        message = f"The target is ± {localized(f'{points:g}')} points." if points else ""
        messages.success(request, message or "The target is removed.")
    else:
        messages.error(request, f"{form.messages()} The target was not changed.")
    return redirect("planner", project.slug)


def _page(request: Request, project: Project) -> dict[str, object]:
    measures = project.protocol.definition.measures
    measure = next((each for each in measures if each.key == request.GET.get("measure")), measures[0])
    data = PlannerData(project, measure, request.GET.get("system"))
    report, target = data.report, project.target_half_width
    own = {name: _as_text(100 * value if name in PERCENTAGES else value) for name, value in data.values().items()}
    entered = {name: request.GET[name] for name in PlanForm.base_fields if request.GET.get(name, "").strip()}
    form = PlanForm(with_given(own | {"unit": data.unit}, entered))
    return {
        "project": project,
        "names": Names(project.protocol.definition),
        "measure": measure,
        "measures": measures,
        "system": data.system,
        "is_widest": data.system is not None and data.named_system != data.system,
        "form": form,
        "usual": [form[name].label for name in data.usual()],
        "data": report.data,
        "method": report.method,
        "data_unit": data.unit,
        "counts": data.rated if data.rated.unit else data.size,
        "target": target,
        "bounds": TARGET.bounds,
        "reported": reported_power(report, data.rated, measure.key, data.system, data.family),
        "scores": listed([score.label for score in project.protocol.definition.scores], "and"),
        "target_form": SettingsForm(project, [TARGET]),
        "widths": data.half_widths(),
        "is_weighted": bool(data.weighted),
        "sample": sample_precision(project, report, is_weighted=bool(data.weighted)),
        **_judge_context(project, request.GET),
        "planned": _planned(form),
    }


def _as_text(value: float) -> str:
    """Format a number for a form: a figure has been rounded before, a whole number is shown as one."""
    return f"{float(f'{value:.6g}'):.15g}"


def _planned(form: PlanForm) -> list[PlannedTable]:
    return sample_size_tables(sample_plan(form.figures(), form.cleaned_data["unit"])) if form.is_valid() else []


def _judge_context(project: Project, values: Mapping[str, str]) -> dict[str, object]:
    """Return the context of reports/_judge_plan_result.html for the values of the address and the newest judge; {}
    where no judge has rated.
    """
    judges, names = judge_versions(project), Names(project.protocol.definition)
    if not judges:
        return {}
    entered = {"judge": judges[-1], "more": str(USUAL_MORE), "about": ""}
    entered |= {name: values[name] for name in entered if values.get(name, "").strip()}
    systems = judge_plan_data(project, entered["judge"]).systems
    form = JudgePlanForm(entered, judges, systems, names.system_head)
    if not form.is_valid():
        return {"judge_form": form}
    judge, further, system = (form.cleaned_data[name] for name in ("judge", "more", "about"))
    plan = judge_plan(project, judge, further, system or None)
    return {
        "judge_form": form,
        "judge": judge,
        "judge_plan": plan,
        "worth": [
            (names.measure(row.measure), worth_sentence(row)) for row in (plan.plans.measures if plan.plans else ())
        ],
        "judge_table": judge_plan_table(plan.plans, names) if plan.plans else None,
    }
