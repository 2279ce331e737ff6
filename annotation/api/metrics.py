"""The automatic metrics of a project for programs: figures, and single scores, which can be imported."""

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.jobs import enqueue_once

from ..access import project_for
from ..exporting.metric_scores import scores_of
from ..jobs import Refused
from ..metrics.compute import COMPUTE_METRICS
from ..metrics.score_files import import_uploaded_scores
from ..metrics.text_metrics import COMPUTED, COMPUTED_NAMES
from ..reporting.cache import cached
from ..reporting.sections.metrics.figures import MetricReport, metric_report
from .authentication import caller
from .imports import UploadView
from .job_serializers import JobSerializer
from .jobs import started
from .metric_score_serializers import (
    MetricScoreCountsSerializer,
    MetricScoreSerializer,
    MetricScoresQuerySerializer,
    NewMetricScoresSerializer,
)
from .parsers import validate
from .report_serializers import MetricFiguresSerializer
from .schema import errors
from .views import ApiView, ListView


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


class MetricScores(UploadView, ListView):
    """The scores of metrics of a project's data set."""

    @extend_schema(
        operation_id="projects_metrics_scores_list",
        parameters=[MetricScoresQuerySerializer],
        responses={200: MetricScoreSerializer(many=True), **errors(403, 404)},
    )
    def get(self, request: Request, slug: str) -> Response:
        """The scores in the order in which they were stored: computed and imported ones. For leads."""
        project = project_for(caller(request), slug, needs="lead")
        query = validate(MetricScoresQuerySerializer, request.query_params)
        rows = scores_of(project).select_related("response", "against").defer("response__text", "against__text")
        fields = {"metric": "metric", "response": "response__key"}
        rows = rows.filter(**{path: query[name] for name, path in fields.items() if name in query})
        if query.get("source") == COMPUTED:
            rows = rows.filter(metric__in=COMPUTED_NAMES)
        elif "source" in query:
            rows = rows.exclude(metric__in=COMPUTED_NAMES)
        return self.page(request, rows, MetricScoreSerializer, "pk")

    @extend_schema(
        request={"multipart/form-data": NewMetricScoresSerializer},
        responses={200: MetricScoreCountsSerializer, **errors(403, 404)},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Import scores that were computed elsewhere, of up to 20,000 rows `response`, `against` (of a pair), `metric`,
        `value`. Everything is stored or nothing; the errors of `upload` name each problem by its place. For leads.
        """
        project = project_for(caller(request), slug, needs="lead")
        body = self.body(request, NewMetricScoresSerializer)
        try:
            counts = import_uploaded_scores(
                body["upload"], project, actor=caller(request), replace=body["replace"], dry_run=body["dry_run"]
            )
        except Refused as refused:
            raise ValidationError({"upload": refused.problems}) from None
        return Response(MetricScoreCountsSerializer(counts).data)
