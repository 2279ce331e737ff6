"""What a lead takes home: ratings, and the files of frozen reports."""

from django.contrib.auth.decorators import login_required
from django.db.models import Sum
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import render
from django.urls import path
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from ..access import project_for
from ..exporting import FORMATS as RATING_FORMATS
from ..exporting import RatingsExport, tables
from ..models import Project, Report, User
from ..rating.counting import counted_tallies

REPORTS_SHOWN = 20
TITLES = {"json": "JSON", "csv": "CSV", "markdown": "Markdown", "latex": "LaTeX", "html": "HTML"}
FILES = [(f"report.{tables.EXTENSIONS[format]}", TITLES[format]) for format in tables.FORMATS]


@login_required
@never_cache
@require_safe
def exports(request: HttpRequest, slug: str) -> HttpResponse:
    """What can be taken home: ratings, and frozen reports."""
    project = project_for(_user(request), slug, needs="lead")
    context = {
        "project": project,
        "formats": RATING_FORMATS,
        "ratings": _ratings(project),
        "reports": Report.objects.filter(project=project).select_related("frozen_by").defer("figures")[:REPORTS_SHOWN],
        "files": FILES,
    }
    return render(request, "exports/exports.html", context)


@login_required
@require_safe
def export_ratings(request: HttpRequest, slug: str) -> HttpResponseBase:
    """All ratings as a file, streamed."""
    project = project_for(_user(request), slug, needs="lead")
    format = request.GET.get("format", "jsonl")
    if format not in RATING_FORMATS:
        raise Http404(f"There is no format {format!r}: choose one of {', '.join(RATING_FORMATS)}.")
    export = RatingsExport(project, format, pseudonymous="pseudonymous" in request.GET)
    response = StreamingHttpResponse(export, content_type=export.content_type)
    response["Content-Disposition"] = f'attachment; filename="{export.filename}"'
    return response


def _user(request: HttpRequest) -> User:
    return request.user  # type: ignore[return-value]


def _ratings(project: Project) -> int:
    return counted_tallies(project).aggregate(n=Sum("n"))["n"] or 0


urlpatterns = [
    path("projects/<slug:slug>/exports/", exports, name="exports"),
    path("projects/<slug:slug>/exports/ratings/", export_ratings, name="export_ratings"),
]
