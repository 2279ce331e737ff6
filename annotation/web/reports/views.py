"""The lead's pages: the report, and frozen reports with their files."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.db.models import QuerySet, Sum
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect

from tasks.jobs import enqueue_once
from tasks.live_reports import TooManyReportsError, start_live_report

from ... import reporting
from ...access import project_for, report_for
from ...accounts.display_names import DisplayNames
from ...audit import record_download
from ...exporting import report_formats
from ...exporting.rater_names import rename_raters, rename_raters_of_record
from ...exporting.report_formats import PROVENANCE, file_of
from ...exporting.shown_reports import read_choices, shown_choices, shown_frozen, shown_in_list
from ...i18n.english import in_english
from ...models import Project
from ...models import Report as StoredReport
from ...projects.analysis_plans import newest_plan
from ...pseudonyms import active
from ...rating.counting import counted_tallies
from ...reporting import Choices, live
from ...reporting.choice_validation import unknown_names
from ...reporting.frozen_reports import current_report, frozen_reports, stored_provenance, stored_report
from ...reporting.text.names import Names, readable
from ..authentication import Request
from ..jobs import open_job
from .analysis_plan import planned_options, provenance_block
from .disagreements import disputed
from .figures import frozen_drawings, frozen_figure, live_figure
from .live import live_page
from .options import LABELS, query_of
from .sections import report_page, report_view

REPORTS_SHOWN = 20


@require_safe
@in_english
def report(request: Request, slug: str) -> HttpResponse:
    """Show the newest frozen report of all ratings; live numbers without one, or for `?live=1` or a switch."""
    project = project_for(request.user, slug, needs="lead")
    choices, problems = read_choices(request.GET)
    frozen = frozen_reports(project)
    frozen_report = (
        current_report(project) if "live" not in request.GET and choices.is_default and not problems else None
    )
    if frozen_report:
        page = _frozen_page(request, project, shown_frozen(frozen_report), frozen)
        return render(request, "reports/report.html", page)
    context = live_page(project, choices, report_view(request)) | _frame(project, frozen, choices)
    if request.htmx and context.get("first_numbers"):
        return HttpResponseClientRedirect(request.get_full_path())  # a job computes the rest: the whole page follows it
    _warn(request, problems, "The options are set.")
    _warn(request, unknown_names(project, choices))
    context["table_view"] = [(name, request.GET[name]) for name in ("by", "measure") if name in request.GET]
    return render(request, "reports/report.html", context)


@require_safe
@in_english
def frozen_report(request: Request, public_id: UUID) -> HttpResponse:
    """Show a frozen report."""
    stored = shown_frozen(report_for(request.user, public_id))
    return render(
        request, "reports/report.html", _frozen_page(request, stored.project, stored, frozen_reports(stored.project))
    )


@require_safe
@in_english
def report_figure(request: Request, slug: str, name: str) -> HttpResponse:
    """Return a figure of the live report: `options-light.svg`, `heat-dark-300dpi.png`, `differences-light.pdf`."""
    project = project_for(request.user, slug, needs="lead")
    choices, _ = read_choices(request.GET)
    return live_figure(project, name, request.GET.get("v", ""), choices, report_view(request))


@require_POST
@in_english
def compute_report(request: Request, slug: str) -> HttpResponse:
    """Start a job that computes the live numbers of a large project; the page follows it."""
    project = project_for(request.user, slug, needs="lead")
    choices, problems = read_choices(request.POST)
    _warn(request, problems, "The options are set.")
    address = f"{reverse('report', args=[slug])}?{query_of(shown_choices(choices))}"
    try:
        job = start_live_report(project, choices, actor=request.user)
    except TooManyReportsError as error:
        messages.error(request, str(error))
        return redirect(address)
    if live.latest_result(project, choices):
        return redirect("job", job.public_id)
    return redirect(address)


@require_POST
@in_english
def freeze(request: Request, slug: str) -> HttpResponse:
    """Start a job that freezes a report; the report page follows it."""
    project = project_for(request.user, slug, needs="lead")
    choices, problems = read_choices(request.POST)
    if problems := problems or unknown_names(project, choices):
        _warn(request, problems, "No report was frozen.")
        return redirect("report", slug)
    job, is_new = enqueue_once(reporting.FREEZE, project, choices.as_params(), actor=request.user)
    if not is_new:
        messages.info(request, "A report is already being frozen; this is its progress.")
    return redirect("job", job.public_id)


@require_safe
@in_english
def report_file(request: Request, public_id: UUID, name: str) -> HttpResponse:
    """Return a frozen report as a file: `report.json` is the stored text, the others are rendered from it."""
    stored = shown_frozen(report_for(request.user, public_id))
    file = file_of(stored, name)
    if file is None:
        return frozen_figure(stored, name, report_view(request))
    return _attachment(request, file.text, file.content_type, stored, name)


def _ratings(project: Project) -> int:
    return counted_tallies(project).aggregate(n=Sum("n"))["n"] or 0


def _frame(project: Project, frozen: QuerySet[StoredReport], choices: Choices | None = None) -> dict[str, Any]:
    choices = choices or Choices()
    plan = newest_plan(project)
    return {
        "analysis_plan": plan,
        "planned_options": planned_options(plan.definition) if plan else "",
        "project": project,
        "job": open_job(project, reporting.FREEZE),
        "frozen_reports": shown_in_list(frozen[:REPORTS_SHOWN]),
        "seed": choices.seed,
        "resamples": choices.resamples,
        "most_resamples": reporting.MAX_RESAMPLES,
    }


def _frozen_page(
    request: Request, project: Project, stored: StoredReport, frozen: QuerySet[StoredReport]
) -> dict[str, Any]:
    report, record = stored_report(stored), stored_provenance(stored)
    names, display_name = Names(project.protocol.definition), DisplayNames()
    record = rename_raters_of_record(record, display_name) if record else None
    page = report_page(rename_raters(report, display_name), names, report_view(request), record=record)
    unfiltered = not report.filters
    return {
        **_frame(project, frozen),
        **page,
        "report": stored,
        "newer": _ratings(project) - report.data.ratings if unfiltered else 0,
        "files": report_formats.FILES,
        "drawings": frozen_drawings(stored, report, page["heat"]),
        "tables": f"{reverse('frozen_report_table', args=[stored.public_id])}?",
        "disputed": disputed(project, report),
        "provenance": provenance_block(record, names),
        "provenance_file": reverse("report_file", args=[stored.public_id, PROVENANCE]),
    }


def _warn(request: Request, problems: dict[str, list[str]], end: str = "") -> None:
    """Show the problems of each option, by its label in the form, with the consequence at the `end`."""
    for field, lines in problems.items():
        messages.error(request, f"{LABELS.get(field, readable(field))}: {' '.join(lines)}")
    if problems and end:
        messages.info(request, end)


def _attachment(request: Request, text: str, content_type: str, stored: StoredReport, name: str) -> HttpResponse:
    """Return the file, which names the raters unless they are hidden, and record the download."""
    target, with_names = f"report:{stored.public_id}", active() is None
    record_download(request.user, target, project=stored.project, name=name, with_names=with_names)
    response = HttpResponse(text.encode(), content_type=content_type)
    filename = f"{stored.project.slug}-{stored.data_sha256[:8]}-{name}"
    response["Content-Disposition"] = f'attachment; filename="{filename}"'
    return response
