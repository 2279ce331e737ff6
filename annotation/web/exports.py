"""Downloads for leads: ratings, a bundle to publish, a data set folder, the files of frozen reports.

Small files are written in the request, larger ones by a job, whose file is stored for a week.
"""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.db.models import Count, OuterRef, Q, Subquery, Sum
from django.db.models.functions import Coalesce
from django.http import FileResponse, Http404, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST, require_safe

from tasks.jobs import enqueue_once

from ..access import export_for, project_for
from ..exporting import FORMATS as RATING_FORMATS
from ..exporting import export_jobs, report_formats
from ..exporting.annotation_tools import has_inspect_samples
from ..exporting.datasets import published_format
from ..exporting.rater_names import shown_in_list
from ..exporting.ratings import INSPECT
from ..jobs import Refused
from ..models import Export, Project, ReportLink
from ..pseudonyms import active
from ..rating.counting import counted_tallies
from ..reporting.frozen_reports import current_report, frozen_reports
from .authentication import Request
from .jobs import open_job

REPORTS_SHOWN = 50
RATING_TITLES = {
    "jsonl": "Factuary JSON Lines",
    "csv": "CSV",
    "parquet": "Parquet",
    "label-studio": "Label Studio",
    "argilla": "Argilla",
    INSPECT: "Scores for Inspect",
}


@require_safe
def exports(request: Request, slug: str) -> HttpResponse:
    """Show the available formats and the files that jobs wrote."""
    project = project_for(request.user, slug, needs="lead")
    working = ReportLink.objects.filter(report=OuterRef("pk"), revoked_at=None).order_by().values("report")
    links = Coalesce(Subquery(working.annotate(n=Count("pk")).values("n")), 0)
    newest_report = current_report(project)
    context = {
        "project": project,
        "job": open_job(project, export_jobs.EXPORT),
        "formats": [
            (format, RATING_TITLES[format])
            for format in RATING_FORMATS
            if format != INSPECT or has_inspect_samples(project)
        ],
        "ratings": counted_tallies(project).aggregate(n=Sum("n"))["n"] or 0,
        "published": published_format(project),
        "reports": shown_in_list(frozen_reports(project).annotate(working_links=links)[:REPORTS_SHOWN]),
        "files": report_formats.FILES,
        "names_hidden": active(),
        "export_files": [
            _export_row(export)
            for export in Export.objects.filter(project=project).select_related("made_by", "job")
            if not (active() and export_jobs.may_have_names(export))
        ],
        "selected_report": request.GET.get("report") or str(newest_report.public_id if newest_report else ""),
    }
    return render(request, "exports.html", context)


@require_POST
def make_export(request: Request, slug: str) -> HttpResponseBase:
    """Return the requested file, or start a job for a large one."""
    project = project_for(request.user, slug, needs="lead")
    params: dict[str, Any] = {
        name: request.POST[name] for name in ("what", "format", "report") if request.POST.get(name)
    }
    if request.POST.get("with_names") and not active():
        params["with_names"] = True
    try:
        export_jobs.check_export(project, params)
    except Refused as refused:
        messages.error(request, " ".join(refused.problems))
        return redirect("exports", slug)
    return _small_file_or_job(request, project, params)


def _small_file_or_job(request: Request, project: Project, params: dict[str, Any]) -> HttpResponseBase:
    if export_jobs.is_small(project):
        return _streamed(export_jobs.download_response(project, params, actor=request.user))
    enqueue_once(export_jobs.EXPORT, project, params, actor=request.user, same_as=Q(params=params))
    return redirect(f"{reverse('exports', args=[project.slug])}#made")


@require_GET
def export_ratings(request: Request, slug: str) -> HttpResponseBase:
    """Stream all ratings as a file; start a job for many, and redirect to the page of its progress."""
    project = project_for(request.user, slug, needs="lead")
    format = request.GET.get("format", "jsonl")
    if format not in RATING_FORMATS:
        raise Http404(f"There is no format {format!r}: choose one of {', '.join(RATING_FORMATS)}.")
    params: dict[str, Any] = {"what": export_jobs.RATINGS, "format": format}
    if "pseudonymous" not in request.GET and not active():
        params["with_names"] = True
    try:
        export_jobs.check_export(project, params)
    except Refused as refused:
        raise Http404(" ".join(refused.problems)) from None
    return _small_file_or_job(request, project, params)


@require_GET
def export_file(request: Request, public_id: UUID) -> HttpResponseBase:
    """Return a file that a job wrote."""
    export = _export(request, public_id)
    if not (export.file and export.file.name and export.file.storage.exists(export.file.name)):
        raise Http404("This file was deleted: make it again.")
    export_jobs.record_export_download(export, actor=request.user)
    return FileResponse(export.file.open("rb"), as_attachment=True, filename=export.name)


@require_POST
def delete_export(request: Request, public_id: UUID) -> HttpResponse:
    """Delete a file that a job wrote before its week is over."""
    export = _export(request, public_id)
    export_jobs.delete(export, actor=request.user)
    messages.success(request, f"{export.name} is deleted.")
    return redirect("exports", export.project.slug)


def _export(request: Request, public_id: UUID) -> Export:
    """Return a file that a job wrote; one with names is not found where names are hidden."""
    export = export_for(request.user, public_id)
    if active() and export_jobs.may_have_names(export):
        raise Http404("There is no such file, or it was deleted: files are kept for a week.")
    return export


def _streamed(source: export_jobs.Source) -> StreamingHttpResponse:
    response = StreamingHttpResponse(source, content_type=source.content_type)
    response["Content-Disposition"] = f'attachment; filename="{source.filename}"'
    return response


def _export_row(export: Export) -> dict[str, Any]:
    return {"export": export, "expires_at": export.made_at + export_jobs.RETENTION}
