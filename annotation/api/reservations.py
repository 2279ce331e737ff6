"""Assignments of responses to named raters, for leads."""

from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from ..models import User
from ..pseudonyms import shown_rater, username_of
from ..queue.reservations import Selection, end_reservation, preview_reservation, reservation_requests, reserve
from .authentication import caller
from .parsers import validate
from .records import OptionalText, examples
from .responses import MAX_ID, MAX_SHEETS, require_own
from .views import ProjectView


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
        return sorted(map(shown_rater, row.raters))


class ReservationRequestsSerializer(serializers.Serializer[object]):
    reservations = ReservationRequestSerializer(many=True)


@examples({"Ten at random": {"raters": ["ravi"], "by": "random", "n": 10}})
class NewReservationSerializer(serializers.Serializer[object]):
    """Responses to assign to raters."""

    raters = serializers.ListField(child=serializers.CharField(max_length=150), min_length=1, max_length=200)
    by = serializers.ChoiceField(choices=["random", "system", "document", "metadata", "selected"])
    value = OptionalText(max_length=1000, help_text="The system, document or value.")
    key = OptionalText(max_length=200, help_text="Of metadata.")
    n = serializers.IntegerField(default=0, min_value=0, max_value=10_000_000)
    seed = serializers.IntegerField(default=1, min_value=0, max_value=2**31 - 1)
    ids = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=MAX_ID), default=list, max_length=MAX_SHEETS
    )
    dry_run = serializers.BooleanField(default=False, help_text="Only count.")


class ReservedSerializer(serializers.Serializer[object]):
    """How many responses are assigned, or would be."""

    responses = serializers.IntegerField()


class EndReservationSerializer(serializers.Serializer[object]):
    """The request whose assignments end."""

    made_at = serializers.DateTimeField()


class Reservations(ProjectView):
    @extend_schema(operation_id="projects_reservations_list", responses=ReservationRequestsSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """The requests whose assignments have not ended, the newest first. For leads."""
        return Response(ReservationRequestsSerializer({"reservations": reservation_requests(self.project)}).data)

    @extend_schema(request=NewReservationSerializer, responses=ReservedSerializer)
    def post(self, request: Request, slug: str) -> Response:
        """Assign responses to raters: the queue gives them to these raters only, and first. For leads."""
        body = validate(NewReservationSerializer, request.data)
        raters = _raters(body.pop("raters"))
        dry_run, ids = body.pop("dry_run"), body.pop("ids")
        require_own(self.project, ids)
        selection = Selection(**body, sheets=ids)
        if dry_run:
            return Response({"responses": preview_reservation(self.project, raters, selection).responses})
        return Response({"responses": reserve(self.project, raters, selection, actor=caller(request))})


def _raters(names: list[str]) -> list[User]:
    usernames = [username_of(name) for name in names]
    found = {user.username: user for user in User.objects.filter(username__in=usernames)}
    if missing := [name for name, username in zip(names, usernames, strict=True) if username not in found]:
        raise ValidationError({"raters": [f"There is no person {missing[0]!r}."]})
    return list(found.values())


class EndedReservations(ProjectView):
    @extend_schema(request=EndReservationSerializer, responses=ReservedSerializer)
    def post(self, request: Request, slug: str) -> Response:
        """End the assignments of one request; leases continue. For leads."""
        made_at = validate(EndReservationSerializer, request.data)["made_at"]
        n = end_reservation(self.project, made_at, actor=caller(request))
        if not n:
            raise Http404("This assignment no longer exists.")
        return Response({"responses": n})
