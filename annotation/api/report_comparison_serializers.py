"""Serializers of the comparison of two frozen reports."""

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers


@extend_schema_field(OpenApiTypes.ANY)
class AnyValue(serializers.JSONField):
    """A value of any type, or null."""


class ComparisonQuerySerializer(serializers.Serializer[object]):
    """The other report."""

    earlier = serializers.UUIDField(help_text="The id of the report to compare with.")


class DifferenceSerializer(serializers.Serializer[object]):
    """A difference of the origins of two reports."""

    part = serializers.CharField(help_text="`protocol`, `software`, `data`, `method`, `inference` or `filters`.")
    name = serializers.CharField()
    old = AnyValue(allow_null=True)
    new = AnyValue(allow_null=True)


class ComparedProportionSerializer(serializers.Serializer[object]):
    """A figure of one report; shares are 0 to 1, null where it is undefined."""

    value = serializers.FloatField(allow_null=True)
    k = serializers.IntegerField()
    n = serializers.IntegerField()
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)
    method = serializers.CharField()


class MeasureChangeSerializer(serializers.Serializer[object]):
    """A measure in both reports. `system` is null for all together; a report without the figure has null."""

    measure = serializers.CharField()
    system = serializers.CharField(allow_null=True)
    old = ComparedProportionSerializer(allow_null=True)
    new = ComparedProportionSerializer(allow_null=True)
    change = serializers.FloatField(allow_null=True, help_text="`new` − `old`.")


class AgreementChangeSerializer(serializers.Serializer[object]):
    """A coefficient of agreement in both reports."""

    question = serializers.CharField()
    coefficient = serializers.CharField()
    old = serializers.FloatField(allow_null=True)
    new = serializers.FloatField(allow_null=True)
    change = serializers.FloatField(allow_null=True)


class ReportComparisonSerializer(serializers.Serializer[object]):
    """What differs between two frozen reports."""

    same_bytes = serializers.BooleanField()
    origins = DifferenceSerializer(many=True)
    measures = MeasureChangeSerializer(many=True)
    agreement = AgreementChangeSerializer(many=True)
