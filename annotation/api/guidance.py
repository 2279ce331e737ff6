"""A project's guidelines, questions to its leads with their answers, and the side panel that shows them."""

from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from ..access import assignment_for, project_for
from ..models import Project, RaterQuestion
from ..projects.guidelines import (
    Affected,
    current_guidelines,
    guideline_versions,
    publish_guidelines,
    reoffer_affected,
)
from ..queue.slots import lock_project
from ..reviewing.rater_questions import (
    How,
    answer_question,
    ask_leads,
    change_question_boundaries,
    inbox,
    mark_read,
    question_for,
)
from ..reviewing.sentence_boundaries import BoundaryChangeRefused
from ..reviewing.side_panel import panel_contents
from .authentication import caller
from .guidance_serializers import (
    AnswerTextSerializer,
    BoundariesSerializer,
    ChangedBoundariesSerializer,
    GuidelinesSerializer,
    InboxQuerySerializer,
    InboxQuestionSerializer,
    NewGuidelinesSerializer,
    QuestionTextSerializer,
    ReadAnswersSerializer,
    ReofferedSerializer,
    ReofferSerializer,
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
        responses={201: StoredQuestionSerializer, **errors(404, 422, 423)},
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
        parameters=[InboxQuerySerializer], responses={200: InboxQuestionSerializer(many=True), **errors(403, 404)}
    )
    def get(self, request: Request, slug: str) -> Response:
        """Raters' questions and reports: open ones oldest first, others newest first. For leads."""
        project = project_for(caller(request), slug, needs="lead")
        query = validate(InboxQuerySerializer, request.query_params)
        order = "pk" if query["state"] == "open" else "-pk"
        return self.page(request, inbox(project, query["state"]), InboxQuestionSerializer, order)


class SingleQuestion(ApiView):
    """A question to the leads."""

    @extend_schema(
        operation_id="projects_questions_retrieve",
        parameters=[IF_NONE_MATCH, ETAG],
        responses={200: InboxQuestionSerializer, 304: None, **errors(403, 404)},
    )
    def get(self, request: Request, slug: str, question_id: UUID) -> Response:
        """The question with its answer. For leads."""
        return tagged(request, _shown(project_for(caller(request), slug, needs="lead"), question_id))


class AnswerQuestion(ApiView):
    """The answer to a question."""

    @extend_schema(
        parameters=[IF_MATCH, ETAG],
        request=AnswerTextSerializer,
        responses={200: InboxQuestionSerializer, **errors(403, 404, 412)},
    )
    def put(self, request: Request, slug: str, question_id: UUID) -> Response:
        """Answer a question, or change the answer. For leads."""
        project = project_for(caller(request), slug, needs="lead")
        body = validate(AnswerTextSerializer, request.data)
        with transaction.atomic():
            RaterQuestion.objects.select_for_update().filter(project=project, public_id=question_id).first()
            require_match(request, _shown(project, question_id))
            answer_question(project, question_id, body["answer"], is_published=body["published"], actor=caller(request))
        return tagged(request, _shown(project, question_id))


def _shown(project: Project, question_id: UUID) -> Any:
    return InboxQuestionSerializer(question_for(project, question_id)).data


class QuestionBoundaries(ApiView):
    """The boundaries of the item that a question is about."""

    @extend_schema(request=BoundariesSerializer, responses={200: ChangedBoundariesSerializer, **errors(403, 404)})
    def post(self, request: Request, slug: str, question_id: UUID) -> Response:
        """Split the item, or merge it with the one before or after. Raters who had finished the response get it again,
        for the new items only. A report without an answer is answered with the new text. For leads.
        """
        project = project_for(caller(request), slug, needs="lead")
        body = validate(BoundariesSerializer, request.data)
        question = question_for(project, question_id)
        try:
            done = change_question_boundaries(project, question, body["how"], body["parts"], actor=caller(request))
        except BoundaryChangeRefused as error:
            field = "parts" if body["how"] == How.SPLIT else "how"
            raise ValidationError({field: [str(error)]}) from None
        return Response(ChangedBoundariesSerializer(done).data)


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


class GuidelineVersions(ListView):
    """The versions of a project's guidelines."""

    @extend_schema(
        operation_id="projects_guidelines_versions_list",
        responses={200: GuidelinesSerializer(many=True), **errors(404)},
    )
    def get(self, request: Request, slug: str) -> Response:
        """All versions as they were published, the newest first. For members."""
        versions = guideline_versions(project_for(caller(request), slug))
        return self.page(request, versions, GuidelinesSerializer, "-number")


class ReofferedResponses(ApiView):
    """Finished responses that are offered again after a change of the guidelines."""

    @extend_schema(request=ReofferSerializer, responses={200: ReofferedSerializer, **errors(403, 404, 423)})
    def post(self, request: Request, slug: str) -> Response:
        """Offer the finished responses with ratings under earlier guidelines again, all or those with one answer, with
        these items bookmarked for their raters. `dry_run` only counts. For leads.
        """
        project = project_for(caller(request), slug, needs="lead")
        body = validate(ReofferSerializer, request.data)
        affected = _affected(project, body["question"], body["option"])
        newest = current_guidelines(project)
        if body["dry_run"] and newest is not None:
            ratings = affected.ratings(project, newest.number)
            responses, items = ratings.values("assignment").distinct().count(), ratings.count()
        else:
            responses, items = reoffer_affected(project, affected, actor=caller(request))
        return Response(ReofferedSerializer({"responses": responses, "items": items}).data)


def _affected(project: Project, question: str, option: str) -> Affected:
    """Return the selection. Raises ValidationError unless the protocol has the answer, or both are empty."""
    options = {each.key: [one.key for one in each.options] for each in project.protocol.definition.questions}
    if (question or option) and option not in options.get(question, []):
        raise ValidationError({"option": [_("The protocol has no such answer. Send `question` and `option`.")]})
    return Affected(question, option)
