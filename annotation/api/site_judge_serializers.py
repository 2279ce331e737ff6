"""Serializers of the judges of the site: configurations of versions."""

from typing import Any, ClassVar

from rest_framework import serializers

from ..models import Item, Judge
from .endpoint_serializers import SettingsSerializer
from .judge_serializers import VERSION


class ConfigurationSerializer(SettingsSerializer):
    """A rule, or a model at an endpoint with its prompt, limits and prices. The key is in no response."""

    class Meta:
        model = Judge
        fields: ClassVar[tuple[str, ...]] = Judge.SETTINGS


class TuningItemSerializer(serializers.Serializer[object]):
    """An item that tuned the prompt of a judge."""

    response = serializers.CharField(max_length=1_000, help_text="Its imported id.")
    item = serializers.IntegerField(min_value=0, max_value=10**6, help_text="Its position in the response.")
    unit = serializers.ChoiceField(choices=Item.Unit.choices, required=False, default=Item.Unit.SENTENCE)
    against = serializers.CharField(
        required=False, default="", allow_blank=True, max_length=1_000, help_text="The other response of a pair."
    )


class NewJudgeSerializer(ConfigurationSerializer):
    """A new judge, or the next version of one. What is missing has its default."""

    key = serializers.CharField(
        required=False,
        default="",
        allow_blank=True,
        max_length=1_000,
        help_text="Stored encrypted, and in no response. Empty: the stored key stays.",
    )

    repeat = serializers.BooleanField(
        required=False,
        default=False,
        help_text="Make the next version with all that the newest has, which asks again; with `name` alone.",
    )
    tuned_on_project = serializers.SlugField(
        required=False, allow_null=True, default=None, help_text="The rated items of this project tuned the prompt."
    )
    tuned_on = serializers.ListField(
        child=TuningItemSerializer(),
        required=False,
        default=list,
        max_length=10_000,
        help_text="What tuned the prompt.",
    )

    class Meta(ConfigurationSerializer.Meta):
        fields = ("name", *Judge.SETTINGS, "key", "repeat", "tuned_on_project", "tuned_on")


class CreatedJudgeSerializer(serializers.Serializer[Judge]):
    """The version that has this configuration."""

    judge = serializers.CharField(source="label", help_text=VERSION)


class SiteJudgeSerializer(ConfigurationSerializer):
    """A version of a judge with its configuration."""

    judge = serializers.CharField(source="label", help_text=VERSION)
    created_at = serializers.DateTimeField()
    tuning_items = serializers.IntegerField(
        source="tuned", help_text="Number of items that tuned it or an earlier version."
    )
    has_key = serializers.SerializerMethodField(help_text="Whether a key is stored.")

    class Meta(ConfigurationSerializer.Meta):
        fields = (*Judge.SETTINGS, "judge", "created_at", "tuning_items", "has_key")

    def get_has_key(self, judge: Any) -> bool:
        """Return whether a key is stored."""
        return bool(judge.encrypted_key)


class SiteJudgesSerializer(serializers.Serializer[object]):
    """The versions of all judges, by name."""

    judges = SiteJudgeSerializer(many=True)
