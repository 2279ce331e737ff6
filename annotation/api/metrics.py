"""The automatic metrics of a project for programs: figures, and single scores, also those computed elsewhere."""

from django.db.models import QuerySet
from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.jobs import enqueue_once

from ..exporting.metric_scores import scores_of
from ..metrics import text_metrics
from ..metrics.compute import COMPUTE_METRICS
from ..metrics.score_files import import_uploaded_scores
from ..metrics.text_metrics import SOURCES, source_of
from ..models import MetricScore
from ..reporting.cache import cached
from ..reporting.sections.metrics.figures import MetricReport, metric_report
from .authentication import caller
from .errors import at_field
from .imports import UploadView
from .jobs import JobSerializer, started
from .records import RowSerializer, part
from .schema import errors
from .views import ListView, ProjectView


class MetricScoreSerializer(RowSerializer):
    """The value of a metric for a response, or for a pair of responses."""

    response = serializers.CharField(source="response.key", help_text="Imported id.")
    against = serializers.CharField(
        source="against.key", allow_null=True, default=None, help_text="Of a pair: the response it is compared with."
    )
    source = serializers.SerializerMethodField(  # type: ignore[assignment]  # the metaclass removes it from the class
        help_text="`computed` by the site, or `imported`."
    )

    class Meta:
        model = MetricScore
        fields = ("response", "against", "metric", "value", "source")
        extra_kwargs = {"value": {"help_text": "Of a pair above 0: `response` is better."}}

    def get_source(self, score: MetricScore) -> str:
        return source_of(score.metric)


class MetricScoresQuerySerializer(serializers.Serializer[object]):
    metric = serializers.CharField(required=False, max_length=60)
    response = serializers.CharField(required=False, max_length=200, help_text="Imported id.")
    source = serializers.ChoiceField(choices=SOURCES, required=False)  # type: ignore[assignment]  # as above


class NewMetricScoresSerializer(serializers.Serializer[object]):
    """A file of scores that were computed elsewhere."""

    upload = serializers.FileField(help_text="JSON lines, CSV, Excel or Parquet, plain or gzip.")
    replace = serializers.BooleanField(default=False, help_text="Replace stored values that differ.")
    dry_run = serializers.BooleanField(default=False, help_text="Only check and count.")


class MetricScoreCountsSerializer(serializers.Serializer[object]):
    """What the file holds, and how many scores are new or have another value."""

    scores = serializers.DictField(child=serializers.IntegerField(), help_text="By metric.")
    new = serializers.IntegerField()
    changed = serializers.IntegerField()


class Metrics(ProjectView):
    @extend_schema(responses={200: part(MetricReport, "MetricFigures"), **errors(503)})
    def get(self, request: Request, slug: str) -> HttpResponse:
        """Means by system and metadata, predicted preferences, and rank correlations with people's figures; as the
        command `compare_metrics --json` prints them. For leads.
        """
        figures = cached(self.project, "metrics", MetricReport, lambda: metric_report(self.project))
        return HttpResponse(figures.to_json(), content_type="application/json")

    @extend_schema(request=None, responses={202: JobSerializer})
    def post(self, request: Request, slug: str) -> Response:
        """Start a job that computes the metrics of the project's data set, unless one is open. For leads."""
        job, _is_new = enqueue_once(COMPUTE_METRICS, self.project, {}, actor=caller(request))
        return started(request, job)


class MetricScores(ProjectView, UploadView, ListView):
    """The scores in the order in which they were stored: computed and imported ones. For leads."""

    serializer_class = MetricScoreSerializer
    query_serializer = MetricScoresQuerySerializer
    filters = {"metric": "metric", "response": "response__key"}

    def get_queryset(self) -> QuerySet[MetricScore]:
        scores = scores_of(self.project)
        rows = scores.select_related("response", "against").defer("response__text", "against__text")
        match self.query.get("source"):
            case None:
                return rows
            case text_metrics.COMPUTED:
                return rows.filter(metric__in=text_metrics.COMPUTED_NAMES)
        return rows.exclude(metric__in=text_metrics.COMPUTED_NAMES)

    @extend_schema(request={"multipart/form-data": NewMetricScoresSerializer}, responses=MetricScoreCountsSerializer)
    def post(self, request: Request, slug: str) -> Response:
        """Import scores that were computed elsewhere, of up to 20,000 rows `response`, `against` (of a pair), `metric`,
        `value`. Everything is stored or nothing; the errors of `upload` name each problem by its place. For leads.
        """
        body = self.body(request, NewMetricScoresSerializer)
        with at_field("upload"):
            counts = import_uploaded_scores(
                body["upload"], self.project, actor=caller(request), replace=body["replace"], dry_run=body["dry_run"]
            )
        return Response(MetricScoreCountsSerializer(counts).data)
