"""A project's guidelines, questions to its leads with their answers, and the side panel that shows them."""

from uuid import UUID

from django.db import transaction
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from ..access import assignment_for, project_for
from ..projects.guidelines import current_guidelines, publish_guidelines
from ..queue.slots import lock_project
from ..reviewing.rater_questions import answer_question, ask_leads, inbox, mark_read, question_for
from ..reviewing.side_panel import panel_contents
from .authentication import caller
from .guidance_serializers import (
    AnswerTextSerializer,
    GuidelinesSerializer,
    InboxQuerySerializer,
    InboxQuestionSerializer,
    NewGuidelinesSerializer,
    QuestionTextSerializer,
    ReadAnswersSerializer,
    SidePanelSerializer,
    StoredQuestionSerializer,
)
from .idempotency import key_of
from .parsers import validate
from .schema import DONE, ETAG, IF_MATCH, IF_NONE_MATCH, errors
from .views import ApiView, ListView, require_match, tagged


class SidePanel(ApiView):
    """Guidelines, questions and bookmarks of a sheet."""

    for_raters = True

    @extend_schema(responses={200: SidePanelSerializer, **errors(404)})
    def get(self, request: Request, assignment_id: UUID) -> Response:
        """Guidelines, answered questions, bookmarks and items of one of the caller's sheets."""
        return Response(SidePanelSerializer(panel_contents(assignment_for(caller(request), assignment_id))).data)


class AskQuestion(ApiView):
    """A question to the leads."""

    for_raters = True
    own_receipts = ("POST",)  # the key is stored with the question

    @extend_schema(
        request=QuestionTextSerializer,
        responses={201: StoredQuestionSerializer, **errors(400, 404, 422, 423)},
    )
    def post(self, request: Request, assignment_id: UUID, item_id: UUID) -> Response:
        """Ask about an item, or report that its boundaries are wrong. A repeated text or key is the same question, even
        if it was answered meanwhile."""
        body = validate(QuestionTextSerializer, request.data)
        question = ask_leads(caller(request), assignment_id, item_id, **body, key=key_of(request))
        return Response(StoredQuestionSerializer(question).data, status=status.HTTP_201_CREATED)


class ReadAnswers(ApiView):
    """Mark answers as read."""

    for_raters = True

    @extend_schema(request=ReadAnswersSerializer, responses={200: DONE, **errors(404)})
    def post(self, request: Request, assignment_id: UUID) -> Response:
        """Mark the answers to these questions of the caller as read."""
        project = assignment_for(caller(request), assignment_id).project
        body = validate(ReadAnswersSerializer, request.data)
        mark_read(caller(request), project, body["questions"])
        return Response({})


class Questions(ListView):
    """The leads' inbox."""

    @extend_schema(
        parameters=[InboxQuerySerializer], responses={200: InboxQuestionSerializer(many=True), **errors(400, 403, 404)}
    )
    def get(self, request: Request, slug: str) -> Response:
        """Raters' questions and reports: open ones oldest first, others newest first. For leads."""
        project = project_for(caller(request), slug, needs="lead")
        query = validate(InboxQuerySerializer, request.query_params)
        order = "pk" if query["state"] == "open" else "-pk"
        return self.page(request, inbox(project, query["state"]), InboxQuestionSerializer, order)


class AnswerQuestion(ApiView):
    """The answer to a question."""

    @extend_schema(request=AnswerTextSerializer, responses={200: InboxQuestionSerializer, **errors(403, 404)})
    def put(self, request: Request, slug: str, question_id: UUID) -> Response:
        """Answer a question, or change the answer. For leads."""
        project = project_for(caller(request), slug, needs="lead")
        body = validate(AnswerTextSerializer, request.data)
        answer_question(project, question_id, body["answer"], is_published=body["published"], actor=caller(request))
        return Response(InboxQuestionSerializer(question_for(project, question_id)).data)


class Guidelines(ApiView):
    """A project's own guidelines."""

    @extend_schema(
        parameters=[IF_NONE_MATCH, ETAG],
        responses={200: GuidelinesSerializer, 204: None, 304: None, **errors(404)},
    )
    def get(self, request: Request, slug: str) -> Response:
        """The newest version, for members. 204 if the project has none."""
        newest = current_guidelines(project_for(caller(request), slug))
        if newest is None:
            return Response(status=status.HTTP_204_NO_CONTENT)
        return tagged(request, GuidelinesSerializer(newest).data)

    @extend_schema(
        parameters=[IF_MATCH, ETAG],
        request=NewGuidelinesSerializer,
        responses={200: GuidelinesSerializer, **errors(403, 404, 412)},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Publish a version; a text equal to the newest version returns that version. For leads."""
        project = project_for(caller(request), slug, needs="lead")
        body = validate(NewGuidelinesSerializer, request.data)
        with transaction.atomic():
            lock_project(project)
            newest = current_guidelines(project)
            require_match(request, GuidelinesSerializer(newest).data if newest else None)
            published = publish_guidelines(project, **body, actor=caller(request))
        return tagged(request, GuidelinesSerializer(published).data)
