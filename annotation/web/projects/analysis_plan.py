"""A project's analysis plan, for leads: its text, its versions, and a page for a preregistration."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from ...access import project_for
from ...exporting.analysis_plan_page import plan_page
from ...i18n.protocol_translation import translate_text
from ...models import AnalysisPlanVersion, Project
from ...projects.analysis_plans import has_been_rated, plan_names, plan_versions, set_plan, starting_text
from ...protocols.analysis_plan import PlanError
from ...protocols.toml_source import MAX_CHARACTERS
from ..authentication import Request
from .settings_pages import settings_context

MAX_PROBLEMS = 20
FILES = {"plan.md": "text/markdown; charset=utf-8", "plan.toml": "application/toml; charset=utf-8"}


class PlanForm(forms.Form):
    """The plan's text, in which lines end in LF."""

    source = forms.CharField(
        label=gettext_lazy("Plan (TOML)"), strip=False, max_length=MAX_CHARACTERS, widget=forms.Textarea
    )

    def __init__(self, *args: Any, **kwargs: Any):
        super().__init__(*args, **kwargs)
        self.fields["source"].widget.attrs |= {"rows": 24, "spellcheck": "false", "class": "code", "data-source": ""}

    def clean_source(self) -> str:
        return str(self.cleaned_data["source"]).replace("\r\n", "\n")


@require_http_methods(["GET", "HEAD", "POST"])
def analysis_plan(request: Request, slug: str) -> HttpResponse:
    """Show the plan and its versions. A post stores the text as a new version, if it has no problems."""
    project = project_for(request.user, slug, needs="lead")
    versions = plan_versions(project)
    initial = versions[0].source if versions else starting_text(project)
    form = PlanForm(request.POST or None, initial={"source": initial})
    problems: list[tuple[int, str, str]] = []
    if form.is_valid():
        try:
            return _store(request, project, form.cleaned_data["source"])
        except PlanError as error:
            problems = _problems(error, form.cleaned_data["source"])
    context = {
        "project": project,
        "form": form,
        "problems": problems,
        "versions": versions,
        "is_rated": has_been_rated(project),
        "plan_names": plan_names(project),
        **settings_context("general", is_below=True),
    }
    return render(request, "projects/analysis_plan.html", context)


def _store(request: Request, project: Project, source: str) -> HttpResponse:
    version, is_new = set_plan(project, source, actor=request.user)
    if is_new:
        messages.success(request, _("Version %(number)s of the plan is stored.") % {"number": version.number})
    else:
        messages.info(
            request, _("Nothing has changed: version %(number)s stays the newest.") % {"number": version.number}
        )
    return redirect("analysis_plan", project.slug)


def _problems(error: PlanError, source: str) -> list[tuple[int, str, str]]:
    """Return the line, the message and the text of the line of each problem."""
    lines = source.split("\n")
    return [
        (problem.line, translate_text(problem.message), lines[problem.line - 1][:200])
        for problem in error.problems[:MAX_PROBLEMS]
    ]


@require_safe
def plan_file(request: Request, slug: str, number: int, name: str) -> HttpResponse:
    """Return a version as a page for a preregistration, or its source byte for byte."""
    project = project_for(request.user, slug, needs="lead")
    version = AnalysisPlanVersion.objects.filter(project=project, number=number).first()
    if version is None or name not in FILES:
        raise Http404(_("There is no version %(number)s of this plan.") % {"number": number})
    version.project = project
    text = version.source if name == "plan.toml" else plan_page(version)
    headers = {"Content-Disposition": f'attachment; filename="{project.slug}-{number}-{name}"'}
    return HttpResponse(text.encode(), content_type=FILES[name], headers=headers)
