"""The single scores of metrics for programs: list them, and import what was computed elsewhere."""

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from ..access import project_for
from ..exporting.metric_scores import scores_of
from ..jobs import Refused
from ..metrics.score_files import import_uploaded_scores
from ..metrics.text_metrics import COMPUTED, COMPUTED_NAMES
from ..models import MetricScore
from .authentication import caller
from .imports import UploadView
from .metric_score_serializers import (
    MetricScoreCountsSerializer,
    MetricScoreSerializer,
    MetricScoresQuerySerializer,
    NewMetricScoresSerializer,
)
from .parsers import validate
from .schema import errors
from .views import ListView


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
        rows = _filtered(scores_of(project), request)
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


def _filtered(scores: QuerySet[MetricScore], request: Request) -> QuerySet[MetricScore]:
    query = validate(MetricScoresQuerySerializer, request.query_params)
    rows = scores.select_related("response", "against").defer("response__text", "against__text")
    fields = {"metric": "metric", "response": "response__key"}
    rows = rows.filter(**{path: query[name] for name, path in fields.items() if name in query})
    if "source" not in query:
        return rows
    return (
        rows.filter(metric__in=COMPUTED_NAMES)
        if query["source"] == COMPUTED
        else rows.exclude(metric__in=COMPUTED_NAMES)
    )
