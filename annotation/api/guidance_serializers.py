"""Serializers of guidelines, questions to the leads and bookmarks."""

from typing import Any

from drf_spectacular.utils import OpenApiExample, extend_schema_serializer
from rest_framework import serializers

from ..models import Bookmark, Item, RaterQuestion
from ..projects.guidelines import MAX_LENGTH, MAX_NOTE_LENGTH
from ..pseudonyms import shown_username
from ..reviewing.rater_questions import MAX_TEXT_LENGTH, STATES, How

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
    """A bookmarked item."""

    item = serializers.UUIDField()
    why = serializers.ChoiceField(choices=Bookmark.Reason.choices)


class SidePanelSerializer(serializers.Serializer[object]):
    """Guidelines, questions and bookmarks of a sheet."""

    guidelines = GuidelinesNumberSerializer(allow_null=True)
    items = serializers.ListField(child=serializers.UUIDField(), help_text="The current text of the item.")
    questions = OwnQuestionSerializer(many=True)
    marks = BookmarkSerializer(many=True)


class QuestionTextSerializer(serializers.Serializer[object]):
    """A question, or a report that an item's boundaries are wrong (then the text is optional)."""

    text = serializers.CharField(required=False, default="", allow_blank=True, max_length=MAX_TEXT_LENGTH)
    kind = serializers.ChoiceField(
        choices=RaterQuestion.Kind.choices, required=False, default=RaterQuestion.Kind.QUESTION
    )


class StoredQuestionSerializer(serializers.Serializer[object]):
    """A stored question."""

    id = serializers.UUIDField(source="public_id")
    kind = serializers.ChoiceField(choices=RaterQuestion.Kind.choices)
    text = serializers.CharField(allow_blank=True)
    asked_at = serializers.DateTimeField()


class ReadAnswersSerializer(serializers.Serializer[object]):
    """Questions whose answers the caller has read."""

    questions = serializers.ListField(child=serializers.UUIDField(), max_length=MAX_SEEN)


class InboxQuerySerializer(serializers.Serializer[object]):
    """Filter of the inbox."""

    state = serializers.ChoiceField(choices=list(STATES), required=False, default="open")


class ShownPerson(serializers.CharField):
    """A person by user name, or by the pseudonym where the name is hidden."""

    def to_representation(self, value: Any) -> str:
        """Return what the caller may see of the user `value`."""
        return shown_username(value)


class InboxQuestionSerializer(serializers.Serializer[object]):
    """A question for leads."""

    id = serializers.UUIDField(source="public_id")
    kind = serializers.ChoiceField(choices=RaterQuestion.Kind.choices)
    text = serializers.CharField(allow_blank=True)
    asker = ShownPerson(help_text="The user name, or the pseudonym in a project that hides raters.")
    asked_at = serializers.DateTimeField()
    item = serializers.UUIDField(source="item.public_id")
    item_text = serializers.CharField(source="item.text")
    response = serializers.CharField(source="item.response.key", help_text="Imported id.")
    answer = serializers.CharField(allow_blank=True)
    published = serializers.BooleanField(source="is_published")
    answered_by = ShownPerson(allow_null=True, default=None)
    answered_at = serializers.DateTimeField(allow_null=True)


class AnswerTextSerializer(serializers.Serializer[object]):
    """An answer; `published` shows it to all raters of the project."""

    answer = serializers.CharField(max_length=MAX_TEXT_LENGTH)
    published = serializers.BooleanField(required=False, default=False)


class ExamplesField(serializers.DictField):
    """Question key to option key to Markdown."""

    child = serializers.DictField(child=serializers.CharField(allow_blank=True))


class NewGuidelinesSerializer(serializers.Serializer[object]):
    """Guidelines to publish."""

    text = serializers.CharField(required=False, default="", allow_blank=True, max_length=MAX_LENGTH)
    examples = ExamplesField(required=False, default=dict)
    note = serializers.CharField(
        required=False,
        default="",
        allow_blank=True,
        max_length=MAX_NOTE_LENGTH,
        help_text="Summary of the changes, in one line.",
    )


class GuidelinesSerializer(GuidelinesNumberSerializer):
    """A published version, with its Markdown source."""

    text = serializers.CharField(allow_blank=True)
    examples = ExamplesField()
    made_at = serializers.DateTimeField()


@extend_schema_serializer(
    examples=[
        OpenApiExample("Two sentences", {"how": "split", "parts": ["They go off.", "Not all do."]}, request_only=True),
        OpenApiExample("One sentence with the next", {"how": "after"}, request_only=True),
    ]
)
class BoundariesSerializer(serializers.Serializer[object]):
    """How to change the boundaries of an item."""

    how = serializers.ChoiceField(
        choices=list(How), help_text="`split`, or merge with the item `before` or `after` it."
    )
    parts = serializers.ListField(
        child=serializers.CharField(),
        required=False,
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

    question = serializers.CharField(required=False, allow_blank=True, default="", help_text="Key.")
    option = serializers.CharField(required=False, allow_blank=True, default="", help_text="Key.")
    dry_run = serializers.BooleanField(required=False, default=False, help_text="Only count.")


class ReofferedSerializer(serializers.Serializer[object]):
    """What is offered again."""

    responses = serializers.IntegerField()
    items = serializers.IntegerField()
