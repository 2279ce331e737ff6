"""Work and answers to it, as the contract names them. Neither system names nor imported ids are in it."""

import math
import re
from typing import Any

from drf_spectacular.utils import OpenApiExample, extend_schema_serializer
from rest_framework import serializers

from ..models import Assignment, Document, Item, Rating
from ..rating.evidence import MAX_EVIDENCE_LENGTH, MAX_OFFSET, MAX_PASSAGES, STANCES, Passage
from ..rating.pair_order import responses_as_seen
from ..rating.rater_view import answered_items
from ..rating.submit import COMMENT_LENGTH, Submission
from .error_serializers import ErrorSerializer

LARGEST_VERSION = 2**31 - 1
# PostgreSQL stores neither NUL nor half of a surrogate pair, and JSON can bring both.
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


class PassageSerializer(serializers.Serializer[object]):
    """A passage of the article that speaks for or against the sentence."""

    paragraph = serializers.CharField(max_length=200, trim_whitespace=False, help_text="Id in the document.")
    start = serializers.IntegerField(
        min_value=0, max_value=MAX_OFFSET, help_text="First code point in the paragraph's text."
    )
    end = serializers.IntegerField(min_value=1, max_value=MAX_OFFSET, help_text="The code point after its last.")
    stance = serializers.ChoiceField(choices=STANCES)
    text = serializers.CharField(trim_whitespace=False, help_text="What stands there, to the letter.")

    def to_internal_value(self, data: object) -> dict[str, str | int]:
        """Return the text as sent: `save` compares it with the article's, byte for byte."""
        passage = super().to_internal_value(data)
        if unstorable := [name for name, value in passage.items() if _UNSTORABLE.search(str(value))]:
            message = "A character that cannot be stored (NUL, or half of a surrogate pair)."
            raise serializers.ValidationError({name: [message] for name in unstorable})
        return dict(passage)


@extend_schema_serializer(
    examples=[
        OpenApiExample("Accurate", {"answers": {"accuracy": "accurate"}, "base_version": 0}),
        OpenApiExample(
            "Severe, with a comment",
            {
                "answers": {"accuracy": "inaccurate", "severity": "severe"},
                "base_version": 1,
                "comment": "Table 2 says 11.8 km.",
                "evidence": [
                    {
                        "paragraph": "p2",
                        "start": 4,
                        "end": 29,
                        "stance": "contradicts",
                        "text": "median range was 11.8 km.",
                    }
                ],
                "suggestions": "used",
                "seconds": 12.5,
            },
        ),
    ]
)
class SubmissionSerializer(serializers.Serializer[object]):
    """An answer as it comes in."""

    answers = serializers.DictField(help_text="Question key to answer.")
    base_version = serializers.IntegerField(
        min_value=0, max_value=LARGEST_VERSION, help_text="The version that was seen; 0 before the first answer."
    )
    comment = serializers.CharField(required=False, allow_blank=True, trim_whitespace=False, max_length=COMMENT_LENGTH)
    evidence = serializers.ListField(
        child=PassageSerializer(),
        required=False,
        max_length=MAX_PASSAGES,
        help_text="All passages attached; [] takes them off.",
    )
    suggestions = serializers.ChoiceField(
        choices=Rating.Suggestions.choices, required=False, help_text="Whether passages were suggested to the rater."
    )
    guidelines = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=LARGEST_VERSION,
        help_text="Number of the guidelines that were before the rater; the newest if it is not sent.",
    )
    seconds = serializers.FloatField(required=False, min_value=0, max_value=1e6, help_text="Time spent, in seconds.")

    def validate_seconds(self, seconds: float) -> float:
        """Refuse NaN, which passes every comparison, and infinity."""
        if not math.isfinite(seconds):
            raise serializers.ValidationError("A number of seconds.")
        return seconds

    def validate_evidence(self, evidence: list[Passage]) -> list[Passage]:
        """Limit the total length."""
        if sum(len(passage["text"]) for passage in evidence) > MAX_EVIDENCE_LENGTH:
            raise serializers.ValidationError(f"At most {MAX_EVIDENCE_LENGTH:,} characters in all.")
        return evidence

    def submission(self, key: str, fingerprint: str) -> Submission:
        """Return the parameter of `rating.submit.save`."""
        return Submission(**self.validated_data, key=key, fingerprint=fingerprint)


class AfterSerializer(serializers.Serializer[object]):
    """The query of a request for work."""

    after = serializers.UUIDField(
        required=False,
        help_text="An assignment in hand: asks for the work after it, before it is finished. The same until then.",
    )


class AheadSerializer(serializers.Serializer[object]):
    """The query of a request for work ahead."""

    after = serializers.UUIDField(help_text="The assignment in hand.")


class HeldSerializer(serializers.Serializer[object]):
    """What the caller has ahead."""

    assignments = serializers.ListField(
        child=serializers.UUIDField(), help_text="Ids, in the order in which they come."
    )


class TakeBackSerializer(serializers.Serializer[object]):
    """The query of a DELETE."""

    base_version = serializers.IntegerField(
        min_value=0, max_value=LARGEST_VERSION, help_text="The version that was seen."
    )


class SavedSerializer(serializers.Serializer[object]):
    """An answer as stored."""

    answers = serializers.DictField()
    version = serializers.IntegerField()


class PromptSerializer(serializers.Serializer[object]):
    """What was asked of the system."""

    id = serializers.UUIDField()
    text = serializers.CharField()


class DocumentLinkSerializer(serializers.Serializer[object]):
    """Where the document is."""

    id = serializers.UUIDField()
    url = serializers.CharField()


class ResponseSerializer(serializers.Serializer[object]):
    """What the system answered, byte for byte."""

    id = serializers.UUIDField()
    text = serializers.CharField()


class ItemSerializer(serializers.Serializer[object]):
    """What one rating is about, with the caller's own answers (null before the first)."""

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

    def get_version(self, item: Any) -> int:
        """0 before the first answer."""
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
    """Return the assignment as the API shows it."""
    sheet, protocol = assignment.sheet, assignment.project.protocol.definition
    reference = {"reference": sheet.response.prompt.reference} if protocol.shows_reference else {}
    return {
        "id": str(assignment.public_id),
        "expires_at": assignment.slot.expires_at,
        "prompt": {"id": str(sheet.response.prompt.public_id), "text": sheet.response.prompt.text},
        "document": _link(sheet.document),
        "responses": [{"id": str(r.public_id), "text": r.text} for r in responses_as_seen(assignment)],
        "items": ItemSerializer(answered_items(assignment), many=True).data,
        "protocol": protocol.as_json(),
        **reference,
    }


def _link(document: Document | None) -> dict[str, str] | None:
    if document is None:
        return None
    return {"id": str(document.public_id), "url": f"/api/v1/documents/{document.public_id}/"}


class StillOpenSerializer(serializers.Serializer[object]):
    """Why a response cannot be finished."""

    detail = serializers.CharField()
    open = serializers.ListField(child=serializers.UUIDField())


class OutdatedSerializer(serializers.Serializer[object]):
    """What is stored instead."""

    detail = serializers.CharField()
    version = serializers.IntegerField()
    answers = serializers.DictField()
    evidence = serializers.ListField(child=serializers.DictField())
    comment = serializers.CharField(allow_blank=True)


class GatedSerializer(ErrorSerializer):
    """Why there is no work. `gate` is missing where the project is archived, or the caller does not rate in it."""

    gate = serializers.ChoiceField(choices=["paused", "training", "qualification", "failed"], required=False)
