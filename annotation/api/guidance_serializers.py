"""What goes in and out beside the answers: guidelines, questions to the leads, the pile to come back to."""

from rest_framework import serializers

from ..models import Bookmark, RaterQuestion
from ..projects.guidelines import MAX_LENGTH, MAX_NOTE_LENGTH
from ..reviewing.rater_questions import LONGEST, STATES

MOST_SEEN = 500


class GuidelinesNumberSerializer(serializers.Serializer[object]):
    """Which guidelines are the newest, and what is new in them."""

    number = serializers.IntegerField()
    note = serializers.CharField(allow_blank=True)


class OwnQuestionSerializer(serializers.Serializer[object]):
    """A question as raters see it: their own, or one whose answer was published. `item`: null where none is left."""

    id = serializers.UUIDField()
    item = serializers.UUIDField(allow_null=True)
    kind = serializers.ChoiceField(choices=RaterQuestion.Kind.choices)
    text = serializers.CharField(allow_blank=True)
    answer = serializers.CharField(allow_blank=True)
    asked_at = serializers.DateTimeField()
    answered_at = serializers.DateTimeField(allow_null=True)
    own = serializers.BooleanField()
    new = serializers.BooleanField(help_text="Answered, and not seen yet.")


class MarkSerializer(serializers.Serializer[object]):
    """An item to come back to."""

    item = serializers.UUIDField()
    why = serializers.ChoiceField(choices=Bookmark.Reason.choices)


class BesideSerializer(serializers.Serializer[object]):
    """What stands beside the answers of a sheet."""

    guidelines = GuidelinesNumberSerializer(allow_null=True)
    items = serializers.ListField(child=serializers.UUIDField(), help_text="What is asked about, as it is now.")
    questions = OwnQuestionSerializer(many=True)
    marks = MarkSerializer(many=True)


class QuestionTextSerializer(serializers.Serializer[object]):
    """A question, or a report that an item is cut wrongly (then the words are optional)."""

    text = serializers.CharField(required=False, default="", allow_blank=True, max_length=LONGEST)
    kind = serializers.ChoiceField(
        choices=RaterQuestion.Kind.choices, required=False, default=RaterQuestion.Kind.QUESTION
    )


class AskedSerializer(serializers.Serializer[object]):
    """A question that was put to the leads."""

    id = serializers.UUIDField(source="public_id")
    kind = serializers.ChoiceField(choices=RaterQuestion.Kind.choices)
    text = serializers.CharField(allow_blank=True)
    asked_at = serializers.DateTimeField()


class SeenSerializer(serializers.Serializer[object]):
    """Answers that the caller has read."""

    questions = serializers.ListField(child=serializers.UUIDField(), max_length=MOST_SEEN)


class InboxQuerySerializer(serializers.Serializer[object]):
    """Which questions."""

    state = serializers.ChoiceField(choices=list(STATES), required=False, default="open")
    offset = serializers.IntegerField(required=False, default=0, min_value=0, max_value=10**6)


class InboxQuestionSerializer(serializers.Serializer[object]):
    """A question as leads see it."""

    id = serializers.UUIDField(source="public_id")
    kind = serializers.ChoiceField(choices=RaterQuestion.Kind.choices)
    text = serializers.CharField(allow_blank=True)
    asker = serializers.CharField(source="asker.username")
    asked_at = serializers.DateTimeField()
    item = serializers.UUIDField(source="item.public_id")
    item_text = serializers.CharField(source="item.text")
    response = serializers.CharField(source="item.response.key", help_text="Imported id.")
    answer = serializers.CharField(allow_blank=True)
    published = serializers.BooleanField(source="is_published")
    answered_by = serializers.CharField(source="answered_by.username", allow_null=True, default=None)
    answered_at = serializers.DateTimeField(allow_null=True)


class InboxSerializer(serializers.Serializer[object]):
    """A hundred questions at most, and how many there are."""

    count = serializers.IntegerField()
    questions = InboxQuestionSerializer(many=True)


class AnswerTextSerializer(serializers.Serializer[object]):
    """An answer; `published` shows it to all raters of the project."""

    answer = serializers.CharField(max_length=LONGEST)
    published = serializers.BooleanField(required=False, default=False)


class ExamplesField(serializers.DictField):
    """Question key to option key to Markdown."""

    child = serializers.DictField(child=serializers.CharField(allow_blank=True))


class NewGuidelinesSerializer(serializers.Serializer[object]):
    """Guidelines to publish."""

    text = serializers.CharField(required=False, default="", allow_blank=True, max_length=MAX_LENGTH)
    examples = ExamplesField(required=False, default=dict)
    note = serializers.CharField(
        required=False, default="", allow_blank=True, max_length=MAX_NOTE_LENGTH, help_text="What is new, in a line."
    )


class GuidelinesSerializer(GuidelinesNumberSerializer):
    """A published version, Markdown as it was written."""

    text = serializers.CharField(allow_blank=True)
    examples = ExamplesField()
    made_at = serializers.DateTimeField()
