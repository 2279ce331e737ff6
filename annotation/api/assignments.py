"""A rater's work: take it, answer it, finish it or give it back."""

from uuid import UUID

from django.db import transaction
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import status
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from tasks.notices import tell_leads

from ..access import assignment_for, project_for
from ..models import Project, User
from ..qualification.next_work import take_next
from ..qualification.prefetch import prefetch_next, release_prefetched, renew_prefetched
from ..queue.leases import release
from ..queue.sheets import fetch_texts
from ..rating.finish import finish
from ..rating.submit import Saved, delete_answer, find_receipt, fingerprint, save
from .assignment_serializers import (
    AfterSerializer,
    AheadSerializer,
    GatedSerializer,
    HeldSerializer,
    OutdatedSerializer,
    SavedSerializer,
    StillOpenSerializer,
    SubmissionSerializer,
    TakeBackSerializer,
    WorkSerializer,
    work_of,
)
from .authentication import caller
from .error_serializers import ErrorSerializer
from .schema import DONE

KEY_LENGTH = 200
KEY = OpenApiParameter(
    "Idempotency-Key",
    {"type": "string", "maxLength": KEY_LENGTH},
    OpenApiParameter.HEADER,
    description="New for each answer or question; the same for each try to send it.",
)


class NextWork(APIView):
    """The caller's next work."""

    @extend_schema(
        parameters=[AfterSerializer],
        request=None,
        responses={200: WorkSerializer, 204: None, 400: ErrorSerializer, 403: GatedSerializer, 404: ErrorSerializer},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Resume the caller's unfinished lease, or take a new one. 204 when nothing is left for this rater, 403 with
        the `gate` when training or qualification come first, or the rater is paused."""
        query = AfterSerializer(data=request.query_params)
        query.is_valid(raise_exception=True)
        with transaction.atomic():
            project = _own_project(request, slug)
            assignment = take_next(project, caller(request), after=query.validated_data.get("after"))
        if assignment is None:
            return Response(status=status.HTTP_204_NO_CONTENT)
        assignment.project = project
        fetch_texts(assignment, with_article=False)
        return Response(work_of(assignment))


class WorkAhead(APIView):
    """What the caller holds besides the work in hand, to go on without a network."""

    @extend_schema(
        parameters=[AheadSerializer],
        request=None,
        responses={200: HeldSerializer, 400: ErrorSerializer, 403: GatedSerializer, 404: ErrorSerializer},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Renew what the caller has ahead and take more, as many as the project gives ahead and fewer where work is
        short; what is over by now is given back. Training and qualification are not given ahead."""
        query = AheadSerializer(data=request.query_params)
        query.is_valid(raise_exception=True)
        after, rater = query.validated_data["after"], caller(request)
        with transaction.atomic():
            assignments = renew_prefetched(_own_project(request, slug), rater, after)
        while more := self._take(request, slug, after):
            assignments.append(more)
        return Response(HeldSerializer({"assignments": assignments}).data)

    @transaction.atomic  # one slot at a time is locked
    def _take(self, request: Request, slug: str, after: UUID) -> UUID | None:
        work = prefetch_next(_own_project(request, slug), caller(request), after)
        return work.public_id if work else None

    @extend_schema(request=None, responses={200: DONE, 403: ErrorSerializer, 404: ErrorSerializer})
    def delete(self, request: Request, slug: str) -> Response:
        """Give back all that was given ahead and not begun, as if it had not been taken."""
        with transaction.atomic():
            release_prefetched(_own_project(request, slug), caller(request))
        return Response({})


def _own_project(request: Request, slug: str) -> Project:
    return project_for(caller(request), slug, needs="rater", lock=True)


class Answer(APIView):
    """The caller's answer about one item."""

    @extend_schema(
        parameters=[KEY],
        request=SubmissionSerializer,
        responses={
            200: SavedSerializer,
            400: ErrorSerializer,
            404: ErrorSerializer,
            409: OutdatedSerializer,
            410: ErrorSerializer,
            422: ErrorSerializer,
            423: GatedSerializer,
        },
    )
    def put(self, request: Request, assignment_id: UUID, item_id: UUID) -> Response:
        """Save an answer and renew the lease. Safe to repeat with the same key."""
        saved = _save_once(caller(request), assignment_id, item_id, request)
        return Response(SavedSerializer(saved).data)

    @extend_schema(
        parameters=[TakeBackSerializer],
        responses={
            200: SavedSerializer,
            400: ErrorSerializer,
            404: ErrorSerializer,
            409: OutdatedSerializer,
            410: ErrorSerializer,
            423: GatedSerializer,
        },
    )
    def delete(self, request: Request, assignment_id: UUID, item_id: UUID) -> Response:
        """Take an answer back. The history keeps it."""
        query = TakeBackSerializer(data=request.query_params)
        query.is_valid(raise_exception=True)
        delete_answer(caller(request), assignment_id, item_id, query.validated_data["base_version"])
        return Response({"answers": {}, "version": 0})


def _save_once(rater: User, assignment: UUID, item: UUID, request: Request) -> Saved:
    """Save, unless this very request was answered before: that is looked at before all else, its form included."""
    key, request_hash = key_of(request), fingerprint(item, request.data)
    serializer = SubmissionSerializer(data=request.data)
    if serializer.is_valid():
        return save(rater, assignment, item, serializer.submission(key, request_hash))
    if earlier := find_receipt(rater, assignment, item, key, request_hash):
        return earlier
    raise ValidationError(serializer.errors)


def key_of(request: Request) -> str:
    """Return the idempotency key of a request; "" without one. Raises ValidationError."""
    key = request.headers.get("Idempotency-Key", "")
    if len(key) > KEY_LENGTH:
        raise ValidationError({"Idempotency-Key": [f"At most {KEY_LENGTH} characters."]})
    return key


class Finish(APIView):
    """The end of a response."""

    @extend_schema(
        request=None,
        responses={
            200: DONE,
            404: ErrorSerializer,
            409: StillOpenSerializer,
            410: ErrorSerializer,
            423: GatedSerializer,
        },
    )
    def post(self, request: Request, assignment_id: UUID) -> Response:
        """Finish the response; from then on its ratings count. 409 with the items that are still open."""
        assignment = assignment_for(caller(request), assignment_id)
        if news := finish(assignment):
            tell_leads(assignment.project_id, assignment.rater_id, news)
        return Response({})


class Release(APIView):
    """Giving work back."""

    @extend_schema(request=None, responses={200: DONE, 404: ErrorSerializer, 409: ErrorSerializer})
    def post(self, request: Request, assignment_id: UUID) -> Response:
        """Give the work back. Its answers are kept, and count only if the same rater finishes it, or had finished it
        before it was offered again."""
        release(assignment_for(caller(request), assignment_id))
        return Response({})
