"""Serializers of disagreements, adjudications and gold answers."""

from typing import Any

from drf_spectacular.utils import OpenApiExample, extend_schema_serializer
from rest_framework import serializers

from ..models import Rating
from ..rating.evidence import MAX_PASSAGES
from ..rating.submit import COMMENT_LENGTH
from ..reviewing.disagreement_ranking import SHOWS
from .assignment_serializers import PassageSerializer
from .guidance_serializers import ShownPerson

MAX_OFFSET = 10**6


class ReviewQuerySerializer(serializers.Serializer[object]):
    """Filters of the list of disagreements."""

    show = serializers.ChoiceField(choices=list(SHOWS), required=False, default=SHOWS[0])
    system = serializers.CharField(required=False, default="", max_length=200)
    offset = serializers.IntegerField(required=False, default=0, min_value=0, max_value=MAX_OFFSET)


class OffsetSerializer(serializers.Serializer[object]):
    """Where a page of a ranked list starts."""

    offset = serializers.IntegerField(required=False, default=0, min_value=0, max_value=MAX_OFFSET)


class VoteSerializer(serializers.Serializer[Any]):
    """An answer, and how many raters gave it."""

    answers = serializers.DictField(source="choices")
    raters = serializers.IntegerField(source="n")


class VerdictRatingSerializer(serializers.Serializer[Rating]):
    """A decision of a lead, or a gold answer."""

    answers = serializers.DictField()
    reason = serializers.CharField(source="comment", allow_blank=True)
    evidence = serializers.ListField(child=serializers.DictField())
    by = ShownPerson(source="rater")
    rated_at = serializers.DateTimeField()


class ContestedItemSerializer(serializers.Serializer[Any]):
    """An item under review."""

    item = serializers.UUIDField(source="item.public_id")
    text = serializers.CharField(source="item.text", allow_blank=True)
    response = serializers.CharField(source="item.response.key", help_text="Imported id.")
    score = serializers.FloatField(help_text="0 if raters agree.")
    raters = serializers.IntegerField()
    votes = VoteSerializer(many=True)
    comments = serializers.IntegerField()
    adjudication = VerdictRatingSerializer(allow_null=True)
    gold = VerdictRatingSerializer(allow_null=True)


class ContestedItemsSerializer(serializers.Serializer[object]):
    """At most 25 items, and the number of all."""

    count = serializers.IntegerField()
    items = ContestedItemSerializer(many=True)


@extend_schema_serializer(
    examples=[
        OpenApiExample(
            "Accurate", {"answers": {"accuracy": "accurate"}, "reason": "The abstract says so."}, request_only=True
        )
    ]
)
class AdjudicationSerializer(serializers.Serializer[object]):
    """A decision about an item."""

    answers = serializers.DictField(help_text="Question key to answer.")
    reason = serializers.CharField(max_length=COMMENT_LENGTH, trim_whitespace=False)
    evidence = serializers.ListField(child=PassageSerializer(), required=False, default=list, max_length=MAX_PASSAGES)


@extend_schema_serializer(
    examples=[OpenApiExample("Accurate", {"answers": {"accuracy": "accurate"}}, request_only=True)]
)
class GoldAnswerSerializer(serializers.Serializer[object]):
    """A gold answer to an item."""

    answers = serializers.DictField(help_text="Question key to answer.")
    reason = serializers.CharField(
        required=False,
        allow_blank=True,
        default="",
        max_length=COMMENT_LENGTH,
        trim_whitespace=False,
        help_text="Shown to raters in training.",
    )
