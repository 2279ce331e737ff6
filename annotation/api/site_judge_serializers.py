"""Serializers of the judges of the site: configurations of versions."""

from typing import Any

from rest_framework import serializers

from ..judging.judges import MAX_SAMPLES, Configuration
from ..model_calls.configurations import MAX_CONCURRENCY
from ..models import Item, Judge
from .judge_serializers import VERSION

PRICE = "USD per million tokens. Without both prices there is no cost and no budget."
KEY_VARIABLE = "Environment variable of the worker with the key. Its name starts with MODEL_ or JUDGE_."
_DEFAULT = Configuration()


class ConfigurationSerializer(serializers.Serializer[object]):
    """A rule, or a model at an endpoint with its prompt, limits and prices. The key is in no response."""

    rule = serializers.ChoiceField(choices=["", *Judge.Rule.values], required=False, default="", allow_blank=True)
    base_url = serializers.CharField(
        required=False, default="", allow_blank=True, max_length=500, help_text="Of an endpoint, with a model."
    )
    model = serializers.CharField(required=False, default="", allow_blank=True, max_length=200)
    key_env = serializers.CharField(
        required=False,
        default="",
        allow_blank=True,
        max_length=100,
        help_text=KEY_VARIABLE,
    )
    template = serializers.CharField(
        required=False,
        default="",
        allow_blank=True,
        max_length=100_000,
        trim_whitespace=False,
        help_text="The prompt; empty: the built-in one.",
    )
    temperature = serializers.FloatField(required=False, default=_DEFAULT.temperature, min_value=0, max_value=2)
    samples = serializers.IntegerField(
        required=False, default=_DEFAULT.samples, min_value=1, max_value=MAX_SAMPLES, help_text="Answers per request."
    )
    sees = serializers.ChoiceField(choices=Judge.Sees.choices, required=False, default=_DEFAULT.sees)
    rates = serializers.ChoiceField(choices=Judge.Rates.choices, required=False, default=_DEFAULT.rates)
    fact_qa = serializers.ChoiceField(
        choices=["", *Judge.FactQA.values], required=False, default="", allow_blank=True, help_text="Mode of Fact-QA."
    )
    fact_source = serializers.ChoiceField(
        choices=Judge.FactSource.choices, required=False, default=_DEFAULT.fact_source
    )
    precision_only = serializers.BooleanField(
        required=False, default=False, help_text="Fact-QA: score precision alone."
    )
    max_tokens = serializers.IntegerField(
        required=False, default=_DEFAULT.max_tokens, min_value=1, max_value=10**6, help_text="Of an answer."
    )
    logprobs = serializers.BooleanField(required=False, default=False, help_text="Request them, for the confidence.")
    timeout = serializers.FloatField(
        required=False, default=_DEFAULT.timeout, min_value=0.1, max_value=3_600, help_text="Seconds."
    )
    concurrency = serializers.IntegerField(
        required=False, default=_DEFAULT.concurrency, min_value=1, max_value=MAX_CONCURRENCY
    )
    requests_per_minute = serializers.IntegerField(
        required=False, allow_null=True, default=None, min_value=1, max_value=10**6
    )
    input_price = serializers.DecimalField(
        max_digits=12, decimal_places=6, required=False, allow_null=True, default=None, min_value=0, help_text=PRICE
    )
    output_price = serializers.DecimalField(
        max_digits=12, decimal_places=6, required=False, allow_null=True, default=None, min_value=0, help_text=PRICE
    )


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

    name = serializers.CharField(max_length=60, help_text="Letters, digits and . _ + -.")
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

    def get_has_key(self, judge: Any) -> bool:
        """Return whether a key is stored."""
        return bool(judge.encrypted_key)


class SiteJudgesSerializer(serializers.Serializer[object]):
    """The versions of all judges, by name."""

    judges = SiteJudgeSerializer(many=True)
