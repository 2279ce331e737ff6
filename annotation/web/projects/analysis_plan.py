"""A project's analysis plan, for leads: as a form or as text, its versions, and a page for a preregistration."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from ...access import project_for
from ...exporting.analysis_plan_page import plan_page
from ...models import AnalysisPlanVersion, Project
from ...projects.analysis_plans import has_been_rated, plan_names, plan_versions, set_plan, starting_text, systems_of
from ...protocols import Problem
from ...protocols.analysis_plan import AnalysisPlan, PlanError, load_plan
from ...protocols.toml_source import parse_toml
from ..authentication import Request
from ..toml_forms.text_form import TomlTextForm
from .navigation import settings_context
from .plan_form import PlanChoices, PlanForm, has_form, plan_choices, plan_form, text_after_post

MAX_PROBLEMS = 20
MAX_FORM_FIELDS = settings.DATA_UPLOAD_MAX_NUMBER_FIELDS - 20  # some are the page's own
FILES = {"plan.md": "text/markdown; charset=utf-8", "plan.toml": "application/toml; charset=utf-8"}


@dataclass
class _Edited:
    """A text that is edited, with its plan or its problems; both empty before it was checked."""

    text: str
    plan: AnalysisPlan | None = None
    problems: list[Problem] = field(default_factory=list)


@require_http_methods(["GET", "HEAD", "POST"])
def analysis_plan(request: Request, slug: str) -> HttpResponse:
    """Show the plan and its versions. A post stores it as a new version, if it has no problems.

    With `do=check` or another `view` nothing is stored.
    """
    project = project_for(request.user, slug, needs="lead")
    versions = plan_versions(project)
    names = plan_names(project)
    choices = plan_choices(project, compares=names.compares)
    if request.method != "POST":
        edited = _Edited(versions[0].source if versions else starting_text(project))
        return _page(request, project, versions, choices, edited, TomlTextForm(initial={"source": edited.text}))
    form = TomlTextForm(request.POST, request.FILES)
    if not form.is_valid():
        return _page(request, project, versions, choices, _Edited(request.POST.get("source", "")), form)
    edited = _Edited(form.cleaned_data["text"])
    is_form = request.POST.get("shown") == "form" and not form.cleaned_data["file"]  # a file replaces both
    if is_form and _form(edited, choices):
        edited = _Edited(text_after_post(edited.text, choices, request.POST))
    try:
        if "view" not in request.POST:
            edited.plan = load_plan(edited.text, names)
        if edited.plan and request.POST.get("do") != "check":
            version, is_new = set_plan(project, edited.text, actor=request.user)
            if is_new:
                messages.success(request, f"Version {version.number} of the plan is stored.")
            else:
                messages.info(request, f"Nothing has changed: version {version.number} stays the newest.")
            return redirect("analysis_plan", project.slug)
    except PlanError as error:
        edited.problems = error.problems
    return _page(request, project, versions, choices, edited, TomlTextForm(initial={"source": edited.text}))


def _page(
    request: Request,
    project: Project,
    versions: Sequence[AnalysisPlanVersion],
    choices: PlanChoices,
    edited: _Edited,
    form: TomlTextForm,
) -> HttpResponse:
    """Show the form of a text, or the text."""
    if request.method == "POST":
        view = request.POST.get("view", request.POST.get("shown", "text"))
    else:
        view = request.GET.get("view", "form")
    own = _form(edited, choices, request.POST.getlist("open")) if view == "form" and not form.errors else None
    lines = edited.text.split("\n")
    is_too_large = own is not None and own.most_sent > MAX_FORM_FIELDS
    context = {
        "project": project,
        "form": form,
        "plan_form": None if is_too_large else own,
        "is_too_large": is_too_large,
        "source": edited.text,
        "problems": [
            (problem.line, problem.message, lines[problem.line - 1][:200]) for problem in edited.problems[:MAX_PROBLEMS]
        ],
        "checked": edited.plan,
        "comparisons": len(edited.plan.pairs(systems_of(project))) if edited.plan else 0,
        "versions": versions,
        "is_rated": has_been_rated(project),
        "plan_names": plan_names(project),
        **settings_context("general", is_below=True),
    }
    return render(request, "projects/analysis_plan.html", context)


def _form(edited: _Edited, choices: PlanChoices, opened: Sequence[str] = ()) -> PlanForm | None:
    """Return the form of a text; None for one that cannot be a form."""
    try:
        fields, _lines = parse_toml(edited.text, PlanError)
    except PlanError:
        return None
    return plan_form(fields, choices, edited.problems, opened) if has_form(fields) else None


@require_safe
def plan_file(request: Request, slug: str, number: int, name: str) -> HttpResponse:
    """Return a version as a page for a preregistration, or its source byte for byte."""
    project = project_for(request.user, slug, needs="lead")
    version = AnalysisPlanVersion.objects.filter(project=project, number=number).first()
    if version is None or name not in FILES:
        raise Http404(f"There is no version {number} of this plan.")
    version.project = project
    text = version.source if name == "plan.toml" else plan_page(version)
    headers = {"Content-Disposition": f'attachment; filename="{project.slug}-{number}-{name}"'}
    return HttpResponse(text.encode(), content_type=FILES[name], headers=headers)
