"""A rater's work: lease, answer, finish and return responses."""

from uuid import UUID

from django.db import transaction
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from ..access import assignment_for, project_for
from ..models import Assignment, Project, User
from ..qualification.gates import BlockedByGate
from ..qualification.next_work import take_next
from ..qualification.prefetch import prefetch_next, release_prefetched, renew_prefetched
from ..queue.leases import release
from ..queue.sheets import fetch_texts
from ..rating.finish import finish
from ..rating.submit import Saved, Submission, delete_answer, find_receipt, fingerprint, save
from .assignment_serializers import (
    ConflictSerializer,
    DeleteQuerySerializer,
    FinishedSerializer,
    FinishQuerySerializer,
    NextWorkQuerySerializer,
    NoWorkSerializer,
    PrefetchedSerializer,
    PrefetchQuerySerializer,
    SavedAnswerSerializer,
    SubmissionSerializer,
    UnfinishedSerializer,
    WorkSerializer,
    work_of,
)
from .authentication import caller
from .documents import DocumentSerializer
from .idempotency import REPLAYED, key_of
from .parsers import validate
from .schema import DONE, errors
from .views import ApiView


class NextWork(ApiView):
    for_raters = True

    @extend_schema(
        parameters=[NextWorkQuerySerializer],
        request=None,
        responses={200: WorkSerializer, 204: None, 403: NoWorkSerializer},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Resume the caller's unfinished lease or lease the next response. 204 if no response is left for the caller,
        403 with `gate` if training or qualification come first or the rater is paused."""
        query = validate(NextWorkQuerySerializer, request.query_params)
        assignment = _take_work(request, slug, after=query.get("after"))
        if assignment is None:
            return Response(status=status.HTTP_204_NO_CONTENT)
        return Response(work_of(assignment))


class PrefetchedWork(ApiView):
    """The caller's prefetched responses, for work without a network."""

    for_raters = True

    @extend_schema(
        parameters=[PrefetchQuerySerializer], request=None, responses={200: PrefetchedSerializer, 403: NoWorkSerializer}
    )
    def post(self, request: Request, slug: str) -> Response:
        """Renew the caller's prefetched leases and add new ones, up to the project's limit and fewer if few responses
        remain. Ended leases are returned. Training and qualification are not prefetched."""
        query = validate(PrefetchQuerySerializer, request.query_params)
        after, rater = query["after"], caller(request)
        with transaction.atomic():
            assignments = renew_prefetched(_own_project(request, slug), rater, after)
        while more := self._take(request, slug, after):
            assignments.append(more)
        return Response(PrefetchedSerializer({"assignments": assignments}).data)

    @transaction.atomic  # one transaction per slot, so that only one slot is locked
    def _take(self, request: Request, slug: str, after: UUID) -> UUID | None:
        work = prefetch_next(_own_project(request, slug), caller(request), after)
        return work.public_id if work else None

    @extend_schema(responses={200: DONE, **errors(403)})
    def delete(self, request: Request, slug: str) -> Response:
        """Return all prefetched responses without answers to the queue."""
        with transaction.atomic():
            release_prefetched(_own_project(request, slug), caller(request))
        return Response({})


def _take_work(
    request: Request, slug: str, *, after: UUID | None = None, with_article: bool = False
) -> Assignment | None:
    """Return the caller's next work with its texts. Raises BlockedByGate."""
    with transaction.atomic():
        project = _own_project(request, slug)
        assignment = take_next(project, caller(request), after=after)
    if assignment is not None:
        assignment.project = project
        fetch_texts(assignment, with_article=with_article)
    return assignment


def _own_project(request: Request, slug: str) -> Project:
    return project_for(caller(request), slug, needs="rater", lock=True)


class Answer(ApiView):
    for_raters = True
    own_receipts = ("PUT",)  # the key is stored with the answer

    @extend_schema(
        request=SubmissionSerializer,
        responses={200: SavedAnswerSerializer, 409: ConflictSerializer, 423: NoWorkSerializer, **errors(410, 422)},
    )
    def put(self, request: Request, assignment_id: UUID, item_id: UUID) -> Response:
        """Save an answer and renew the lease. Safe to repeat with the same key."""
        saved = _save_once(caller(request), assignment_id, item_id, request)
        headers = REPLAYED if saved.is_replayed else {}
        return Response({"answers": saved.answers, "version": saved.version}, headers=headers)

    @extend_schema(
        parameters=[DeleteQuerySerializer],
        responses={200: SavedAnswerSerializer, 409: ConflictSerializer, 423: NoWorkSerializer, **errors(410)},
    )
    def delete(self, request: Request, assignment_id: UUID, item_id: UUID) -> Response:
        """Delete an answer. The history keeps it."""
        query = validate(DeleteQuerySerializer, request.query_params)
        delete_answer(caller(request), assignment_id, item_id, query["base_version"])
        return Response({"answers": {}, "version": 0})


def _save_once(rater: User, assignment: UUID, item: UUID, request: Request) -> Saved:
    """Save the answer, or repeat the receipt of an earlier request with the same key, looked up before validation."""
    key, request_hash = key_of(request), fingerprint(item, request.data)
    try:
        submission = Submission(**validate(SubmissionSerializer, request.data), key=key, fingerprint=request_hash)
    except ValidationError:
        if earlier := find_receipt(rater, assignment, item, key, request_hash):
            return earlier
        raise
    return save(rater, assignment, item, submission)


class Finish(ApiView):
    for_raters = True

    @extend_schema(
        parameters=[FinishQuerySerializer],
        request=None,
        responses={200: FinishedSerializer, 409: UnfinishedSerializer, 423: NoWorkSerializer, **errors(410)},
    )
    def post(self, request: Request, assignment_id: UUID) -> Response:
        """Finish the response; its ratings count from then on. 409 with the unanswered items. With `next=true` the
        answer has the caller's next work, so that a program needs no other request."""
        query = validate(FinishQuerySerializer, request.query_params)
        assignment = assignment_for(caller(request), assignment_id)
        finish(assignment)
        if not query["next"]:
            return Response({})
        try:
            following = _take_work(request, assignment.project.slug, with_article=True)
        except BlockedByGate as blocked:
            return Response({"next": None, "gate": blocked.gate})
        if following is None:
            return Response({"next": None})
        document = following.sheet.document
        is_new = document is not None and document.public_id != query.get("has_document")
        article = {"article": DocumentSerializer(document).data} if is_new else {}
        return Response({"next": work_of(following), **article})


class Release(ApiView):
    for_raters = True

    @extend_schema(request=None, responses={200: DONE, **errors(409)})
    def post(self, request: Request, assignment_id: UUID) -> Response:
        """Return the response to the queue. Its answers are stored, and count only if the same rater finishes it or had
        finished it before it was reoffered."""
        release(assignment_for(caller(request), assignment_id))
        return Response({})
