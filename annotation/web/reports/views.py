"""The lead's pages: the report, and frozen reports with their files."""

from dataclasses import replace
from urllib.parse import urlencode
from uuid import UUID

from django.contrib import messages
from django.db.models import Sum
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect

from tasks.jobs import enqueue_once
from tasks.live_reports import TooManyReportsError, start_live_report

from ... import reporting
from ...access import project_for, report_for
from ...accounts.names import DisplayNames
from ...audit import record_download
from ...exporting import report_formats
from ...exporting.rater_names import (
    read_choices,
    rename_raters,
    rename_raters_of_record,
    shown_choices,
    shown_frozen,
    shown_in_list,
    shown_report,
)
from ...exporting.report_formats import PROVENANCE, file_of
from ...models import Project
from ...models import Report as StoredReport
from ...projects.analysis_plans import newest_plan
from ...pseudonyms import active
from ...rating.counting import counted_tallies
from ...reporting import Choices, live
from ...reporting.cache import people_version
from ...reporting.choice_validation import unknown_names
from ...reporting.data.project_items import unrated_parts
from ...reporting.frozen_reports import current_report, frozen_reports, stored_provenance, stored_report
from ...reporting.text.names import Names, readable
from ..authentication import Request
from ..jobs import job_context, open_job
from .agreement import disputed
from .analysis_plan import plan_page, planned_options
from .breakdowns import ReportView, report_view
from .figures import LIFETIME, cache_report, cached_report, computed_report, drawings, figure_file
from .options import LABELS, filters_in_words, query_of, set_switches, switches
from .sections import report_page

REPORTS_SHOWN = 20


@require_safe
def report(request: Request, slug: str) -> HttpResponse:
    """Show the newest frozen report of all ratings; live numbers without one, or for `?live=1` or a switch."""
    project = project_for(request.user, slug, needs="lead")
    choices, problems = read_choices(request.GET)
    is_live = "live" in request.GET or not choices.is_default or problems
    if not is_live and (frozen_report := current_report(project)):
        return _frozen_page(request, project, shown_frozen(frozen_report))
    context = live_page(project, choices, report_view(request))
    if request.htmx and context.get("first_numbers"):
        return HttpResponseClientRedirect(request.get_full_path())  # a job computes the rest: the whole page follows it
    _warn(request, problems, "The options are set.")
    _warn(request, unknown_names(project, choices))
    context["table_view"] = [(name, request.GET[name]) for name in ("by", "measure") if name in request.GET]
    return _page(request, project, choices, context)


@require_safe
def frozen_report(request: Request, public_id: UUID) -> HttpResponse:
    stored = shown_frozen(report_for(request.user, public_id))
    return _frozen_page(request, stored.project, stored)


@require_safe
def report_figure(request: Request, slug: str, name: str) -> HttpResponse:
    """Return a figure of the live report: `options-light.svg`, `heat-dark-300dpi.png`, `differences-light.pdf`."""
    project = project_for(request.user, slug, needs="lead")
    choices, _ = read_choices(request.GET)
    response = figure_file(
        project,
        name,
        report_view(request),
        f"{slug}-{name}",
        lambda: cached_report(project, request.GET.get("v", "")) or computed_report(project, choices),
    )
    response["Cache-Control"] = f"private, max-age={LIFETIME}"
    return response


@require_POST
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
def report_file(request: Request, public_id: UUID, name: str) -> HttpResponse:
    """Return a frozen report as a file: `report.json` is the stored text, the others are rendered from it."""
    stored = shown_frozen(report_for(request.user, public_id))
    file = file_of(stored, name)
    filename = f"{stored.project.slug}-{stored.data_sha256[:8]}-{name}"
    if file is None:
        view = report_view(request)
        drawn = stored.figures if view == ReportView() else {}
        return figure_file(stored.project, name, view, filename, lambda: stored_report(stored), drawn)
    target, with_names = f"report:{public_id}", active() is None
    record_download(request.user, target, project=stored.project, name=name, with_names=with_names)
    response = HttpResponse(file.text.encode(), content_type=file.content_type)
    response["Content-Disposition"] = f'attachment; filename="{filename}"'
    return response


def _frozen_page(request: Request, project: Project, stored: StoredReport) -> HttpResponse:
    report, record = stored_report(stored), stored_provenance(stored)
    names, display_name = Names(project.protocol.definition), DisplayNames()
    record = rename_raters_of_record(record, display_name) if record else None
    page = report_page(rename_raters(report, display_name), names, report_view(request), record=record, project=project)
    ratings = counted_tallies(project).aggregate(n=Sum("n"))["n"] or 0
    page |= {
        "report": stored,
        "newer": 0 if report.filters else ratings - report.data.ratings,
        "files": report_formats.FILES,
        "drawings": drawings(
            report,
            page["map_view"],
            lambda file: reverse("report_file", args=[stored.public_id, file]),
            svg=lambda stem, view: stored.figures.get(stem) if view == ReportView() else None,
        ),
        "tables": f"{reverse('frozen_report_table', args=[stored.public_id])}?",
        "disputed": disputed(project, report),
        **plan_page(record, names, page["shown"]),
        "provenance_file": reverse("report_file", args=[stored.public_id, PROVENANCE]),
    }
    return _page(request, project, Choices(), page)


def _page(request: Request, project: Project, choices: Choices, content: dict[str, object]) -> HttpResponse:
    """Return the page with this content, the project's frozen reports, and the dialog that freezes another."""
    plan = newest_plan(project)
    context = {
        "project": project,
        "analysis_plan": plan,
        "planned_options": planned_options(plan.definition) if plan else "",
        "job": open_job(project, reporting.FREEZE),
        "frozen_reports": shown_in_list(frozen_reports(project)[:REPORTS_SHOWN]),
        "seed": choices.seed,
        "resamples": choices.resamples,
        "most_resamples": reporting.MAX_RESAMPLES,
    }
    return render(request, "reports/report.html", {**context, **content})


def _warn(request: Request, problems: dict[str, list[str]], end: str = "") -> None:
    """Show the problems of each option, by its label in the form, with the consequence at the `end`."""
    for field, lines in problems.items():
        messages.error(request, f"{LABELS.get(field, readable(field))}: {' '.join(lines)}")
    if problems and end:
        messages.info(request, end)


def live_page(project: Project, choices: Choices, view: ReportView) -> dict[str, object]:
    """Return the content of the live report page: for a large project first numbers until a job has run."""
    version = people_version()
    current = live.live_report(project, choices)
    job = None if current.is_complete else live.open_job(project, choices)
    if not current.is_complete and not job and (ended := live.latest_result(project, choices)) and ended.result:
        return live_page(project, choices, view)  # its job has ended since
    # A judge changes none of the figures that are compared with those without options.
    applied = replace(choices, judge="") if current.is_complete else choices.from_the_tally()
    extent = None if current.is_complete else live.Extent.FIRST_NUMBERS
    report, switched = shown_report(current.report), not applied.is_default
    plain = shown_report(live.live_report(project, extent=extent).report) if switched else report
    names, display_name, choices = Names(project.protocol.definition), DisplayNames(), shown_choices(choices)
    before = rename_raters(plain, display_name) if switched else None
    page = report_page(rename_raters(report, display_name), names, view, before, project=project)
    query = [("v", cache_report(project, report, version)), *choices.as_query()]
    page |= {
        **switches(project, choices, plain, names, display_name),
        "live": True,
        "unrated": unrated_parts(project),
        "switched": switched,
        "by_query": query_of(choices) + "&",
        "drawings": drawings(
            report, page["map_view"], lambda file: reverse("report_figure", args=[project.slug, file]), query
        ),
        "tables": f"{reverse('report_table', args=[project.slug])}?{urlencode(query)}&",
        "disputed": disputed(project, report),
        "computed_at": current.computed_at,
    }
    if not current.is_complete:
        phrases, fields = filters_in_words(choices, names, display_name), applied.filters().set_fields
        page |= {
            "set_switches": set_switches(applied, names, display_name),
            "first_numbers": True,
            "resampled": bool(report.method.resamples),
            "not_yet": [phrase for name, phrase in phrases.items() if name not in fields],
            "work": job_context(job) if job else None,
        }
    return page
