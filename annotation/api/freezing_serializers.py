"""Choices of a report, and the job that freezes one."""

from rest_framework import serializers

from ..reporting.choices import (
    ANSWERS,
    AUTO,
    CLUSTERS,
    MAX_RESAMPLES,
    MAX_SECONDS,
    MAX_SEED,
    MIN_RESAMPLES,
    RAW,
    RESAMPLES,
    SEED,
)
from .report_serializers import ProvenanceSerializer, ReportSerializer


class ChoicesSerializer(serializers.Serializer[object]):
    """How to compute a report, and from which of the ratings that count. Only for the schema: `Choices` parses them."""

    seed = serializers.IntegerField(required=False, default=SEED, min_value=0, max_value=MAX_SEED)
    resamples = serializers.IntegerField(
        required=False, default=RESAMPLES, min_value=MIN_RESAMPLES, max_value=MAX_RESAMPLES
    )
    cluster = serializers.ChoiceField(
        CLUSTERS,
        required=False,
        default=AUTO,
        help_text="The sampling unit. `auto`: documents where there are at least 10 and fewer than 0.8 × prompts.",
    )
    answers = serializers.ChoiceField(
        ANSWERS,
        required=False,
        default=RAW,
        help_text="`adjudicated`: the newest adjudication of an item replaces its ratings.",
    )
    least_gold = serializers.FloatField(
        required=False, min_value=0, max_value=1, help_text="Without raters whose accuracy on gold is below this share."
    )
    without_raters = serializers.ListField(child=serializers.CharField(), required=False, help_text="User names.")
    least_seconds = serializers.FloatField(
        required=False, min_value=0, max_value=MAX_SECONDS, help_text="Without ratings given in fewer seconds."
    )
    systems = serializers.ListField(child=serializers.CharField(), required=False, help_text="Only these.")
    judge = serializers.CharField(
        required=False, help_text="Adds the estimates from people and this judge: NAME (newest version) or NAME@N."
    )


class QuerySerializer(ChoicesSerializer):
    """The choices as query parameters."""

    metadata = serializers.ListField(
        child=serializers.CharField(), required=False, help_text="Only prompts with one of the values: `KEY=VALUE`."
    )


class FreezeSerializer(ChoicesSerializer):
    """The choices as a request body."""

    metadata = serializers.DictField(
        child=serializers.ListField(child=serializers.CharField()),
        required=False,
        help_text="Only prompts with one of the values of each key.",
    )


class JobLinkSerializer(serializers.Serializer[object]):
    """The id of a job that computes or freezes a report, and of the frozen report."""

    id = serializers.UUIDField(help_text="Of the job; its address is `/api/v1/reports/{id}/`.")
    report = serializers.UUIDField(
        allow_null=True,
        help_text="Of the frozen report, whose page is `/reports/{report}/`; null until it is stored, "
        "and for a live report.",
    )


class JobProgressSerializer(serializers.Serializer[object]):
    """A job's progress; `total` is null until it is known."""

    done = serializers.IntegerField()
    total = serializers.IntegerField(allow_null=True)
    message = serializers.CharField(allow_blank=True)


class ReportJobSerializer(JobLinkSerializer):
    """The job that computes or freezes a report; `result` is the report when the job is done."""

    state = serializers.ChoiceField(choices=["queued", "running", "done", "failed", "cancelled"])
    progress = JobProgressSerializer()
    problems = serializers.ListField(child=serializers.CharField(), help_text="Why it failed.")
    result = ReportSerializer(allow_null=True)
    provenance = ProvenanceSerializer(
        allow_null=True, help_text="What is stored beside the report; null also for reports frozen before it existed."
    )
