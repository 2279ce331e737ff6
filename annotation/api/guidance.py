"""A project's guidelines, questions to its leads with their answers, and a rater's bookmarks."""

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from ..access import assignment_for, project_for
from ..projects.guidelines import current_guidelines, publish_guidelines
from ..rating.bookmarks import add_bookmark, remove_bookmark
from ..reviewing.rater_questions import answer_question, ask_leads, inbox, mark_read, question_for
from ..reviewing.side_panel import panel_contents
from .assignments import KEY, key_of
from .authentication import caller
from .error_serializers import ErrorSerializer
from .guidance_serializers import (
    AnswerTextSerializer,
    GuidelinesSerializer,
    InboxQuerySerializer,
    InboxQuestionSerializer,
    InboxSerializer,
    NewGuidelinesSerializer,
    QuestionTextSerializer,
    ReadAnswersSerializer,
    SidePanelSerializer,
    StoredQuestionSerializer,
)
from .schema import DONE

INBOX_SIZE = 100
_NOT_FOUND = {404: ErrorSerializer}
_LEAD_ERRORS = {403: ErrorSerializer, 404: ErrorSerializer}


class SidePanel(APIView):
    """Guidelines, questions and bookmarks of a sheet."""

    @extend_schema(responses={200: SidePanelSerializer, **_NOT_FOUND})
    def get(self, request: Request, assignment_id: UUID) -> Response:
        """Guidelines, answered questions, bookmarks and items of one of the caller's sheets."""
        return Response(SidePanelSerializer(panel_contents(assignment_for(caller(request), assignment_id))).data)


class Bookmark(APIView):
    """The caller's bookmark of an item."""

    @extend_schema(request=None, responses={200: DONE, **_NOT_FOUND})
    def put(self, request: Request, assignment_id: UUID, item_id: UUID) -> Response:
        """Bookmark an item."""
        add_bookmark(caller(request), assignment_id, item_id)
        return Response({})

    @extend_schema(responses={200: DONE, **_NOT_FOUND})
    def delete(self, request: Request, assignment_id: UUID, item_id: UUID) -> Response:
        """Remove the bookmark of an item."""
        remove_bookmark(caller(request), assignment_id, item_id)
        return Response({})


class AskQuestion(APIView):
    """A question to the leads."""

    @extend_schema(
        parameters=[KEY],
        request=QuestionTextSerializer,
        responses={
            201: StoredQuestionSerializer,
            400: ErrorSerializer,
            422: ErrorSerializer,
            423: ErrorSerializer,
            **_NOT_FOUND,
        },
    )
    def post(self, request: Request, assignment_id: UUID, item_id: UUID) -> Response:
        """Ask about an item, or report that its boundaries are wrong. A repeated text or key is the same question, even
        if it was answered meanwhile."""
        body = QuestionTextSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        question = ask_leads(caller(request), assignment_id, item_id, **body.validated_data, key=key_of(request))
        return Response(StoredQuestionSerializer(question).data, status=status.HTTP_201_CREATED)


class ReadAnswers(APIView):
    """Mark answers as read."""

    @extend_schema(request=ReadAnswersSerializer, responses={200: DONE, **_NOT_FOUND})
    def post(self, request: Request, assignment_id: UUID) -> Response:
        """Mark the answers to these questions of the caller as read."""
        project = assignment_for(caller(request), assignment_id).project
        body = ReadAnswersSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        mark_read(caller(request), project, body.validated_data["questions"])
        return Response({})


class Questions(APIView):
    """The leads' inbox."""

    @extend_schema(
        parameters=[InboxQuerySerializer], responses={200: InboxSerializer, 400: ErrorSerializer, **_LEAD_ERRORS}
    )
    def get(self, request: Request, slug: str) -> Response:
        """Raters' questions and reports: open ones oldest first, others newest first. For leads."""
        project = project_for(caller(request), slug, needs="lead")
        query = InboxQuerySerializer(data=request.query_params)
        query.is_valid(raise_exception=True)
        questions, offset = inbox(project, query.validated_data["state"]), query.validated_data["offset"]
        page = questions[offset : offset + INBOX_SIZE]
        return Response(InboxSerializer({"count": questions.count(), "questions": page}).data)


class AnswerQuestion(APIView):
    """The answer to a question."""

    @extend_schema(request=AnswerTextSerializer, responses={200: InboxQuestionSerializer, **_LEAD_ERRORS})
    def put(self, request: Request, slug: str, question_id: UUID) -> Response:
        """Answer a question, or change the answer. For leads."""
        project = project_for(caller(request), slug, needs="lead")
        body = AnswerTextSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        fields = body.validated_data
        answer_question(project, question_id, fields["answer"], is_published=fields["published"], actor=caller(request))
        return Response(InboxQuestionSerializer(question_for(project, question_id)).data)


class Guidelines(APIView):
    """A project's own guidelines."""

    @extend_schema(responses={200: GuidelinesSerializer, 204: None, **_NOT_FOUND})
    def get(self, request: Request, slug: str) -> Response:
        """The newest version, for members. 204 if the project has none."""
        newest = current_guidelines(project_for(caller(request), slug))
        return Response(GuidelinesSerializer(newest).data) if newest else Response(status=status.HTTP_204_NO_CONTENT)

    @extend_schema(request=NewGuidelinesSerializer, responses={200: GuidelinesSerializer, **_LEAD_ERRORS})
    def post(self, request: Request, slug: str) -> Response:
        """Publish a version; a text equal to the newest version returns that version. For leads."""
        project = project_for(caller(request), slug, needs="lead")
        body = NewGuidelinesSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        published = publish_guidelines(project, **body.validated_data, actor=caller(request))
        return Response(GuidelinesSerializer(published).data)
