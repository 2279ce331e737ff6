"""The automatic metrics of a project for programs."""

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.jobs import enqueue_once

from ..access import project_for
from ..metrics.compute import COMPUTE_METRICS
from ..reporting.cache import cached
from ..reporting.sections.metrics.figures import MetricReport, metric_report
from .authentication import caller
from .job_serializers import JobSerializer
from .jobs import started
from .report_serializers import MetricFiguresSerializer
from .schema import errors
from .views import ApiView


class Metrics(ApiView):
    """The figures of automatic metrics."""

    @extend_schema(responses={200: MetricFiguresSerializer, **errors(403, 404, 503)})
    def get(self, request: Request, slug: str) -> HttpResponse:
        """Means by system and metadata, predicted preferences, and rank correlations with people's figures; as the
        command `compare_metrics --json` prints them. For leads.
        """
        project = project_for(caller(request), slug, needs="lead")
        figures = cached(project, "metrics", MetricReport, lambda: metric_report(project))
        return HttpResponse(figures.to_json(), content_type="application/json")

    @extend_schema(request=None, responses={202: JobSerializer, **errors(403, 404)})
    def post(self, request: Request, slug: str) -> Response:
        """Start a job that computes the metrics of the project's data set, unless one is open. For leads."""
        project = project_for(caller(request), slug, needs="lead")
        job, _is_new = enqueue_once(COMPUTE_METRICS, project, {}, actor=caller(request))
        return started(request, job)
