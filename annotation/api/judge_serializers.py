"""Serializers of judges in a project: their runs, estimates and verdicts."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from ..judging import fact_scores
from ..judging.verdicts import ALL, STATES
from ..models import FactScore, Job, JudgeCall, JudgeRun, TuningItem, Verdict
from ..reporting.choices import AUTO, CLUSTERS
from .endpoint_serializers import COST, RETURNED_MODEL, TOKENS, ModelRunSerializer, RunLimitsSerializer
from .freezing_serializers import JobProgressSerializer

LABEL = "The judge as `NAME` (its newest version) or `NAME@N`."
VERSION = "The version of the judge as `NAME@N`."


class EstimateSerializer(serializers.Serializer[object]):
    """What rating all missing `items` will take, by `tried` ones."""

    judge = serializers.CharField(help_text=VERSION)
    items = serializers.IntegerField()
    tried = serializers.IntegerField()
    requests = serializers.IntegerField()
    tokens = serializers.IntegerField(allow_null=True, default=None, help_text=TOKENS)
    cost_usd = serializers.FloatField(allow_null=True, help_text=COST)
    seconds = serializers.FloatField()


class ProjectJudgeSerializer(serializers.Serializer[object]):
    """A judge in a project: `rated` and `failed` of `items`. `model` or `rule` is empty."""

    judge = serializers.CharField(source="judge.label", help_text=VERSION)
    rule = serializers.CharField(source="judge.rule", allow_blank=True)
    model = serializers.CharField(source="judge.model", allow_blank=True)
    returned_model = serializers.CharField(
        source="judge.returned_model", allow_blank=True, allow_null=True, help_text=RETURNED_MODEL
    )
    items = serializers.IntegerField()
    rated = serializers.IntegerField()
    failed = serializers.IntegerField()
    cost_usd = serializers.FloatField(allow_null=True, help_text=COST)
    last_run_at = serializers.DateTimeField(source="last_run.started_at", allow_null=True, default=None)
    estimate = EstimateSerializer(allow_null=True, help_text="The newest one that was started by page or API.")
    problem = serializers.CharField(allow_blank=True, help_text="Why it cannot rate here; empty if it can.")


class ProjectJudgesSerializer(serializers.Serializer[object]):
    """The judges of a project."""

    judges = ProjectJudgeSerializer(many=True)


class NewRunSerializer(RunLimitsSerializer):
    """A run, or with `estimate` an estimate of one, which takes `limit` only."""

    judge = serializers.CharField(max_length=80, help_text=LABEL)
    estimate = serializers.BooleanField(required=False, default=False)

    class Meta(RunLimitsSerializer.Meta):
        fields = ("judge", *RunLimitsSerializer.Meta.fields, "estimate")


class StartedRunSerializer(serializers.Serializer[object]):
    """The id of the job that rates or estimates."""

    id = serializers.UUIDField(
        source="public_id", help_text="Of the job; its address is `/api/v1/projects/{slug}/judge-runs/{id}/`."
    )


class RunsQuerySerializer(serializers.Serializer[object]):
    """Which runs."""

    judge = serializers.CharField(required=False, default="", allow_blank=True, max_length=80, help_text=LABEL)


class RunSerializer(ModelRunSerializer):
    """A run with what it has rated so far. An estimate rates nothing."""

    number = serializers.IntegerField(source="pk", help_text="Selects its requests.")
    judge = serializers.CharField(source="judge.label", help_text=VERSION)
    is_estimate = serializers.BooleanField()
    rated = serializers.IntegerField()
    failed = serializers.IntegerField(source="failures", help_text="Also those that a later run has repeated.")
    still_failed = serializers.IntegerField(help_text="Of these, those that no later run has repeated.")
    fingerprints = serializers.IntegerField(help_text="Number of system fingerprints that the endpoint named.")
    passage_ranking = serializers.IntegerField(
        allow_null=True,
        help_text="Version of the ranking that chose the passages it was shown; null if it sees all or none.",
    )


class RunResultSerializer(serializers.Serializer[object]):
    """What a run did, as the command `run_judge --json` prints it."""

    judge = serializers.CharField(help_text=VERSION)
    items = serializers.IntegerField(help_text="Of the project.")
    new = serializers.IntegerField(help_text="Rated in this run.")
    failed = serializers.IntegerField()
    missing = serializers.IntegerField(help_text="Items without a verdict after it.")
    ended = serializers.ChoiceField(choices=JudgeRun.Ended.choices)
    requests = serializers.IntegerField()
    cached = serializers.IntegerField()
    unanswered = serializers.IntegerField()
    tokens = serializers.IntegerField(allow_null=True, default=None, help_text=TOKENS)
    cost_usd = serializers.FloatField(allow_null=True, help_text=COST)


class RunJobSerializer(serializers.Serializer[object]):
    """The job of a run or an estimate. `run` is null until a worker has started it."""

    id = serializers.UUIDField()
    state = serializers.ChoiceField(choices=Job.State.choices)
    progress = JobProgressSerializer()
    problems = serializers.ListField(child=serializers.CharField(), help_text="Why it failed.")
    run = RunSerializer(allow_null=True)
    result = RunResultSerializer(allow_null=True, help_text="When a run is done.")
    estimate = EstimateSerializer(allow_null=True, help_text="When an estimate is done.")


class RequestsQuerySerializer(serializers.Serializer[object]):
    """Which requests of a judge."""

    judge = serializers.CharField(max_length=80, help_text=LABEL)
    run = serializers.IntegerField(required=False, min_value=1, max_value=2**63 - 1, help_text="Number of a run.")
    state = serializers.ChoiceField(choices=JudgeCall.State.choices, required=False)


class JudgeQuerySerializer(serializers.Serializer[object]):
    """Whose rows."""

    judge = serializers.CharField(max_length=80, help_text=LABEL)


class DeletedRequestsSerializer(serializers.Serializer[object]):
    """How many requests were deleted."""

    deleted = serializers.IntegerField()


class JudgeRequestSerializer(serializers.ModelSerializer[JudgeCall]):
    """A request with its answer, as it was sent and received, without the key."""

    run = serializers.IntegerField(source="run_id", help_text="Number of the run.")
    response = serializers.CharField(source="item.response.key", help_text="Imported id of what it is about.")
    item = serializers.IntegerField(source="item.position", help_text="Of the first item that it is about.")
    item_id = serializers.UUIDField(source="item.public_id")
    request = serializers.DictField(help_text="The body.")
    answer_body = serializers.DictField(allow_null=True, help_text="All that the endpoint sent.")
    cost_usd = serializers.FloatField(source="cost", allow_null=True, help_text=COST)

    class Meta:
        model = JudgeCall
        fields = (
            *("run", "response", "item", "item_id", "sample", "attempt", "is_repair", "state"),
            *("request", "answer", "reasoning", "answer_body", "returned_model", "system_fingerprint", "finish_reason"),
            *("confidence", "http_status", "error", "prompt_tokens", "completion_tokens", "is_estimated", "cost_usd"),
            *("sent_at", "answered_at"),
        )
        read_only_fields = fields


class TunedItemSerializer(serializers.Serializer[TuningItem]):
    """An item that tuned the prompt of a judge."""

    response = serializers.CharField(source="item.response.key", help_text="Its imported id.")
    against = serializers.CharField(
        source="item.against.key", allow_null=True, default=None, help_text="Of a pair: the other response."
    )
    unit = serializers.CharField(source="item.unit")
    item = serializers.IntegerField(source="item.position", help_text="Its position in the response.")
    item_id = serializers.UUIDField(source="item.public_id")
    text = serializers.CharField(source="item.text", allow_blank=True)


class VerdictsQuerySerializer(serializers.Serializer[object]):
    """Whose verdicts."""

    judge = serializers.CharField(max_length=80, help_text=LABEL)
    state = serializers.ChoiceField(
        choices=list(STATES),
        required=False,
        default=ALL,
        allow_blank=True,
        help_text="`differs`: more than half of people's ratings differ from it.",
    )
    option = serializers.CharField(
        required=False, default="", allow_blank=True, max_length=80, help_text="Only those with this answer."
    )


class VerdictSerializer(serializers.ModelSerializer[Verdict]):
    """What the judge said about an item, or why there is no rating."""

    response = serializers.CharField(source="item.response.key", help_text="Its imported id.")
    item = serializers.IntegerField(source="item.position", help_text="Its position in the response.")
    item_id = serializers.UUIDField(source="item.public_id")
    text = serializers.CharField(source="item.text", allow_blank=True)
    answers = serializers.DictField(source="rating.answers", allow_null=True, default=None)
    votes = serializers.ListField(
        child=serializers.DictField(allow_null=True), help_text="The answers of each sample; null: an invalid one."
    )
    cost_usd = serializers.FloatField(source="cost", allow_null=True, help_text=COST)

    class Meta:
        model = Verdict
        fields = (
            *("response", "item", "item_id", "text", "state", "answers", "reason", "quote", "quote_found"),
            *("confidence", "votes", "problem", "fingerprints", "cost_usd"),
        )
        read_only_fields = fields


class FactQAQuerySerializer(serializers.Serializer[object]):
    """Whose Fact-QA figures, with intervals over which units."""

    judge = serializers.CharField(max_length=80, help_text=LABEL)
    cluster = serializers.ChoiceField(
        choices=CLUSTERS, required=False, default=AUTO, help_text="The sampling unit; `auto`: as in the report."
    )


class FactScoresQuerySerializer(serializers.Serializer[object]):
    """Whose Fact-QA scores. `low`: F1 below 0.5, or precision where there is no F1."""

    judge = serializers.CharField(max_length=80, help_text=LABEL)
    state = serializers.ChoiceField(
        choices=list(fact_scores.STATES), required=False, default=fact_scores.ALL, allow_blank=True
    )


class JudgedFactSerializer(serializers.Serializer[object]):
    """A fact that the judge found in an answer."""

    fact = serializers.CharField()
    supported = serializers.BooleanField()


class JudgedFactsSerializer(serializers.Serializer[object]):
    """The facts of an answer: `supported` of `total`. `facts` is empty where the judge gave numbers alone."""

    supported = serializers.FloatField()
    total = serializers.FloatField()
    facts = JudgedFactSerializer(many=True)

    def to_representation(self, counts: Any) -> dict[str, object]:
        """Return the counts that the model stores, with a name for each part of a fact."""
        facts = [{"fact": fact, "supported": is_supported} for fact, is_supported in counts.get("list", ())]
        return {"supported": counts["supported"], "total": counts["facts"], "facts": facts}


class FactScoreSerializer(serializers.Serializer[FactScore]):
    """The Fact-QA score of a response, or why there is none."""

    response = serializers.CharField(source="response.key", help_text="Its imported id.")
    response_id = serializers.UUIDField(source="response.public_id")
    prompt = serializers.CharField(source="response.prompt.key", help_text="Its imported id.")
    system = serializers.CharField(source="response.system.name")
    state = serializers.ChoiceField(choices=FactScore.State.choices)
    precision = serializers.FloatField(allow_null=True)
    recall = serializers.FloatField(allow_null=True)
    f1 = serializers.FloatField(allow_null=True)
    response_facts = serializers.SerializerMethodField(help_text="Null: not asked, failed, or unreadable.")
    reference_facts = serializers.SerializerMethodField(help_text="Null: not asked, failed, or unreadable.")
    unreadable = serializers.IntegerField(help_text="Unreadable answers that count 0.")
    problem = serializers.CharField(allow_blank=True, help_text="Why it failed.")
    cost_usd = serializers.FloatField(source="cost", allow_null=True, help_text=COST)

    @extend_schema_field(JudgedFactsSerializer(allow_null=True))
    def get_response_facts(self, score: FactScore) -> dict[str, object] | None:
        """Return the facts of the response."""
        return _facts(score, "precision")

    @extend_schema_field(JudgedFactsSerializer(allow_null=True))
    def get_reference_facts(self, score: FactScore) -> dict[str, object] | None:
        """Return the facts of the reference answer."""
        return _facts(score, "recall")


def _facts(score: FactScore, part: str) -> dict[str, object] | None:
    counts = score.counts.get(part)
    return None if counts is None else JudgedFactsSerializer().to_representation(counts)
