"""Serializers of a project's responses, and of assignments to named raters."""

from datetime import datetime, tzinfo
from typing import Any

from django.utils.functional import cached_property
from django.utils.timezone import get_current_timezone
from drf_spectacular.utils import OpenApiExample, extend_schema_serializer
from rest_framework import serializers

from ..models import Project, Purpose
from ..projects.project_settings import CHECKS, SETTINGS
from ..projects.responses import STATES, ResponseRow, SlotRow
from ..pseudonyms import shown_rater, shown_username
from ..queue.exclusion import REASON_LENGTH
from .guidance_serializers import ShownPerson
from .project_serializers import setting_options

MAX_SHEETS = 1000
MAX_ID = 2**63 - 1


class SlotSerializer(serializers.Serializer[SlotRow]):
    """One of the openings of a response."""

    assignment = serializers.UUIDField(source="holder.public_id", allow_null=True, default=None)
    rater = ShownPerson(source="holder.rater", allow_null=True, default=None)
    expires_at = serializers.DateTimeField(allow_null=True)
    finished_at = serializers.DateTimeField(allow_null=True)
    ratings = serializers.IntegerField(help_text="Items that the rater has rated.")
    flags = serializers.IntegerField(help_text="Items that the rater has flagged.")

    def to_representation(self, instance: SlotRow) -> dict[str, Any]:
        """Return the same as without this method: a page has 20,000 slots, and this takes a tenth of the time."""
        holder = instance.holder
        return {
            "assignment": str(holder.public_id) if holder else None,
            "rater": shown_username(holder.rater) if holder else None,
            "expires_at": self._time(instance.expires_at),
            "finished_at": self._time(instance.finished_at),
            "ratings": instance.ratings,
            "flags": instance.flags,
        }

    @cached_property
    def _timezone(self) -> tzinfo:
        return get_current_timezone()

    def _time(self, time: datetime | None) -> str | None:
        """Return what a DateTimeField does, which asks for the time zone each time: that takes most of its time."""
        return time.astimezone(self._timezone).isoformat().replace("+00:00", "Z") if time else None


class ProjectResponseSerializer(serializers.Serializer[ResponseRow]):
    """A response of a project, or a pair of responses, with its openings."""

    id = serializers.IntegerField(source="sheet.pk", help_text="Of the sheet.")
    response = serializers.CharField(source="sheet.response.key", help_text="Imported id.")
    against = serializers.CharField(source="sheet.against.key", allow_null=True, default=None, help_text="Of a pair.")
    prompt = serializers.CharField(source="sheet.response.prompt.key", help_text="Imported id.")
    system = serializers.CharField(source="sheet.response.system.name")
    document = serializers.CharField(source="sheet.document.key", allow_null=True, default=None)
    purpose = serializers.ChoiceField(source="sheet.purpose", choices=Purpose.choices)
    excluded = serializers.CharField(
        source="sheet.exclusion.reason", allow_null=True, default=None, help_text="The reason; null: not excluded."
    )
    slots = SlotSerializer(many=True)
    reserved_for = serializers.SerializerMethodField(help_text="Raters to whom it is assigned.")

    def get_reserved_for(self, row: ResponseRow) -> list[str]:
        """Return user names or pseudonyms."""
        return sorted(map(shown_rater, row.reserved_for))


class ProjectResponsesQuerySerializer(serializers.Serializer[object]):
    """Filters of a project's responses."""

    state = serializers.ChoiceField(choices=[state for state in STATES if state], required=False)
    rater = serializers.CharField(required=False, max_length=150)
    system = serializers.CharField(required=False, max_length=200)
    words = serializers.CharField(required=False, max_length=200, help_text="Each occurs in a text, title or id.")


@extend_schema_serializer(
    examples=[
        OpenApiExample(
            "Exclude two", {"action": "exclude", "ids": [1, 2], "reason": "The article is missing."}, request_only=True
        )
    ]
)
class ResponsesChangeSerializer(serializers.Serializer[object]):
    """A change of responses, all or none."""

    action = serializers.ChoiceField(
        choices=["reopen", "free", "exclude", "include"],
        help_text="Reopen finished work, end leases, exclude from work and reports, or include again.",
    )
    ids = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=MAX_ID), min_length=1, max_length=MAX_SHEETS
    )
    reason = serializers.CharField(
        required=False, allow_blank=True, default="", max_length=REASON_LENGTH, help_text="Needed to exclude."
    )


class ChangedSerializer(serializers.Serializer[object]):
    """How many were changed."""

    changed = serializers.IntegerField()


class ReasonSerializer(serializers.Serializer[object]):
    """Why work is reopened, which its rater sees."""

    reason = serializers.CharField(required=False, allow_blank=True, default="", max_length=REASON_LENGTH)


class PurposeSerializer(serializers.Serializer[object]):
    """What a response is used for."""

    purpose = serializers.ChoiceField(choices=Purpose.choices)


class GoldCandidateSerializer(serializers.Serializer[object]):
    """A response with gold answers, or one that is used for training or checks."""

    id = serializers.IntegerField(source="sheet.pk")
    response = serializers.CharField(source="sheet.response.key", help_text="Imported id.")
    purpose = serializers.ChoiceField(source="sheet.purpose", choices=Purpose.choices)
    items = serializers.IntegerField()
    gold = serializers.IntegerField(help_text="Items with a gold answer.")
    reasons = serializers.IntegerField(help_text="Gold answers with a reason.")


class ReservationRequestSerializer(serializers.Serializer[Any]):
    """Responses that were assigned to raters by one request, which `made_at` identifies."""

    made_at = serializers.DateTimeField()
    made_by = serializers.CharField(allow_blank=True)
    words = serializers.CharField(help_text="Which responses.")
    raters = serializers.SerializerMethodField()
    responses = serializers.IntegerField()
    open = serializers.IntegerField(help_text="Unfinished responses.")
    too_few = serializers.BooleanField(help_text="Fewer raters than the overlap.")

    def get_raters(self, row: Any) -> list[str]:
        """Return user names or pseudonyms."""
        return sorted(map(shown_rater, row.raters))


class ReservationRequestsSerializer(serializers.Serializer[object]):
    """The assignments to named raters."""

    reservations = ReservationRequestSerializer(many=True)


@extend_schema_serializer(
    examples=[OpenApiExample("Ten at random", {"raters": ["ravi"], "by": "random", "n": 10}, request_only=True)]
)
class NewReservationSerializer(serializers.Serializer[object]):
    """Responses to assign to raters."""

    raters = serializers.ListField(child=serializers.CharField(max_length=150), min_length=1, max_length=200)
    by = serializers.ChoiceField(choices=["random", "system", "document", "metadata", "selected"])
    value = serializers.CharField(
        required=False, allow_blank=True, default="", max_length=1000, help_text="The system, document or value."
    )
    key = serializers.CharField(required=False, allow_blank=True, default="", max_length=200, help_text="Of metadata.")
    n = serializers.IntegerField(required=False, default=0, min_value=0, max_value=10_000_000)
    seed = serializers.IntegerField(required=False, default=1, min_value=0, max_value=2**31 - 1)
    ids = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=MAX_ID),
        required=False,
        default=list,
        max_length=MAX_SHEETS,
    )
    dry_run = serializers.BooleanField(required=False, default=False, help_text="Only count.")


class ReservedSerializer(serializers.Serializer[object]):
    """How many responses are assigned, or would be."""

    responses = serializers.IntegerField()


class EndReservationSerializer(serializers.Serializer[object]):
    """The request whose assignments end."""

    made_at = serializers.DateTimeField()


@extend_schema_serializer(
    examples=[OpenApiExample("One in ten, paused below 70 %", {"gold_every": 10, "least_gold": 0.7}, request_only=True)]
)
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


class RaterChecksSerializer(serializers.Serializer[Any]):
    """A rater's attempts and answers on hidden gold, and what keeps the rater from work."""

    rater = ShownPerson()
    gate = serializers.CharField(allow_null=True)
    tries_left = serializers.IntegerField()
    training = serializers.SerializerMethodField(help_text="Attempts.")
    qualification = serializers.SerializerMethodField(help_text="Attempts.")
    gold = ScoreSerializer()
    paused_at = serializers.DateTimeField(source="membership.paused_at", allow_null=True)

    def get_training(self, row: Any) -> int:
        """Return how many attempts there were."""
        return len(row.training)

    def get_qualification(self, row: Any) -> int:
        """Return how many attempts there were."""
        return len(row.qualification)


class AllRaterChecksSerializer(serializers.Serializer[object]):
    """The raters of a project under its rules."""

    raters = RaterChecksSerializer(many=True)


class RaterActionSerializer(serializers.Serializer[object]):
    """What is done about a rater."""

    action = serializers.ChoiceField(
        choices=["pause", "lift", "grant", "let_in"],
        help_text="Pause, lift the pause, grant one more attempt, or let in without training and qualification.",
    )


class PlanVersionSerializer(serializers.Serializer[Any]):
    """A version of the analysis plan."""

    number = serializers.IntegerField()
    toml = serializers.CharField(source="source", help_text="Its text.")
    sha256 = serializers.CharField()
    before_first_rating = serializers.BooleanField()
    created_by = ShownPerson(allow_null=True, default=None)
    created_at = serializers.DateTimeField()


@extend_schema_serializer(
    examples=[OpenApiExample("One measure", {"toml": 'measures = ["accurate"]'}, request_only=True)]
)
class NewTomlSerializer(serializers.Serializer[object]):
    """A text in TOML."""

    toml = serializers.CharField(trim_whitespace=False, max_length=200_000)


class ProtocolVersionSerializer(serializers.Serializer[Any]):
    """A stored version of a protocol."""

    slug = serializers.CharField()
    version = serializers.CharField()
    title = serializers.CharField()
    sha256 = serializers.CharField()
    created_at = serializers.DateTimeField()


class FullProtocolVersionSerializer(ProtocolVersionSerializer):
    """A version with its text."""

    toml = serializers.CharField(source="source", help_text="Its text.")
    definition = serializers.DictField(help_text="Questions, options and conditions.")
