"""The responses of a project one by one, for leads: their raters, changes of many, and assignments to raters."""

from uuid import UUID

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from ..access import project_for
from ..models import Assignment, Project, Sheet, User
from ..projects.responses import ResponseFilter, response_rows, sheets_matching
from ..pseudonyms import username_of
from ..qualification.sheet_purposes import count_gold, gold_candidates, set_purpose
from ..queue.errors import NotFinished
from ..queue.exclusion import exclude, include
from ..queue.leases import free_responses, release
from ..queue.reopening import reopen, reopen_responses
from ..queue.reservations import Selection, end_reservation, preview_reservation, reservation_requests, reserve
from .authentication import caller
from .errors import Conflict
from .parsers import validate
from .response_serializers import (
    ChangedSerializer,
    EndReservationSerializer,
    GoldCandidateSerializer,
    NewReservationSerializer,
    ProjectResponseSerializer,
    ProjectResponsesQuerySerializer,
    PurposeSerializer,
    ReasonSerializer,
    ReservationRequestsSerializer,
    ReservedSerializer,
    ResponsesChangeSerializer,
)
from .schema import DONE, errors
from .views import ApiView, ListView

MAX_NAMED = 20
"""Ids that an error lists."""


class ProjectResponses(ListView):
    """The responses of a project."""

    @extend_schema(
        operation_id="projects_responses_list",
        parameters=[ProjectResponsesQuerySerializer],
        responses={200: ProjectResponseSerializer(many=True), **errors(403, 404)},
    )
    def get(self, request: Request, slug: str) -> Response:
        """The responses with their raters. For leads."""
        project = project_for(caller(request), slug, needs="lead")
        query = validate(ProjectResponsesQuerySerializer, request.query_params)
        if "rater" in query:
            query["rater"] = username_of(query["rater"])
        sheets = sheets_matching(project, ResponseFilter(**query))
        return self.page(request, sheets, ProjectResponseSerializer, "pk", shown=response_rows)


def _require_own(project: Project, ids: list[int]) -> None:
    """Raise ValidationError unless all ids are of responses of the project: nothing is changed then."""
    own = set(Sheet.objects.filter(project=project, pk__in=ids).values_list("pk", flat=True))
    if others := [str(number) for number in ids if number not in own]:
        raise ValidationError(
            {"ids": [f"The project has no responses with these ids: {', '.join(others[:MAX_NAMED])}."]}
        )


class ChangedResponses(ApiView):
    """Changes of responses."""

    @extend_schema(request=ResponsesChangeSerializer, responses={200: ChangedSerializer, **errors(403, 404)})
    def post(self, request: Request, slug: str) -> Response:
        """Reopen, free, exclude or include responses, all or none; those that the change does not concern stay. For
        leads.
        """
        project = project_for(caller(request), slug, needs="lead")
        body = validate(ResponsesChangeSerializer, request.data)
        sheets, reason, actor = body["ids"], body["reason"], caller(request)
        _require_own(project, sheets)
        match body["action"]:
            case "reopen":
                changed = reopen_responses(project, sheets, reason=reason, actor=actor)
            case "free":
                changed = free_responses(project, sheets, actor=actor)
            case "exclude":
                changed = exclude(project, sheets, reason, actor=actor)
            case _:
                changed = include(project, sheets, actor=actor)
        return Response({"changed": changed})


def _assignment(request: Request, slug: str, public_id: UUID) -> Assignment:
    project = project_for(caller(request), slug, needs="lead")
    assignments = Assignment.objects.select_related("rater", "project").filter(project=project)
    assignment = assignments.filter(public_id=public_id).first()
    if assignment is None:
        raise Http404("There is no such assignment.")
    return assignment


class ReopenedAssignment(ApiView):
    """A finished assignment of a rater."""

    @extend_schema(request=ReasonSerializer, responses={200: DONE, **errors(403, 404, 409)})
    def post(self, request: Request, slug: str, assignment_id: UUID) -> Response:
        """Reopen it: its answers are kept, and count when it is finished again. 409 if it is open. For leads."""
        assignment = _assignment(request, slug, assignment_id)
        body = validate(ReasonSerializer, request.data)
        try:
            reopen(assignment, reason=body["reason"], actor=caller(request))
        except NotFinished as error:
            raise Conflict(str(error)) from None
        return Response({})


class FreedAssignment(ApiView):
    """A rater's lease of a response."""

    @extend_schema(request=None, responses={200: DONE, **errors(403, 404, 409)})
    def post(self, request: Request, slug: str, assignment_id: UUID) -> Response:
        """End the lease: the response is back in the queue. 409 if it is finished. For leads."""
        release(_assignment(request, slug, assignment_id), actor=caller(request))
        return Response({})


class ResponsePurpose(ApiView):
    """What a response is used for."""

    @extend_schema(request=PurposeSerializer, responses={200: ChangedSerializer, **errors(403, 404)})
    def put(self, request: Request, slug: str, sheet_id: int) -> Response:
        """Use a response for work, training, qualification or hidden gold. For leads."""
        project = project_for(caller(request), slug, needs="lead")
        sheet = Sheet.objects.select_related("response").filter(project=project, pk=sheet_id).first()
        if sheet is None:
            raise Http404("There is no such response.")
        purpose = validate(PurposeSerializer, request.data)["purpose"]
        return Response({"changed": set_purpose(project, [sheet], purpose, actor=caller(request))})


class GoldResponses(ListView):
    """Responses with gold answers."""

    @extend_schema(
        operation_id="projects_gold_responses_list",
        responses={200: GoldCandidateSerializer(many=True), **errors(403, 404)},
    )
    def get(self, request: Request, slug: str) -> Response:
        """Responses that have a gold answer, or that are used for training, qualification or hidden gold. For leads."""
        project = project_for(caller(request), slug, needs="lead")
        rows = gold_candidates(project).select_related("response").defer("response__text")
        return self.page(request, rows, GoldCandidateSerializer, "pk", shown=lambda sheets: count_gold(project, sheets))


class Reservations(ApiView):
    """Assignments of responses to named raters."""

    @extend_schema(
        operation_id="projects_reservations_list", responses={200: ReservationRequestsSerializer, **errors(403, 404)}
    )
    def get(self, request: Request, slug: str) -> Response:
        """The requests whose assignments have not ended, the newest first. For leads."""
        project = project_for(caller(request), slug, needs="lead")
        return Response(ReservationRequestsSerializer({"reservations": reservation_requests(project)}).data)

    @extend_schema(request=NewReservationSerializer, responses={200: ReservedSerializer, **errors(403, 404)})
    def post(self, request: Request, slug: str) -> Response:
        """Assign responses to raters: the queue gives them to these raters only, and first. For leads."""
        project = project_for(caller(request), slug, needs="lead")
        body = validate(NewReservationSerializer, request.data)
        raters = _raters(body.pop("raters"))
        dry_run, ids = body.pop("dry_run"), body.pop("ids")
        _require_own(project, ids)
        selection = Selection(**body, sheets=ids)
        if dry_run:
            return Response({"responses": preview_reservation(project, raters, selection).responses})
        return Response({"responses": reserve(project, raters, selection, actor=caller(request))})


def _raters(names: list[str]) -> list[User]:
    usernames = [username_of(name) for name in names]
    found = {user.username: user for user in User.objects.filter(username__in=usernames)}
    if missing := [name for name, username in zip(names, usernames, strict=True) if username not in found]:
        raise ValidationError({"raters": [f"There is no person {missing[0]!r}."]})
    return list(found.values())


class EndedReservations(ApiView):
    """Assignments that end."""

    @extend_schema(request=EndReservationSerializer, responses={200: ReservedSerializer, **errors(403, 404)})
    def post(self, request: Request, slug: str) -> Response:
        """End the assignments of one request; leases continue. For leads."""
        project = project_for(caller(request), slug, needs="lead")
        made_at = validate(EndReservationSerializer, request.data)["made_at"]
        n = end_reservation(project, made_at, actor=caller(request))
        if not n:
            raise Http404("This assignment no longer exists.")
        return Response({"responses": n})
