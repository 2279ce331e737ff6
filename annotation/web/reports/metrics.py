"""The page of automatic metrics: figures and their files, single scores and their import, and the job that computes."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tasks.jobs import enqueue_once

from ...access import project_for
from ...audit import record_download
from ...exporting.metric_scores import FIGURE_FORMATS as FORMATS
from ...exporting.metric_scores import FORMATS as SCORE_FORMATS
from ...exporting.metric_scores import export_metric_scores
from ...importing.upload_limit import UploadLimit, too_large
from ...jobs import Refused
from ...metrics.compute import COMPUTE_METRICS
from ...metrics.score_files import import_uploaded_scores
from ...models import Project
from ...reporting.cache import cached
from ...reporting.sections.metrics.figures import MetricReport, metric_report
from ...reporting.sections.metrics.tables import tables_of_project
from ...reporting.text.figure_format import count
from ...reporting.text.names import Names
from ..authentication import Request
from ..jobs import open_job

PARTS = {
    "predictions": (
        "Predicted preferences",
        "The share of people’s preferences for the response with the higher value. Ties are excluded. Far below 50 %, "
        "people prefer lower values.",
    ),
    "correlations": ("Rank correlation with people", "Spearman’s rho. The files have Kendall’s tau-b too."),
    "means": ("Means over responses", "The files have each system by these values too."),
}
"""Heading and note of each part of the page."""


class ScoresForm(forms.Form):
    """A file of scores that were computed elsewhere. `limit` knows whether it was too large and therefore skipped."""

    upload = forms.FileField(
        label="File of scores",
        help_text=(
            "JSON Lines, CSV, Excel or Parquet with the fields response (its id), metric and value, and for a pair "
            "against (the other response’s id)."
        ),
    )
    replace = forms.BooleanField(label="Replace stored values that differ", required=False)

    def __init__(self, *args: Any, limit: UploadLimit | None = None, **kwargs: Any):
        super().__init__(*args, **kwargs)
        self.limit = limit

    def full_clean(self) -> None:
        """Replace the error for a file that was skipped for its size."""
        super().full_clean()
        if self.limit is not None and self.limit.was_exceeded:
            self.errors.pop("upload", None)
            self.add_error("upload", too_large())


@require_http_methods(["GET", "HEAD", "POST"])
def metrics(request: Request, slug: str) -> HttpResponse:
    """Show the figures of all metrics, for leads. A post starts the job that computes the scores."""
    project = project_for(request.user, slug, needs="lead")
    if request.method == "POST":
        _job, is_new = enqueue_once(COMPUTE_METRICS, project, {}, actor=request.user)
        if not is_new:
            messages.info(request, "The metrics are being computed already.")
        return redirect("project_metrics", slug)
    return _page(request, project, ScoresForm())


# CSRF is checked in _import_file: the check reads the form, and the limit must be set before that.
@csrf_exempt
@require_POST
def import_scores(request: Request, slug: str) -> HttpResponse:
    """Store the scores of a file, all or none; a refused file is shown with its problems."""
    project = project_for(request.user, slug, needs="lead")
    return _import_file(request, project, UploadLimit.reported_by_view(request))


@csrf_protect
def _import_file(request: Request, project: Project, limit: UploadLimit) -> HttpResponse:
    form = ScoresForm(request.POST, request.FILES, limit=limit)
    if form.is_valid():
        upload, replace = form.cleaned_data["upload"], form.cleaned_data["replace"]
        try:
            counts = import_uploaded_scores(upload, project, actor=request.user, replace=replace)
        except Refused as refused:
            form.add_error("upload", ValidationError(refused.problems))
        else:
            text = f"Scores imported: {count(counts.new)} new, {count(counts.changed)} changed."
            messages.success(request, text)
            return redirect("project_metrics", project.slug)
    return _page(request, project, form)


def _page(request: Request, project: Project, form: ScoresForm) -> HttpResponse:
    job = open_job(project, COMPUTE_METRICS)  # before the figures: it may end while they are read
    report = figures(project)
    context = {
        "project": project,
        "report": report,
        "form": form,
        "score_formats": list(SCORE_FORMATS),
        "similarities": sorted(row.rouge_l for row in report.similarity.documents) if report.similarity else [],
        "parts": [
            (key, *PARTS[key], tables)
            for key, tables in tables_of_project(report, Names(project.protocol.definition)).items()
            if tables
        ],
        "job": job,
        "formats": list(FORMATS),
    }
    return render(request, "reports/metrics.html", context)


def figures(project: Project) -> MetricReport:
    return cached(project, "metrics", MetricReport, lambda: metric_report(project))


@require_safe
def download(request: Request, slug: str, format: str) -> HttpResponse:
    project = project_for(request.user, slug, needs="lead")
    if format not in FORMATS:
        raise Http404("There is no such format: choose csv or json.")
    content_type, write = FORMATS[format]
    return _send_file(request, project, f"metrics.{format}", write(figures(project)), content_type)


@require_safe
def download_scores(request: Request, slug: str, format: str) -> HttpResponse:
    project = project_for(request.user, slug, needs="lead")
    if format not in SCORE_FORMATS:
        raise Http404("There is no such format: choose csv or jsonl.")
    scores = export_metric_scores(project, format)
    return _send_file(request, project, f"metric-scores.{format}", scores, SCORE_FORMATS[format][0])


def _send_file(
    request: Request, project: Project, name: str, content: Iterable[bytes], content_type: str
) -> HttpResponse:
    record_download(request.user, f"project:{project.slug}", project=project, name=name, with_names=False)
    response = HttpResponse(b"".join(content), content_type=content_type)
    response["Content-Disposition"] = f'attachment; filename="{project.slug}-{name}"'
    return response
