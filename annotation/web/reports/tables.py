"""A table of a report page as text, which the page copies to the clipboard: LaTeX, Markdown or CSV."""

from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_safe

from ...access import project_for, report_for
from ...audit import record_download
from ...exporting.rater_names import read_choices, shown_frozen
from ...exporting.report_formats import CONTENT_TYPES, EXTENSIONS, UnknownTable, filename, render_table
from ...models import Project
from ...pseudonyms import active
from ...reporting.frozen_reports import stored_provenance, stored_report
from ...reporting.provenance_record import Provenance
from ...reporting.report import Report
from ..authentication import Request
from .figures import cached_report, computed_report


@require_safe
def live_table(request: Request, slug: str) -> HttpResponse:
    """Return a table of the live report, with the numbers that the page showed while they are cached.

    Without a `table`, or without ratings, redirect to the report page: it has the tables, or says when it will.
    """
    project = project_for(request.user, slug, needs="lead")
    choices, _ = read_choices(request.GET)
    report = cached_report(project, request.GET.get("v", "")) or computed_report(project, choices)
    if "table" not in request.GET or not (report.data.ratings or choices.filters().set_fields):
        return redirect("report", slug)
    return _recorded(request, table_file(request, report), project, f"project:{slug}")


@require_safe
def frozen_table(request: Request, public_id: UUID) -> HttpResponse:
    frozen = shown_frozen(report_for(request.user, public_id))
    if "table" not in request.GET:
        return redirect("frozen_report", public_id)
    file = table_file(request, stored_report(frozen), stored_provenance(frozen))
    return _recorded(request, file, frozen.project, f"report:{public_id}")


def _recorded(request: Request, file: HttpResponse, project: Project, target: str) -> HttpResponse:
    record_download(request.user, target, project=project, name=table_filename(request), with_names=active() is None)
    return file


def table_filename(request: HttpRequest) -> str:
    """Return the name of the requested table with the ending of its format, for the audit."""
    return f"{request.GET['table']}.{EXTENSIONS[request.GET['format']]}"


def table_file(request: HttpRequest, report: Report, record: Provenance | None = None) -> HttpResponse:
    """Return the requested `table` in its `format` and `style` as a file. Raises Http404 for one that is not there."""
    name, format = request.GET.get("table", ""), request.GET.get("format", "")
    style = request.GET.get("style", "full")
    try:
        text = render_table(report, name, format, style, record)
    except (UnknownTable, ValueError) as problem:
        raise Http404(str(problem)) from None
    disposition = f'attachment; filename="{filename(name)}.{EXTENSIONS[format]}"'
    headers = {"Content-Disposition": disposition}
    return HttpResponse(text.encode(), content_type=CONTENT_TYPES[format], headers=headers)
