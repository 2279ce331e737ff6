"""Beside the answers: a project's guidelines, questions to its leads and their answers, and a rater's pile."""

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from ..access import assignment_for, project_for
from ..projects.guidelines import current_guidelines, publish_guidelines
from ..rating.bookmarks import add_bookmark, remove_bookmark
from ..reviewing.rater_questions import answer, ask, inbox, mark_read, question_for
from ..reviewing.side_panel import panel_contents
from .assignments import KEY, key_of
from .authentication import caller
from .error_serializers import ErrorSerializer
from .guidance_serializers import (
    AnswerTextSerializer,
    AskedSerializer,
    BesideSerializer,
    GuidelinesSerializer,
    InboxQuerySerializer,
    InboxQuestionSerializer,
    InboxSerializer,
    NewGuidelinesSerializer,
    QuestionTextSerializer,
    SeenSerializer,
)
from .schema import DONE

AT_ONCE = 100
_MISSING = {404: ErrorSerializer}
_FOR_LEADS = {403: ErrorSerializer, 404: ErrorSerializer}


class Beside(APIView):
    """What stands beside the answers."""

    @extend_schema(responses={200: BesideSerializer, **_MISSING})
    def get(self, request: Request, assignment_id: UUID) -> Response:
        """Guidelines, questions with answers, the pile and the items of one of the caller's sheets."""
        return Response(BesideSerializer(panel_contents(assignment_for(caller(request), assignment_id))).data)


class Marked(APIView):
    """The pile to come back to."""

    @extend_schema(request=None, responses={200: DONE, **_MISSING})
    def put(self, request: Request, assignment_id: UUID, item_id: UUID) -> Response:
        """Put an item on the caller's pile."""
        add_bookmark(caller(request), assignment_id, item_id)
        return Response({})

    @extend_schema(responses={200: DONE, **_MISSING})
    def delete(self, request: Request, assignment_id: UUID, item_id: UUID) -> Response:
        """Take an item off the pile."""
        remove_bookmark(caller(request), assignment_id, item_id)
        return Response({})


class Asked(APIView):
    """A question to the leads."""

    @extend_schema(
        parameters=[KEY],
        request=QuestionTextSerializer,
        responses={
            201: AskedSerializer,
            400: ErrorSerializer,
            422: ErrorSerializer,
            423: ErrorSerializer,
            **_MISSING,
        },
    )
    def post(self, request: Request, assignment_id: UUID, item_id: UUID) -> Response:
        """Ask about an item, or report that it is cut wrongly. The same words again are the same question,
        and so is the same key, also when it was answered meanwhile."""
        body = QuestionTextSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        question = ask(caller(request), assignment_id, item_id, **body.validated_data, key=key_of(request))
        return Response(AskedSerializer(question).data, status=status.HTTP_201_CREATED)


class Seen(APIView):
    """Answers that were read."""

    @extend_schema(request=SeenSerializer, responses={200: DONE, **_MISSING})
    def post(self, request: Request, assignment_id: UUID) -> Response:
        """The caller has read the answers to these questions of their own."""
        project = assignment_for(caller(request), assignment_id).project
        body = SeenSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        mark_read(caller(request), project, body.validated_data["questions"])
        return Response({})


class Questions(APIView):
    """The leads' inbox."""

    @extend_schema(
        parameters=[InboxQuerySerializer], responses={200: InboxSerializer, 400: ErrorSerializer, **_FOR_LEADS}
    )
    def get(self, request: Request, slug: str) -> Response:
        """What raters ask and report: open ones the oldest first, others the newest first. For leads."""
        project = project_for(caller(request), slug, needs="lead")
        query = InboxQuerySerializer(data=request.query_params)
        query.is_valid(raise_exception=True)
        questions, offset = inbox(project, query.validated_data["state"]), query.validated_data["offset"]
        page = questions[offset : offset + AT_ONCE]
        return Response(InboxSerializer({"count": questions.count(), "questions": page}).data)


class Answered(APIView):
    """The answer to a question."""

    @extend_schema(request=AnswerTextSerializer, responses={200: InboxQuestionSerializer, **_FOR_LEADS})
    def put(self, request: Request, slug: str, question_id: UUID) -> Response:
        """Answer a question, or change the answer. For leads."""
        project = project_for(caller(request), slug, needs="lead")
        body = AnswerTextSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        fields = body.validated_data
        answer(project, question_id, fields["answer"], is_published=fields["published"], actor=caller(request))
        return Response(InboxQuestionSerializer(question_for(project, question_id)).data)


class Guidelines(APIView):
    """A project's own guidelines."""

    @extend_schema(responses={200: GuidelinesSerializer, 204: None, **_MISSING})
    def get(self, request: Request, slug: str) -> Response:
        """The newest version, for members. 204 where the project has none."""
        newest = current_guidelines(project_for(caller(request), slug))
        return Response(GuidelinesSerializer(newest).data) if newest else Response(status=status.HTTP_204_NO_CONTENT)

    @extend_schema(request=NewGuidelinesSerializer, responses={200: GuidelinesSerializer, **_FOR_LEADS})
    def post(self, request: Request, slug: str) -> Response:
        """Publish a version; the same as the newest again is that one. For leads."""
        project = project_for(caller(request), slug, needs="lead")
        body = NewGuidelinesSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        published = publish_guidelines(project, **body.validated_data, actor=caller(request))
        return Response(GuidelinesSerializer(published).data)
