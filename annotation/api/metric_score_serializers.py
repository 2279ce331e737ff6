"""Serializers of the scores of metrics."""

from rest_framework import serializers

from ..metrics.text_metrics import SOURCES, source_of
from ..models import MetricScore


class MetricScoreSerializer(serializers.Serializer[MetricScore]):
    """The value of a metric for a response, or for a pair of responses."""

    response = serializers.CharField(source="response.key", help_text="Imported id.")
    against = serializers.CharField(
        source="against.key", allow_null=True, default=None, help_text="Of a pair: the response it is compared with."
    )
    metric = serializers.CharField()
    value = serializers.FloatField(help_text="Of a pair above 0: `response` is better.")
    source = serializers.SerializerMethodField(  # type: ignore[assignment]  # the metaclass removes it from the class
        help_text="`computed` by the site, or `imported`."
    )

    def get_source(self, score: MetricScore) -> str:
        """Return where the score comes from."""
        return source_of(score.metric)


class MetricScoresQuerySerializer(serializers.Serializer[object]):
    """Filters of scores."""

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
