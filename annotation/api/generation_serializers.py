"""Serializers of generated responses: templates, generators, runs and results."""

from decimal import Decimal
from typing import Any

from rest_framework import serializers

from ..generation.generators import MAX_CONTEXT_TOKENS, GeneratorConfiguration
from ..generation.templates import DEFAULT_TEMPLATE
from ..model_calls.configurations import MAX_CONCURRENCY
from ..models import GenerationResult, GenerationTemplate
from .judge_serializers import RETURNED_MODEL
from .model_run_serializers import COST, TOKENS, ModelRunSerializer
from .site_judge_serializers import KEY_VARIABLE, PRICE

_DEFAULT = GeneratorConfiguration()
TEMPLATE_LABEL = "`NAME@N`."


class NewGenerationTemplateSerializer(serializers.Serializer[object]):
    """A new template, or the next version of one."""

    name = serializers.CharField(max_length=60, help_text="Letters, digits and . _ + -.")
    text = serializers.CharField(
        max_length=100_000,
        trim_whitespace=False,
        help_text="With the placeholders $prompt and, unless the context is `none`, $document.",
    )
    context = serializers.ChoiceField(  # type: ignore[assignment]  # a field; the attribute stays what it was
        choices=GenerationTemplate.Context.choices, required=False, default=GenerationTemplate.Context.DOCUMENT
    )
    answer_form = serializers.ChoiceField(
        choices=GenerationTemplate.AnswerForm.choices, required=False, default=GenerationTemplate.AnswerForm.TEXT
    )


class GenerationTemplateSerializer(NewGenerationTemplateSerializer):
    """A version of a template."""

    template = serializers.CharField(source="label", help_text=TEMPLATE_LABEL)
    version = serializers.IntegerField()
    created_at = serializers.DateTimeField()


class GeneratorConfigurationSerializer(serializers.Serializer[object]):
    """The settings of a generated system. The key is in no response."""

    system = serializers.CharField(max_length=200, help_text="The system whose responses these are.")
    base_url = serializers.CharField(max_length=500, help_text="Of an endpoint with the API of OpenAI.")
    model = serializers.CharField(max_length=200)
    key_env = serializers.CharField(
        required=False, default="", allow_blank=True, max_length=100, help_text=KEY_VARIABLE
    )
    template = serializers.CharField(
        required=False,
        default=DEFAULT_TEMPLATE,
        max_length=80,
        help_text="`NAME`, its newest version, or `NAME@N`.",
    )
    temperature = serializers.FloatField(required=False, default=_DEFAULT.temperature, min_value=0, max_value=2)
    max_tokens = serializers.IntegerField(
        required=False, default=_DEFAULT.max_tokens, min_value=1, max_value=10**6, help_text="Of an answer."
    )
    context_tokens = serializers.IntegerField(
        required=False,
        allow_null=True,
        default=None,
        min_value=1,
        max_value=MAX_CONTEXT_TOKENS,
        help_text="Tokens of request and answer that the model accepts; longer requests are not sent.",
    )
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


class NewGeneratorSerializer(GeneratorConfigurationSerializer):
    """The settings of a system whose responses are to be generated. What is missing has its default."""

    key = serializers.CharField(
        required=False,
        default="",
        allow_blank=True,
        max_length=1_000,
        help_text="Stored encrypted, and in no response. Empty: the stored key stays.",
    )


class GeneratorSerializer(GeneratorConfigurationSerializer):
    """A generated system with its settings, and what has come of the prompts of the data set."""

    id = serializers.UUIDField(source="public_id")
    template = serializers.CharField(source="template.label", help_text=TEMPLATE_LABEL)
    returned_model = serializers.CharField(allow_blank=True, allow_null=True, help_text=RETURNED_MODEL)
    has_key = serializers.SerializerMethodField(help_text="Whether a key is stored.")
    created_at = serializers.DateTimeField()
    stored = serializers.IntegerField(help_text="Prompts with a response.")
    failed = serializers.IntegerField(help_text="Prompts whose answer is no response.")
    missing = serializers.IntegerField(help_text="Prompts without a result.")
    cost_usd = serializers.SerializerMethodField(help_text=COST)

    def get_has_key(self, generator: Any) -> bool:
        """Return whether a key is stored."""
        return bool(generator.encrypted_key)

    def get_cost_usd(self, generator: Any) -> float | None:
        """Return the cost of all runs."""
        return float(generator.cost) if generator.has_prices else None


class NewGenerationRunSerializer(serializers.Serializer[object]):
    """A run that generates the missing responses, at most `limit`."""

    limit = serializers.IntegerField(required=False, allow_null=True, default=None, min_value=1, max_value=2**31 - 1)
    budget_usd = serializers.DecimalField(
        max_digits=12,
        decimal_places=6,
        required=False,
        allow_null=True,
        default=None,
        min_value=Decimal("0.000001"),
        help_text="The run ends before it costs more. It needs both prices.",
    )
    budget_tokens = serializers.IntegerField(
        required=False, allow_null=True, default=None, min_value=1, max_value=2**63 - 1, help_text=TOKENS
    )
    retry_failed = serializers.BooleanField(required=False, default=False, help_text="Ask about failed prompts again.")


class GenerationRunSerializer(ModelRunSerializer):
    """A run with what it has stored so far."""

    stored = serializers.IntegerField()
    failed = serializers.IntegerField(help_text="Without those that a later run has repeated.")


class ResultsQuerySerializer(serializers.Serializer[object]):
    """Filters of results."""

    state = serializers.ChoiceField(choices=GenerationResult.State.choices, required=False)


class GenerationResultSerializer(serializers.Serializer[GenerationResult]):
    """A response and how it was made, or why there is none. The parameters are those of the generator."""

    prompt = serializers.CharField(source="prompt.key", help_text="Imported id.")
    response = serializers.CharField(source="response.key", allow_null=True, default=None, help_text="Imported id.")
    text = serializers.CharField(source="response.text", allow_null=True, default=None)
    state = serializers.ChoiceField(choices=GenerationResult.State.choices)
    problem = serializers.CharField(allow_blank=True, help_text="Why it failed.")
    question_type = serializers.CharField(allow_blank=True, help_text="Of an answer in steps.")
    steps = serializers.CharField(allow_blank=True, help_text="Of an answer in steps.")
    reasoning = serializers.CharField(
        allow_blank=True, help_text="What the model thought before it answered; no part of the response."
    )
    returned_model = serializers.CharField(
        source="model", allow_blank=True, help_text="As which the endpoint answered."
    )
    prompt_sha256 = serializers.CharField(allow_blank=True, help_text="Of the messages of the request.")
    prompt_tokens = serializers.IntegerField(allow_null=True)
    completion_tokens = serializers.IntegerField(allow_null=True)
    cost_usd = serializers.FloatField(source="cost", allow_null=True, help_text=COST)
    seconds = serializers.FloatField(allow_null=True, help_text="Waiting for the endpoint.")
    created_at = serializers.DateTimeField()
