"""The page of automatic metrics: means, predicted preferences and correlations, and the job that computes scores."""

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from tasks.metrics import start_metrics

from ...access import project_for
from ...audit import record_download
from ...exporting.metric_scores import FIGURE_FORMATS as FORMATS
from ...exporting.metric_scores import FORMATS as SCORE_FORMATS
from ...i18n.english import in_english
from ...metrics.compute import COMPUTE_METRICS
from ...models import Project
from ...reporting.cache import cached
from ...reporting.sections.metrics.figures import MetricReport, metric_report
from ...reporting.sections.metrics.tables import tables_of_project
from ...reporting.text.names import Names
from ..authentication import Request
from ..jobs import open_job
from .scores_form import ScoresForm


@require_http_methods(["GET", "HEAD", "POST"])
@in_english
def metrics(request: Request, slug: str) -> HttpResponse:
    """Show the figures of all metrics, for leads. A post starts the job that computes the scores."""
    project = project_for(request.user, slug, needs="lead")
    if request.method == "POST":
        _job, is_new = start_metrics(project, actor=request.user)
        if not is_new:
            messages.info(request, "The metrics are being computed already.")
        return redirect("project_metrics", slug)
    return metrics_page(request, project, ScoresForm())


def metrics_page(request: Request, project: Project, form: ScoresForm) -> HttpResponse:
    """Show the page with the form for a file of scores."""
    job = open_job(project, COMPUTE_METRICS)
    report = figures(project)
    context = {
        "project": project,
        "report": report,
        "form": form,
        "score_formats": list(SCORE_FORMATS),
        "similarities": sorted(row.rouge_l for row in report.similarity.documents) if report.similarity else [],
        **tables_of_project(report, Names(project.protocol.definition)),
        "job": job,
        "formats": list(FORMATS),
    }
    return render(request, "reports/metrics.html", context)


@require_safe
@in_english
def download(request: Request, slug: str, format: str) -> HttpResponse:
    """Return the figures as a file."""
    project = project_for(request.user, slug, needs="lead")
    if format not in FORMATS:
        raise Http404("There is no such format: choose csv or json.")
    content_type, write = FORMATS[format]
    name = f"metrics.{format}"
    record_download(request.user, f"project:{slug}", project=project, name=name, with_names=False)
    response = HttpResponse(b"".join(write(figures(project))), content_type=content_type)
    response["Content-Disposition"] = f'attachment; filename="{slug}-{name}"'
    return response


def figures(project: Project) -> MetricReport:
    """Return the figures of the project's metrics, computed once for the same data."""
    return cached(project, "metrics", MetricReport, lambda: metric_report(project))
