"""The shape of a report, for the schema alone: a report goes out as the bytes that were built, not through these."""

from rest_framework import serializers


def _share() -> serializers.FloatField:
    return serializers.FloatField(allow_null=True, min_value=0, max_value=1)


def _figure() -> serializers.FloatField:
    return serializers.FloatField(allow_null=True)


def _count() -> serializers.IntegerField:
    return serializers.IntegerField(min_value=0)


class SharedSerializer(serializers.Serializer):
    """A proportion k / n with its interval; null where it is undefined."""

    value = _share()
    k = _count()
    n = _count()
    low = _share()
    high = _share()
    method = serializers.ChoiceField(choices=["bca", "korn-graubard", "none"])


class MeasuredSerializer(SharedSerializer):
    """The same with its design effect and intraclass correlation."""

    deff = _figure()
    icc = _figure()


class MeanSerializer(serializers.Serializer):
    """A mean over `n` responses with its interval; null where it is undefined."""

    value = _figure()
    n = _count()
    low = _figure()
    high = _figure()
    method = serializers.CharField(help_text="`bca`, or `t` where there is too little to draw from, or `none`.")


class CorrelatedSerializer(serializers.Serializer):
    """A coefficient of correlation with its interval."""

    value = _figure()
    low = _figure()
    high = _figure()
    method = serializers.CharField(help_text="`bca` or `none`.")


class CorrelationSerializer(serializers.Serializer):
    """Whether two means go together over the responses of one system, or of all together (`system` null)."""

    key = serializers.CharField()
    system = serializers.CharField(allow_null=True)
    between = serializers.ListField(child=serializers.CharField(), min_length=2, max_length=2)
    n = _count()
    pearson = CorrelatedSerializer()
    spearman = CorrelatedSerializer()
    kendall_tau_b = CorrelatedSerializer()


class ResponseMeansSerializer(serializers.Serializer):
    """The value of one response in each mean, by imported ids."""

    prompt = serializers.CharField()
    response = serializers.CharField()
    system = serializers.CharField()
    means = serializers.DictField(child=_figure())


class CellSerializer(serializers.Serializer):
    """What a set of ratings adds up to."""

    ratings = _count()
    assessed = _count()
    options = serializers.DictField(child=_count())
    questions = serializers.DictField(child=serializers.DictField(child=_count()))
    measures = serializers.DictField(child=MeasuredSerializer())
    means = serializers.DictField(
        child=MeanSerializer(), required=False, help_text="Under protocols that have means over responses."
    )


class CellWithSharesSerializer(CellSerializer):
    """The same with the share of each option, among all ratings and among assessed ones."""

    shares = serializers.DictField(child=SharedSerializer())
    shares_of_assessed = serializers.DictField(child=SharedSerializer(), required=False)


class SystemCellSerializer(CellWithSharesSerializer):
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
    method = serializers.CharField(
        help_text="Of the interval: `bca`, or `t` where there is too little to draw from; `none` without one."
    )
    p = _share()
    p_holm = _share()
    swaps = serializers.IntegerField(
        allow_null=True, required=False, help_text="Random swaps of the test; null where all were tried."
    )
    clusters = serializers.IntegerField(
        required=False, help_text="In common; with fewer than 10, tables show no interval."
    )


class RankSerializer(serializers.Serializer):
    """The place of a system on a measure: 1 has the highest value."""

    measure = serializers.CharField()
    system = serializers.CharField()
    rank = serializers.IntegerField(allow_null=True, min_value=1)
    low = serializers.IntegerField(allow_null=True, min_value=1)
    high = serializers.IntegerField(allow_null=True, min_value=1)


class CountedShareSerializer(serializers.Serializer):
    """k / n without an interval."""

    value = _share()
    k = _count()
    n = _count()


class MajoritySerializer(CountedShareSerializer):
    """Of the items on which most raters agree; `undecided` are tied."""

    undecided = _count()


class DawidSkeneSerializer(serializers.Serializer):
    """The share among what the items most likely are."""

    value = _share()
    items = _count()
    raters = _count()


class SummedUpSerializer(serializers.Serializer):
    """One measure summed up in several ways."""

    pooled = _share()
    majority = MajoritySerializer()
    macro_item = _share()
    macro_response = _share()
    macro_prompt = _share()
    responses_with_any = CountedShareSerializer()
    dawid_skene = DawidSkeneSerializer(allow_null=True)


class AggregationSerializer(serializers.Serializer):
    """The measures of one system, or of all together (`system` null), in other ways than pooled."""

    system = serializers.CharField(allow_null=True)
    measures = serializers.DictField(child=SummedUpSerializer())


class RaterPairSerializer(serializers.Serializer):
    """Two raters on the items that both rated."""

    a = serializers.CharField()
    b = serializers.CharField()
    items = _count()
    percent = _share()
    ac1 = _figure()


class BoundedSerializer(CountedShareSerializer):
    """k / n with bounds."""

    low = _share()
    high = _share()


class LeniencySerializer(serializers.Serializer):
    """How much more often than the others on the same items a rater chose the counted answer, drawn toward 0."""

    value = _figure()
    low = _figure()
    high = _figure()
    raw = _figure()
    items = _count()


class RaterWeekSerializer(serializers.Serializer):
    """One rater in one ISO week (UTC)."""

    week = serializers.CharField()
    ratings = _count()
    accurate = _share()
    leave_one_out = _share()
    leniency = _figure()


class RaterSerializer(serializers.Serializer):
    """One rater beside gold answers, adjudications and the other raters."""

    rater = serializers.CharField()
    ratings = _count()
    assessed = _count()
    gold = BoundedSerializer(allow_null=True)
    adjudicated = BoundedSerializer(allow_null=True)
    leave_one_out = BoundedSerializer(allow_null=True)
    leniency = LeniencySerializer(allow_null=True)
    seconds = serializers.FloatField(allow_null=True, help_text="Median.")
    quick = CountedShareSerializer(allow_null=True)
    weeks = RaterWeekSerializer(many=True)
    flags = serializers.ListField(child=serializers.CharField())


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
    rater_pairs = RaterPairSerializer(many=True, allow_null=True)


class DisagreementSerializer(serializers.Serializer):
    """An item that raters disagree on, by imported ids, and how many chose what; the worst come first."""

    prompt = serializers.CharField()
    response = serializers.CharField()
    against = serializers.CharField(allow_null=True)
    unit = serializers.CharField()
    item = _count()
    system = serializers.CharField()
    text = serializers.CharField(help_text="Its first 300 characters.")
    disagreement = serializers.FloatField(min_value=0)
    ratings = _count()
    assessed = _count()
    options = serializers.DictField(child=_count())
    questions = serializers.DictField(child=serializers.DictField(child=_count()))


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
    documents = serializers.IntegerField(
        min_value=0,
        required=False,
        help_text="Absent where prompts have documents of their own, or nearly all of them.",
    )
    items = _count()
    raters = _count()
    shown_in_translation = serializers.DictField(
        child=_count(),
        required=False,
        help_text="Readings of the project by the language in which the rater was shown the questions; absent where "
        "all saw the protocol's own words.",
    )


class ReportMethodSerializer(serializers.Serializer):
    """How the intervals were computed."""

    level = serializers.FloatField()
    cluster = serializers.ChoiceField(choices=["prompt", "document"])
    resamples = _count()
    seed = _count()


class ReportSerializer(serializers.Serializer):
    """factuary-report/1. Shares are 0 to 1."""

    protocol = ReportProtocolSerializer()
    software = ReportSoftwareSerializer()
    method = ReportMethodSerializer()
    filters = serializers.DictField(help_text="The choices that leave out ratings: those that are set.")
    overall = CellWithSharesSerializer()
    systems = SystemCellSerializer(many=True)
    by = serializers.DictField(child=PartCellSerializer(many=True))
    multi_valued = serializers.ListField(
        child=serializers.CharField(), help_text="The parts of `by` whose cells overlap: a prompt has several values."
    )
    without_value = serializers.DictField(
        child=_count(), help_text="Ratings in no cell of a part of `by`: their prompt has no value there."
    )
    correlations = CorrelationSerializer(many=True, required=False)
    responses = ResponseMeansSerializer(many=True, required=False)
    comparisons = ComparisonSerializer(many=True)
    ranks = RankSerializer(many=True)
    aggregations = AggregationSerializer(many=True)
    agreement = serializers.DictField(child=AgreementSerializer())
    disagreements = DisagreementSerializer(many=True)
    raters = RaterSerializer(many=True)

    def get_fields(self) -> dict[str, serializers.Field]:
        """`schema` and `data` are names of the serializer's own."""
        own = {"schema": serializers.ChoiceField(choices=["factuary-report/1"]), "data": ReportDataSerializer()}
        return own | super().get_fields()
