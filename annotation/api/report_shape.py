"""The shape of a report, for the schema alone: a report goes out as the bytes that were built, not through these."""

from rest_framework import serializers


def _share() -> serializers.FloatField:
    return serializers.FloatField(allow_null=True, min_value=0, max_value=1)


def _figure() -> serializers.FloatField:
    return serializers.FloatField(allow_null=True)


def _count() -> serializers.IntegerField:
    return serializers.IntegerField(min_value=0)


class MeasuredSerializer(serializers.Serializer):
    """A proportion k / n with its interval; null where it is undefined."""

    value = _share()
    k = _count()
    n = _count()
    low = _share()
    high = _share()
    method = serializers.ChoiceField(choices=["bca", "korn-graubard", "none"])
    deff = _figure()


class CellSerializer(serializers.Serializer):
    """What a set of ratings adds up to."""

    ratings = _count()
    assessed = _count()
    options = serializers.DictField(child=_count())
    questions = serializers.DictField(child=serializers.DictField(child=_count()))
    measures = serializers.DictField(child=MeasuredSerializer())


class SystemCellSerializer(CellSerializer):
    """A cell of one system."""

    system = serializers.CharField()


class PartCellSerializer(CellSerializer):
    """A cell of one value; `system` too where the breakdown is by system and value."""

    value = serializers.CharField(allow_blank=True)
    system = serializers.CharField(required=False)


class ComparisonSerializer(serializers.Serializer):
    """Two systems on the same prompts: difference = a - b."""

    a = serializers.CharField()
    b = serializers.CharField()
    measure = serializers.CharField()
    prompts = _count()
    difference = _figure()
    low = _figure()
    high = _figure()
    p = _share()
    p_holm = _share()


class AgreementSerializer(serializers.Serializer):
    """How far raters agree on items with two labels or more."""

    items = _count()
    raters = _count()
    percent = _share()
    fleiss_kappa = _figure()
    gwet_ac1 = _figure()
    krippendorff_alpha = _figure()
    intervals = serializers.DictField(
        child=serializers.ListField(child=serializers.FloatField(), min_length=2, max_length=2, allow_null=True)
    )


class ReportProtocolSerializer(serializers.Serializer):
    """Under which questions the ratings were given."""

    slug = serializers.CharField()
    version = serializers.CharField()
    sha256 = serializers.CharField()


class ReportSoftwareSerializer(serializers.Serializer):
    """What computed it."""

    factuary = serializers.CharField()
    numpy = serializers.CharField()


class ReportDataSerializer(serializers.Serializer):
    """What it was computed from; `left_out` counts ratings by the reason why they do not count."""

    sha256 = serializers.CharField()
    ratings = _count()
    assessed = _count()
    left_out = serializers.DictField(child=_count())
    prompts = _count()
    responses = _count()
    items = _count()
    raters = _count()


class ReportMethodSerializer(serializers.Serializer):
    """How the intervals were computed."""

    level = serializers.FloatField()
    cluster = serializers.CharField()
    resamples = _count()
    seed = _count()


class ReportSerializer(serializers.Serializer):
    """factuary-report/1. Shares are 0 to 1."""

    protocol = ReportProtocolSerializer()
    software = ReportSoftwareSerializer()
    method = ReportMethodSerializer()
    overall = CellSerializer()
    systems = SystemCellSerializer(many=True)
    by = serializers.DictField(child=PartCellSerializer(many=True))
    comparisons = ComparisonSerializer(many=True)
    agreement = serializers.DictField(child=AgreementSerializer())

    def get_fields(self) -> dict[str, serializers.Field]:
        """`schema` and `data` are names of the serializer's own."""
        own = {"schema": serializers.ChoiceField(choices=["factuary-report/1"]), "data": ReportDataSerializer()}
        return own | super().get_fields()
