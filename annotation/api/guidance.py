"""A project's guidelines, questions to its leads with their answers, bookmarks, and the side panel that shows them."""

from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from ..access import Needs, assignment_for
from ..models import Bookmark as BookmarkModel
from ..models import GuidelineVersion, Item, RaterQuestion
from ..projects.guidelines import (
    MAX_LENGTH,
    MAX_NOTE_LENGTH,
    Affected,
    current_guidelines,
    guideline_versions,
    publish_guidelines,
    reoffer_affected,
)
from ..queue.slots import lock_project
from ..rating.bookmarks import add_bookmark, remove_bookmark
from ..reviewing.rater_questions import (
    MAX_TEXT_LENGTH,
    STATES,
    How,
    answer_question,
    ask_leads,
    change_question_boundaries,
    inbox,
    mark_read,
    question_for,
)
from ..reviewing.side_panel import panel_contents
from .authentication import caller
from .errors import at_field
from .idempotency import key_of
from .parsers import validate
from .records import OptionalText, RowSerializer, ShownPerson, examples
from .schema import DONE, errors
from .views import ApiView, ListView, ObjectView, ProjectView, RecordView, require_match

MAX_SEEN = 500
MAX_PARTS = 100


class GuidelinesNumberSerializer(serializers.Serializer[object]):
    """The number of the newest guidelines, and the note about the change."""

    number = serializers.IntegerField()
    note = serializers.CharField(allow_blank=True)


class OwnQuestionSerializer(serializers.Serializer[object]):
    """A question for raters: the caller's own or a published one. `item` is null if the item no longer exists."""

    id = serializers.UUIDField()
    item = serializers.UUIDField(allow_null=True)
    kind = serializers.ChoiceField(choices=RaterQuestion.Kind.choices)
    text = serializers.CharField(allow_blank=True)
    answer = serializers.CharField(allow_blank=True)
    asked_at = serializers.DateTimeField()
    answered_at = serializers.DateTimeField(allow_null=True)
    own = serializers.BooleanField()
    new = serializers.BooleanField(help_text="Answered, and not seen yet.")


class BookmarkSerializer(serializers.Serializer[object]):
    item = serializers.UUIDField()
    why = serializers.ChoiceField(choices=BookmarkModel.Reason.choices)


class SidePanelSerializer(serializers.Serializer[object]):
    """Guidelines, questions and bookmarks of a sheet."""

    guidelines = GuidelinesNumberSerializer(allow_null=True)
    items = serializers.ListField(child=serializers.UUIDField(), help_text="The current text of the item.")
    questions = OwnQuestionSerializer(many=True)
    marks = BookmarkSerializer(many=True)


class QuestionTextSerializer(serializers.Serializer[object]):
    """A question, or a report that an item's boundaries are wrong (then the text is optional)."""

    text = OptionalText(max_length=MAX_TEXT_LENGTH)
    kind = serializers.ChoiceField(choices=RaterQuestion.Kind.choices, default=RaterQuestion.Kind.QUESTION)


class StoredQuestionSerializer(RowSerializer):
    class Meta:
        model = RaterQuestion
        fields = ("id", "kind", "text", "asked_at")


class ReadAnswersSerializer(serializers.Serializer[object]):
    """Questions whose answers the caller has read."""

    questions = serializers.ListField(child=serializers.UUIDField(), max_length=MAX_SEEN)


class InboxQuerySerializer(serializers.Serializer[object]):
    state = serializers.ChoiceField(choices=list(STATES), default="open")


class InboxQuestionSerializer(RowSerializer):
    asker = ShownPerson(help_text="The user name, or the pseudonym in a project that hides raters.")
    item = serializers.UUIDField(source="item.public_id")
    item_text = serializers.CharField(source="item.text")
    response = serializers.CharField(source="item.response.key", help_text="Imported id.")
    published = serializers.BooleanField(source="is_published")

    class Meta:
        model = RaterQuestion
        fields = (
            *("id", "kind", "text", "asker", "asked_at", "item", "item_text", "response", "answer", "published"),
            *("answered_by", "answered_at"),
        )


class AnswerTextSerializer(serializers.Serializer[object]):
    """An answer; `published` shows it to all raters of the project."""

    answer = serializers.CharField(max_length=MAX_TEXT_LENGTH)
    published = serializers.BooleanField(default=False)


class ExamplesField(serializers.DictField):
    """Question key to option key to Markdown."""

    child = serializers.DictField(child=serializers.CharField(allow_blank=True))


class NewGuidelinesSerializer(serializers.Serializer[object]):
    text = OptionalText(max_length=MAX_LENGTH)
    examples = ExamplesField(default=dict)
    note = OptionalText(max_length=MAX_NOTE_LENGTH, help_text="Summary of the changes, in one line.")


class GuidelinesSerializer(GuidelinesNumberSerializer):
    """A published version, with its Markdown source."""

    text = serializers.CharField(allow_blank=True)
    examples = ExamplesField()
    made_at = serializers.DateTimeField()


@examples(
    {
        "Two sentences": {"how": "split", "parts": ["They go off.", "Not all do."]},
        "One sentence with the next": {"how": "after"},
    }
)
class BoundariesSerializer(serializers.Serializer[object]):
    """How to change the boundaries of an item."""

    how = serializers.ChoiceField(
        choices=list(How), help_text="`split`, or merge with the item `before` or `after` it."
    )
    parts = serializers.ListField(
        child=serializers.CharField(),
        default=list,
        max_length=MAX_PARTS,
        help_text="The parts of a split: together the text of the item.",
    )


class NewItemSerializer(serializers.Serializer[Item]):
    """An item that replaces others. `start` and `end` in code points of the response."""

    item = serializers.UUIDField(source="public_id")
    position = serializers.IntegerField()
    start = serializers.IntegerField()
    end = serializers.IntegerField()
    text = serializers.CharField()


class ChangedBoundariesSerializer(serializers.Serializer[object]):
    """What the change has done."""

    retired = serializers.ListField(child=serializers.UUIDField(), source="retired_ids")
    items = NewItemSerializer(many=True, source="new_items")
    ratings = serializers.IntegerField(help_text="Ratings that no longer count.")
    asked_again = serializers.IntegerField(help_text="Raters who get the response again.")
    gold = serializers.IntegerField(help_text="New items with the gold answer of the old ones: check them.")


class ReofferSerializer(serializers.Serializer[object]):
    """Which ratings under earlier guidelines: all, or those with one answer."""

    question = OptionalText(help_text="Key.")
    option = OptionalText(help_text="Key.")
    dry_run = serializers.BooleanField(default=False, help_text="Only count.")


class ReofferedSerializer(serializers.Serializer[object]):
    responses = serializers.IntegerField()
    items = serializers.IntegerField()


class SidePanel(ObjectView):
    """Guidelines, answered questions, bookmarks and items of one of the caller's sheets."""

    for_raters = True
    serializer_class = SidePanelSerializer

    def get_object(self) -> dict[str, Any]:
        return panel_contents(assignment_for(caller(self.request), self.kwargs["assignment_id"]))


class Bookmark(ApiView):
    for_raters = True

    @extend_schema(request=None, responses=DONE)
    def put(self, request: Request, assignment_id: UUID, item_id: UUID) -> Response:
        """Bookmark an item."""
        add_bookmark(caller(request), assignment_id, item_id)
        return Response({})

    def delete(self, request: Request, assignment_id: UUID, item_id: UUID) -> Response:
        """Remove the bookmark of an item."""
        remove_bookmark(caller(request), assignment_id, item_id)
        return Response({})


class AskQuestion(ApiView):
    for_raters = True
    own_receipts = ("POST",)  # the key is stored with the question

    @extend_schema(request=QuestionTextSerializer, responses={201: StoredQuestionSerializer, **errors(422, 423)})
    def post(self, request: Request, assignment_id: UUID, item_id: UUID) -> Response:
        """Ask about an item, or report that its boundaries are wrong. A repeated text or key is the same question, even
        if it was answered meanwhile."""
        body = validate(QuestionTextSerializer, request.data)
        question = ask_leads(caller(request), assignment_id, item_id, **body, key=key_of(request))
        return Response(StoredQuestionSerializer(question).data, status=status.HTTP_201_CREATED)


class ReadAnswers(ApiView):
    for_raters = True

    @extend_schema(request=ReadAnswersSerializer, responses=DONE)
    def post(self, request: Request, assignment_id: UUID) -> Response:
        """Mark the answers to these questions of the caller as read."""
        project = assignment_for(caller(request), assignment_id).project
        body = validate(ReadAnswersSerializer, request.data)
        mark_read(caller(request), project, body["questions"])
        return Response({})


class Questions(ProjectView, ListView):
    """Raters' questions and reports: open ones oldest first, others newest first. For leads."""

    serializer_class = InboxQuestionSerializer
    query_serializer = InboxQuerySerializer

    def get_ordering(self) -> str:
        return "pk" if self.query["state"] == "open" else "-pk"

    def get_queryset(self) -> QuerySet[RaterQuestion]:
        return inbox(self.project, self.query["state"])


class SingleQuestion(ProjectView, ObjectView):
    """The question with its answer. For leads."""

    serializer_class = InboxQuestionSerializer
    is_tagged = True

    def get_object(self) -> RaterQuestion:
        return question_for(self.project, self.kwargs["question_id"])


class AnswerQuestion(ProjectView, RecordView):
    serializer_class = InboxQuestionSerializer
    is_tagged = True

    @extend_schema(request=AnswerTextSerializer)
    def put(self, request: Request, slug: str, question_id: UUID) -> Response:
        """Answer a question, or change the answer. For leads."""
        body = validate(AnswerTextSerializer, request.data)
        with transaction.atomic():
            RaterQuestion.objects.select_for_update().filter(project=self.project, public_id=question_id).first()
            self.require_match(question_for(self.project, question_id))
            answer_question(
                self.project, question_id, body["answer"], is_published=body["published"], actor=caller(request)
            )
        return self.answer(question_for(self.project, question_id))


class QuestionBoundaries(ProjectView):
    @extend_schema(request=BoundariesSerializer, responses=ChangedBoundariesSerializer)
    def post(self, request: Request, slug: str, question_id: UUID) -> Response:
        """Split the item, or merge it with the one before or after. Raters who had finished the response get it again,
        for the new items only. A report without an answer is answered with the new text. For leads.
        """
        body = validate(BoundariesSerializer, request.data)
        question = question_for(self.project, question_id)
        with at_field("parts" if body["how"] == How.SPLIT else "how"):
            change = change_question_boundaries(self.project, question, **body, actor=caller(request))
        return Response(ChangedBoundariesSerializer(change).data)


class Guidelines(ProjectView, ObjectView):
    """The newest version, for members. 204 if the project has none."""

    needs: Needs = "member"
    serializer_class = GuidelinesSerializer
    is_tagged = True

    def fetch(self) -> None:
        self.needs = "lead" if self.request.method == "POST" else "member"
        super().fetch()

    @extend_schema(responses={200: GuidelinesSerializer, 204: None})
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        newest = current_guidelines(self.project)
        return self.answer(newest) if newest else Response(status=status.HTTP_204_NO_CONTENT)

    @extend_schema(request=NewGuidelinesSerializer, responses={200: GuidelinesSerializer, **errors(403)})
    def post(self, request: Request, slug: str) -> Response:
        """Publish a version; a text equal to the newest version returns that version. For leads."""
        body = validate(NewGuidelinesSerializer, request.data)
        with transaction.atomic():
            lock_project(self.project)
            newest = current_guidelines(self.project)
            require_match(request, self.data_of(newest) if newest else None)
            published = publish_guidelines(self.project, **body, actor=caller(request))
        return self.answer(published)


class GuidelineVersions(ProjectView, ListView):
    """All versions as they were published, the newest first. For members."""

    needs = "member"
    serializer_class = GuidelinesSerializer
    ordering = "-number"

    def get_queryset(self) -> QuerySet[GuidelineVersion]:
        return guideline_versions(self.project)


class ReofferedResponses(ProjectView):
    @extend_schema(request=ReofferSerializer, responses={200: ReofferedSerializer, **errors(423)})
    def post(self, request: Request, slug: str) -> Response:
        """Offer the finished responses with ratings under earlier guidelines again, all or those with one answer, with
        these items bookmarked for their raters. `dry_run` only counts. For leads.
        """
        body = validate(ReofferSerializer, request.data)
        question, option = body["question"], body["option"]
        options = {each.key: [one.key for one in each.options] for each in self.project.protocol.definition.questions}
        if (question or option) and option not in options.get(question, []):
            raise ValidationError({"option": ["The protocol has no such answer. Send `question` and `option`."]})
        affected, newest = Affected(question, option), current_guidelines(self.project)
        if body["dry_run"] and newest is not None:
            ratings = affected.ratings(self.project, newest.number)
            responses, items = ratings.values("assignment").distinct().count(), ratings.count()
        else:
            responses, items = reoffer_affected(self.project, affected, actor=caller(request))
        return Response(ReofferedSerializer({"responses": responses, "items": items}).data)
