"""The responses of a project one by one, for leads: their raters, and changes of many."""

from datetime import datetime, tzinfo
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.utils.functional import cached_property
from django.utils.timezone import get_current_timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from ..models import Assignment, Project, Purpose, Sheet
from ..projects.responses import STATES, ResponseFilter, ResponseRow, SlotRow, response_rows, sheets_matching
from ..pseudonyms import shown_rater, shown_username, username_of
from ..queue.exclusion import REASON_LENGTH, exclude, include
from ..queue.leases import free_responses, release
from ..queue.reopening import reopen, reopen_responses
from .authentication import caller
from .parsers import validate
from .records import OptionalText, ShownPerson, examples
from .schema import DONE, errors
from .views import ListView, ProjectView, first_or_404

MAX_SHEETS = 1000
MAX_ID = 2**63 - 1
MAX_NAMED = 20
"""Ids that an error lists."""


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
    state = serializers.ChoiceField(choices=[state for state in STATES if state], required=False)
    rater = serializers.CharField(required=False, max_length=150)
    system = serializers.CharField(required=False, max_length=200)
    words = serializers.CharField(required=False, max_length=200, help_text="Each occurs in a text, title or id.")


@examples({"Exclude two": {"action": "exclude", "ids": [1, 2], "reason": "The article is missing."}})
class ResponsesChangeSerializer(serializers.Serializer[object]):
    """A change of responses, all or none."""

    action = serializers.ChoiceField(
        choices=["reopen", "free", "exclude", "include"],
        help_text="Reopen finished work, end leases, exclude from work and reports, or include again.",
    )
    ids = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=MAX_ID), min_length=1, max_length=MAX_SHEETS
    )
    reason = OptionalText(max_length=REASON_LENGTH, help_text="Needed to exclude.")


class ChangedSerializer(serializers.Serializer[object]):
    changed = serializers.IntegerField()


class ReasonSerializer(serializers.Serializer[object]):
    """Why work is reopened, which its rater sees."""

    reason = OptionalText(max_length=REASON_LENGTH)


class ProjectResponses(ProjectView, ListView):
    """The responses with their raters. For leads."""

    serializer_class = ProjectResponseSerializer
    query_serializer = ProjectResponsesQuerySerializer

    def get_queryset(self) -> QuerySet[Sheet]:
        query = dict(self.query)
        if "rater" in query:
            query["rater"] = username_of(query["rater"])
        return sheets_matching(self.project, ResponseFilter(**query))

    def shown(self, rows: list[Sheet]) -> list[ResponseRow]:
        return response_rows(rows)


def require_own(project: Project, ids: list[int]) -> None:
    """Raise ValidationError unless all ids are of responses of the project: nothing is changed then."""
    own = set(Sheet.objects.filter(project=project, pk__in=ids).values_list("pk", flat=True))
    if others := [str(number) for number in ids if number not in own]:
        raise ValidationError(
            {"ids": [f"The project has no responses with these ids: {', '.join(others[:MAX_NAMED])}."]}
        )


class ChangedResponses(ProjectView):
    @extend_schema(request=ResponsesChangeSerializer, responses=ChangedSerializer)
    def post(self, request: Request, slug: str) -> Response:
        """Reopen, free, exclude or include responses, all or none; those that the change does not concern stay. For
        leads.
        """
        body = validate(ResponsesChangeSerializer, request.data)
        sheets, reason, actor = body["ids"], body["reason"], caller(request)
        require_own(self.project, sheets)
        match body["action"]:
            case "reopen":
                changed = reopen_responses(self.project, sheets, reason=reason, actor=actor)
            case "free":
                changed = free_responses(self.project, sheets, actor=actor)
            case "exclude":
                changed = exclude(self.project, sheets, reason, actor=actor)
            case _:
                changed = include(self.project, sheets, actor=actor)
        return Response({"changed": changed})


class AssignmentView(ProjectView):
    assignment: Assignment

    def fetch(self) -> None:
        super().fetch()
        assignments = Assignment.objects.select_related("rater", "project").filter(project=self.project)
        rows = assignments.filter(public_id=self.kwargs["assignment_id"])
        self.assignment = first_or_404(rows, "There is no such assignment.")


class ReopenedAssignment(AssignmentView):
    @extend_schema(request=ReasonSerializer, responses={200: DONE, **errors(409)})
    def post(self, request: Request, slug: str, assignment_id: UUID) -> Response:
        """Reopen it: its answers are kept, and count when it is finished again. 409 if it is open. For leads."""
        reopen(self.assignment, reason=validate(ReasonSerializer, request.data)["reason"], actor=caller(request))
        return Response({})


class FreedAssignment(AssignmentView):
    @extend_schema(request=None, responses={200: DONE, **errors(409)})
    def post(self, request: Request, slug: str, assignment_id: UUID) -> Response:
        """End the lease: the response is back in the queue. 409 if it is finished. For leads."""
        release(self.assignment, actor=caller(request))
        return Response({})
