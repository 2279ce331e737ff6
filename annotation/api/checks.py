"""Training, qualification and hidden gold of a project, for leads: rules, raters under them, responses for them."""

from collections.abc import Callable

from django.db import transaction
from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from ..models import Project, Purpose, Sheet
from ..projects.members import rater_membership
from ..projects.project_settings import CHECKS, SETTINGS, change_settings
from ..pseudonyms import in_shown_order, shown_username, username_of
from ..qualification.pausing import exempt_rater, grant_attempt, lift_pause, pause_rater
from ..qualification.rules import RaterChecks as RaterChecksRow
from ..qualification.rules import rater_checks
from ..qualification.sheet_purposes import GoldCandidate, count_gold, gold_candidates, set_purpose
from .authentication import caller
from .parsers import validate
from .projects import setting_options
from .records import ShownPerson, examples
from .responses import ChangedSerializer
from .schema import DONE
from .views import ListView, ObjectView, ProjectView, first_or_404


@examples({"One in ten, paused below 70 %": {"gold_every": 10, "least_gold": 0.7}})
class RulesSerializer(serializers.ModelSerializer[Project]):
    """Rules of qualification and hidden gold. In a change, absent ones stay."""

    class Meta:
        model = Project
        fields = [name for name, setting in SETTINGS.items() if setting.page == CHECKS]
        extra_kwargs = {name: setting_options(SETTINGS[name]) for name in fields}


class ScoreSerializer(serializers.Serializer[object]):
    """Right answers on hidden gold."""

    right = serializers.IntegerField()
    items = serializers.IntegerField()


class RaterChecksSerializer(serializers.Serializer[object]):
    """A rater's attempts and answers on hidden gold, and what keeps the rater from work."""

    rater = ShownPerson()
    gate = serializers.CharField(allow_null=True)
    tries_left = serializers.IntegerField()
    training = serializers.SerializerMethodField(help_text="Attempts.")
    qualification = serializers.SerializerMethodField(help_text="Attempts.")
    gold = ScoreSerializer()
    paused_at = serializers.DateTimeField(source="membership.paused_at", allow_null=True)

    def get_training(self, row: RaterChecksRow) -> int:
        return len(row.training)

    def get_qualification(self, row: RaterChecksRow) -> int:
        return len(row.qualification)


class AllRaterChecksSerializer(serializers.Serializer[object]):
    """The raters of a project under its rules."""

    raters = RaterChecksSerializer(many=True)


class RaterActionSerializer(serializers.Serializer[object]):
    action = serializers.ChoiceField(
        choices=["pause", "lift", "grant", "let_in"],
        help_text="Pause, lift the pause, grant one more attempt, or let in without training and qualification.",
    )


class PurposeSerializer(serializers.Serializer[object]):
    purpose = serializers.ChoiceField(choices=Purpose.choices)


class GoldCandidateSerializer(serializers.Serializer[object]):
    """A response with gold answers, or one that is used for training or checks."""

    id = serializers.IntegerField(source="sheet.pk")
    response = serializers.CharField(source="sheet.response.key", help_text="Imported id.")
    purpose = serializers.ChoiceField(source="sheet.purpose", choices=Purpose.choices)
    items = serializers.IntegerField()
    gold = serializers.IntegerField(help_text="Items with a gold answer.")
    reasons = serializers.IntegerField(help_text="Gold answers with a reason.")


class Rules(ProjectView, ObjectView):
    """The rules of qualification and hidden gold. For leads."""

    serializer_class = RulesSerializer
    is_tagged = True

    def get_object(self) -> Project:
        return self.project

    @extend_schema(request=RulesSerializer)
    def patch(self, request: Request, slug: str) -> Response:
        """Change rules; raters who have passed stay qualified. For leads."""
        body = validate(RulesSerializer, request.data)
        with transaction.atomic():
            locked = Project.objects.select_for_update(no_key=True).get(pk=self.project.pk)
            self.require_match(locked)
            change_settings(locked, body, actor=caller(request))
        return self.answer(locked)


class RaterChecks(ProjectView):
    @extend_schema(operation_id="projects_checks_raters_list", responses=AllRaterChecksSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """Attempts, hidden gold and pauses of each rater. For leads."""
        rows = in_shown_order(rater_checks(self.project), lambda row: shown_username(row.rater))
        return Response(AllRaterChecksSerializer({"raters": rows}).data)


ACTIONS: dict[str, Callable[..., object]] = {
    "pause": pause_rater,
    "lift": lift_pause,
    "grant": grant_attempt,
    "let_in": exempt_rater,
}


class RaterAction(ProjectView):
    @extend_schema(request=RaterActionSerializer, responses=DONE)
    def post(self, request: Request, slug: str, username: str) -> Response:
        """Pause a rater, lift the pause, grant one more attempt, or let the rater in without training. For leads."""
        membership = rater_membership(self.project, username_of(username))
        action = validate(RaterActionSerializer, request.data)["action"]
        ACTIONS[action](self.project, membership.user, actor=caller(request))
        return Response({})


class ResponsePurpose(ProjectView):
    @extend_schema(request=PurposeSerializer, responses=ChangedSerializer)
    def put(self, request: Request, slug: str, sheet_id: int) -> Response:
        """Use a response for work, training, qualification or hidden gold. For leads."""
        rows = Sheet.objects.select_related("response").filter(project=self.project, pk=sheet_id)
        sheet = first_or_404(rows, "There is no such response.")
        purpose = validate(PurposeSerializer, request.data)["purpose"]
        return Response({"changed": set_purpose(self.project, [sheet], purpose, actor=caller(request))})


@extend_schema_view(get=extend_schema(operation_id="projects_gold_responses_list"))
class GoldResponses(ProjectView, ListView):
    """Responses that have a gold answer, or that are used for training, qualification or hidden gold. For leads."""

    serializer_class = GoldCandidateSerializer

    def get_queryset(self) -> QuerySet[Sheet]:
        return gold_candidates(self.project).select_related("response").defer("response__text")

    def shown(self, rows: list[Sheet]) -> list[GoldCandidate]:
        return count_gold(self.project, rows)
