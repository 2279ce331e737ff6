"""What judges say for programs: verdicts, their comparison with people, and the scores and figures of Fact-QA."""

from typing import Any

from django.db.models import QuerySet
from django.http import HttpResponse
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

from ..audit import record_download
from ..judging import fact_scores
from ..judging.verdicts import ALL, STATES, verdict_options, verdicts_of
from ..models import FactScore, Judge, Verdict
from ..rating.shown_verdicts import record_items_shown, record_keys_shown, record_shown
from ..reporting.cache import cached
from ..reporting.choices import AUTO, CLUSTERS, Choices
from ..reporting.data.judge_answers import judges_of
from ..reporting.live import cached_comparison
from ..reporting.sections.fact_qa.figures import FactQAReport, fact_qa_report
from ..reporting.sections.judge.figures import JudgeComparison
from .authentication import caller
from .judges import COST, JudgeQuerySerializer, judge_named
from .records import OptionalText, RowSerializer, part
from .views import ListView, ProjectView, first_or_404


class VerdictsQuerySerializer(JudgeQuerySerializer):
    state = serializers.ChoiceField(
        choices=list(STATES),
        default=ALL,
        allow_blank=True,
        help_text="`differs`: more than half of people's ratings differ from it.",
    )
    option = OptionalText(max_length=80, help_text="Only those with this answer.")


class VerdictSerializer(RowSerializer):
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
        extra_kwargs = {
            "quote_found": {"help_text": "In the document or the evidence; null: nothing was quoted."},
            "problem": {"help_text": "Why it failed."},
            "fingerprints": {"help_text": "System fingerprints of its answers, separated by spaces."},
        }


class FactQAQuerySerializer(JudgeQuerySerializer):
    cluster = serializers.ChoiceField(
        choices=CLUSTERS, default=AUTO, help_text="The sampling unit; `auto`: as in the report."
    )


class FactScoresQuerySerializer(JudgeQuerySerializer):
    """`low`: F1 below 0.5, or precision where there is no F1."""

    state = serializers.ChoiceField(choices=list(fact_scores.STATES), default=fact_scores.ALL, allow_blank=True)


class JudgedFactSerializer(serializers.Serializer[object]):
    """A fact that the judge found in an answer."""

    fact = serializers.CharField()
    supported = serializers.BooleanField()


class JudgedFactsSerializer(serializers.Serializer[object]):
    """The facts of an answer: `supported` of `total`. `facts` is empty where the judge gave numbers alone."""

    supported = serializers.FloatField()
    total = serializers.FloatField()
    facts = JudgedFactSerializer(many=True)

    def to_representation(self, counts: Any) -> dict[str, Any]:
        facts = [{"fact": fact, "supported": is_supported} for fact, is_supported in counts.get("list", ())]
        return {"supported": counts["supported"], "total": counts["facts"], "facts": facts}


class FactScoreSerializer(RowSerializer):
    """The Fact-QA score of a response, or why there is none."""

    response = serializers.CharField(source="response.key", help_text="Its imported id.")
    response_id = serializers.UUIDField(source="response.public_id")
    prompt = serializers.CharField(source="response.prompt.key", help_text="Its imported id.")
    system = serializers.CharField(source="response.system.name")
    response_facts = serializers.SerializerMethodField(help_text="Null: not asked, failed, or unreadable.")
    reference_facts = serializers.SerializerMethodField(help_text="Null: not asked, failed, or unreadable.")
    cost_usd = serializers.FloatField(source="cost", allow_null=True, help_text=COST)

    class Meta:
        model = FactScore
        fields = (
            *("response", "response_id", "prompt", "system", "state", "precision", "recall", "f1", "response_facts"),
            *("reference_facts", "unreadable", "problem", "cost_usd"),
        )
        extra_kwargs = {
            "unreadable": {"help_text": "Unreadable answers that count 0."},
            "problem": {"help_text": "Why it failed."},
        }

    @extend_schema_field(JudgedFactsSerializer(allow_null=True))
    def get_response_facts(self, score: FactScore) -> dict[str, Any] | None:
        return _facts(score, "precision")

    @extend_schema_field(JudgedFactsSerializer(allow_null=True))
    def get_reference_facts(self, score: FactScore) -> dict[str, Any] | None:
        return _facts(score, "recall")


def _facts(score: FactScore, part_of_score: str) -> dict[str, Any] | None:
    counts = score.counts.get(part_of_score)
    return None if counts is None else JudgedFactsSerializer().to_representation(counts)


class Verdicts(ProjectView, ListView):
    """Answers with reason, quote, confidence and cost, or why there are none. For leads."""

    serializer_class = VerdictSerializer
    query_serializer = VerdictsQuerySerializer

    def get_queryset(self) -> QuerySet[Verdict]:
        option, options = self.query["option"], verdict_options(self.project.protocol.definition)
        if option and option not in options:
            message = f"There is no such option. Choose one of: {', '.join(options)}."
            raise ValidationError({"option": [message]})
        judge = judge_named(self.query["judge"])
        rows = verdicts_of(judge, self.project, state=self.query["state"], option=option)
        return rows.select_related("item__response", "rating")

    def shown(self, rows: list[Verdict]) -> list[Verdict]:
        """Record to whom these verdicts are shown."""
        record_items_shown(caller(self.request), [verdict.item for verdict in rows if verdict.rating])
        return rows


class Comparison(ProjectView):
    further_errors = (503,)

    @extend_schema(responses=part(JudgeComparison))
    def get(self, request: Request, slug: str, judge: str, judge_version: int) -> HttpResponse:
        """The version of the judge against the ratings that count, as `compare_judge --json` prints it. For leads."""
        versions = judges_of(self.project).filter(name=judge, version=judge_version)
        compared = first_or_404(versions, "No judge of this name has rated in this project.")
        comparison = cached_comparison(self.project, compared)
        differing = [(row.response, row.against) for row in comparison.differing_items]
        record_keys_shown(caller(request), self.project, differing)
        target = f"judge:{compared.label}"
        record_download(caller(request), target, project=self.project, name="comparison.json", with_names=False)
        return HttpResponse(comparison.to_json(), content_type="application/json")


class FactQA(ProjectView):
    query_serializer = FactQAQuerySerializer
    further_errors = (503,)

    @extend_schema(responses=part(FactQAReport, "FactQAFigures"))
    def get(self, request: Request, slug: str) -> HttpResponse:
        """Mean precision, recall and F1 by system, source class and question type, and their correlation with people's
        scores; as the command `fact_qa_scores --json` prints them. For leads.
        """
        judge, choices = _fact_judge(self.query["judge"]), Choices(cluster=self.query["cluster"])
        name = f"fact qa {judge.pk} {choices.cluster}"
        figures = cached(self.project, name, FactQAReport, lambda: fact_qa_report(self.project, judge, choices))
        return HttpResponse(figures.to_json(), content_type="application/json")


class FactScores(ProjectView, ListView):
    """Precision, recall and F1 of each response with its facts and cost, or why it has none. For leads."""

    serializer_class = FactScoreSerializer
    query_serializer = FactScoresQuerySerializer

    def get_queryset(self) -> QuerySet[FactScore]:
        judge = _fact_judge(self.query["judge"])
        scores = fact_scores.fact_scores_of(judge, self.project, state=self.query["state"])
        return scores.select_related("response__prompt", "response__system")

    def shown(self, rows: list[FactScore]) -> list[FactScore]:
        """Record to whom these scores are shown."""
        record_shown(caller(self.request), [(score.response_id, None) for score in rows])
        return rows


def _fact_judge(label: str) -> Judge:
    judge = judge_named(label)
    if not judge.fact_qa:
        raise ValidationError({"judge": [f"{judge.label} rates items: it has no Fact-QA."]})
    return judge
