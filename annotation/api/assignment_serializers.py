"""Serializers of work and of its answers. System names and imported ids are never included."""

import math
import re
from typing import Any, get_args

from rest_framework import serializers

from ..models import Assignment, Document, Item, Rating
from ..qualification.gates import Gate
from ..rating.evidence import MAX_EVIDENCE_LENGTH, MAX_OFFSET, MAX_PASSAGES, STANCES, Passage
from ..rating.rater_view import answered_items, responses_as_seen
from ..rating.shown_verdicts import attach_verdicts
from ..rating.submit import COMMENT_LENGTH
from .documents import DocumentSerializer
from .records import examples
from .schema import ErrorSerializer

MAX_VERSION = 2**31 - 1
# PostgreSQL stores neither NUL nor unpaired surrogates; JSON may contain both.
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


class PassageSerializer(serializers.Serializer[object]):
    """A passage of the article that supports or contradicts the sentence."""

    paragraph = serializers.CharField(max_length=200, trim_whitespace=False, help_text="Id in the document.")
    start = serializers.IntegerField(
        min_value=0, max_value=MAX_OFFSET, help_text="First code point in the paragraph's text."
    )
    end = serializers.IntegerField(min_value=1, max_value=MAX_OFFSET, help_text="The code point after its last.")
    stance = serializers.ChoiceField(choices=STANCES)
    text = serializers.CharField(trim_whitespace=False, help_text="The exact text of the range.")

    def to_internal_value(self, data: object) -> dict[str, str | int]:
        """Return the text as sent: `save` compares it byte for byte with the article's."""
        passage = super().to_internal_value(data)
        if unstorable := [name for name, value in passage.items() if _UNSTORABLE.search(str(value))]:
            message = "A character that cannot be stored (NUL, or half of a surrogate pair)."
            raise serializers.ValidationError({name: [message] for name in unstorable})
        return dict(passage)


@examples(
    {
        "Accurate": {"answers": {"accuracy": "accurate"}, "base_version": 0},
        "Severe, with a comment": {
            "answers": {"accuracy": "inaccurate", "severity": "severe"},
            "base_version": 1,
            "comment": "Table 2 says 11.8 km.",
            "evidence": [
                {"paragraph": "p2", "start": 4, "end": 29, "stance": "contradicts", "text": "median range was 11.8 km."}
            ],
            "suggestions": "used",
            "seconds": 12.5,
        },
    }
)
class SubmissionSerializer(serializers.Serializer[object]):
    """The body of a request that saves an answer."""

    answers = serializers.DictField(help_text="Question key to answer.")
    base_version = serializers.IntegerField(
        min_value=0, max_value=MAX_VERSION, help_text="The version that the client has; 0 before the first answer."
    )
    comment = serializers.CharField(required=False, allow_blank=True, trim_whitespace=False, max_length=COMMENT_LENGTH)
    evidence = serializers.ListField(
        child=PassageSerializer(),
        required=False,
        max_length=MAX_PASSAGES,
        help_text="All attached passages; [] removes them.",
    )
    suggestions = serializers.ChoiceField(
        choices=Rating.Suggestions.choices, required=False, help_text="Whether passages were suggested to the rater."
    )
    guidelines = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=MAX_VERSION,
        help_text="Version of the guidelines shown to the rater; the newest if absent.",
    )
    seconds = serializers.FloatField(required=False, min_value=0, max_value=1e6, help_text="Time spent, in seconds.")

    def validate_seconds(self, seconds: float) -> float:
        """Reject NaN, which passes every comparison, and infinity."""
        if not math.isfinite(seconds):
            raise serializers.ValidationError("A number of seconds.")
        return seconds

    def validate_evidence(self, evidence: list[Passage]) -> list[Passage]:
        """Limit the total length of the passages."""
        if sum(len(passage["text"]) for passage in evidence) > MAX_EVIDENCE_LENGTH:
            raise serializers.ValidationError(f"At most {MAX_EVIDENCE_LENGTH:,} characters in all.")
        return evidence


class NextWorkQuerySerializer(serializers.Serializer[object]):
    after = serializers.UUIDField(
        required=False,
        help_text="The current assignment: requests the work after it before it is finished. Repeated requests "
        "return the same work.",
    )


class PrefetchQuerySerializer(serializers.Serializer[object]):
    after = serializers.UUIDField(help_text="The current assignment.")


class PrefetchedSerializer(serializers.Serializer[object]):
    """The caller's prefetched work."""

    assignments = serializers.ListField(child=serializers.UUIDField(), help_text="Ids, in queue order.")


class DeleteQuerySerializer(serializers.Serializer[object]):
    base_version = serializers.IntegerField(
        min_value=0, max_value=MAX_VERSION, help_text="The version that the client has."
    )


class SavedAnswerSerializer(serializers.Serializer[object]):
    answers = serializers.DictField()
    version = serializers.IntegerField()


class PromptSerializer(serializers.Serializer[object]):
    """The prompt that the system received."""

    id = serializers.UUIDField()
    text = serializers.CharField()


class DocumentLinkSerializer(serializers.Serializer[object]):
    """The address of the document."""

    id = serializers.UUIDField()
    url = serializers.CharField()


class ResponseSerializer(serializers.Serializer[object]):
    """The response of the system, byte for byte."""

    id = serializers.UUIDField()
    text = serializers.CharField()


class ShownVerdictSerializer(serializers.Serializer[object]):
    """What a judge says about an item: the suggestion of a machine."""

    judge = serializers.CharField()
    answers = serializers.DictField()
    reason = serializers.CharField()
    quote = serializers.CharField()
    quote_found = serializers.BooleanField(
        allow_null=True, help_text="In the document or the evidence; null: nothing was quoted."
    )


class ItemSerializer(serializers.Serializer[object]):
    """An item to rate, with the caller's own answers (null before the first)."""

    id = serializers.UUIDField(source="public_id")
    unit = serializers.ChoiceField(choices=Item.Unit.choices)
    position = serializers.IntegerField()
    kind = serializers.CharField()
    start = serializers.IntegerField(allow_null=True)
    end = serializers.IntegerField(allow_null=True)
    text = serializers.CharField()
    rate = serializers.BooleanField()
    answers = serializers.DictField(allow_null=True)
    version = serializers.SerializerMethodField()
    verdict = ShownVerdictSerializer(
        required=False, help_text="In projects that show verdicts before the answer. Ratings given later record it."
    )

    def get_version(self, item: Any) -> int:
        return item.version or 0


class WorkSerializer(serializers.Serializer[object]):
    """A sheet to rate."""

    id = serializers.UUIDField()
    expires_at = serializers.DateTimeField()
    prompt = PromptSerializer()
    document = DocumentLinkSerializer(allow_null=True)
    responses = ResponseSerializer(many=True)
    items = ItemSerializer(many=True)
    protocol = serializers.DictField(help_text="Questions, options and conditions.")
    reference = serializers.CharField(
        required=False, help_text="The other answer, under protocols that show the prompt's reference answer."
    )


def work_of(assignment: Assignment) -> dict[str, Any]:
    """Return an assignment in the form of the API."""
    sheet, protocol = assignment.sheet, assignment.project.protocol.definition
    items = answered_items(assignment)
    attach_verdicts(assignment, items)
    reference = {"reference": sheet.response.prompt.reference} if protocol.shows_reference else {}
    return {
        "id": str(assignment.public_id),
        "expires_at": assignment.slot.expires_at,
        "prompt": {"id": str(sheet.response.prompt.public_id), "text": sheet.response.prompt.text},
        "document": _link(sheet.document),
        "responses": [{"id": str(r.public_id), "text": r.text} for r in responses_as_seen(assignment)],
        "items": ItemSerializer(items, many=True).data,
        "protocol": protocol.as_json(),
        **reference,
    }


def _link(document: Document | None) -> dict[str, str] | None:
    if document is None:
        return None
    return {"id": str(document.public_id), "url": f"/api/v1/documents/{document.public_id}/"}


class FinishQuerySerializer(serializers.Serializer[object]):
    next = serializers.BooleanField(default=False, help_text="Take the next work in the same request.")
    has_document = serializers.UUIDField(
        required=False, help_text="The document that the caller has: the answer omits its article."
    )


class FinishedSerializer(serializers.Serializer[object]):
    """A finished response: an empty object, or the next work if it was asked for."""

    next = WorkSerializer(required=False, allow_null=True, help_text="Null if no work is left, or a gate comes first.")
    article = DocumentSerializer(required=False, help_text="The article of `next`, if the caller does not have it.")
    gate = serializers.ChoiceField(choices=get_args(Gate), required=False, help_text="What comes before more work.")


class UnfinishedSerializer(ErrorSerializer):
    """An error of a request to finish a response, with the unanswered items."""

    open = serializers.ListField(child=serializers.UUIDField())


class ConflictSerializer(ErrorSerializer):
    """A conflict, with the stored answer."""

    version = serializers.IntegerField()
    answers = serializers.DictField()
    evidence = serializers.ListField(child=serializers.DictField())
    comment = serializers.CharField(allow_blank=True)


class NoWorkSerializer(ErrorSerializer):
    """An error that names why no work is given. `gate` is absent in an archived project, or if the caller is no
    rater."""

    gate = serializers.ChoiceField(choices=get_args(Gate), required=False)
