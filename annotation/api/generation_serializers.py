"""Serializers of generated responses: templates, generators, runs and results."""

from typing import Any, ClassVar

from rest_framework import serializers

from ..generation.templates import DEFAULT_TEMPLATE
from ..models import GenerationResult, GenerationTemplate, Generator
from .endpoint_serializers import COST, RETURNED_MODEL, ModelRunSerializer, RunLimitsSerializer, SettingsSerializer

TEMPLATE_LABEL = "`NAME@N`."


class NewGenerationTemplateSerializer(SettingsSerializer):
    """A new template, or the next version of one."""

    class Meta:
        model = GenerationTemplate
        fields: ClassVar[tuple[str, ...]] = ("name", "text", "context", "answer_form")


class GenerationTemplateSerializer(NewGenerationTemplateSerializer):
    """A version of a template."""

    template = serializers.CharField(source="label", help_text=TEMPLATE_LABEL)

    class Meta(NewGenerationTemplateSerializer.Meta):
        fields = (*NewGenerationTemplateSerializer.Meta.fields, "template", "version", "created_at")


class GeneratorSettingsSerializer(SettingsSerializer):
    """The settings of a generated system. The key is in no response."""

    required_settings = ("base_url", "model")

    class Meta:
        model = Generator
        fields: ClassVar[tuple[str, ...]] = ("system", *Generator.SETTINGS)


class NewGeneratorSerializer(GeneratorSettingsSerializer):
    """The settings of a system whose responses are to be generated. What is missing has its default."""

    template = serializers.CharField(
        required=False, default=DEFAULT_TEMPLATE, max_length=80, help_text="`NAME`, its newest version, or `NAME@N`."
    )
    key = serializers.CharField(
        required=False,
        default="",
        allow_blank=True,
        max_length=1_000,
        help_text="Stored encrypted, and in no response. Empty: the stored key stays.",
    )

    class Meta(GeneratorSettingsSerializer.Meta):
        fields = (*GeneratorSettingsSerializer.Meta.fields, "key")


class GeneratorSerializer(GeneratorSettingsSerializer):
    """A generated system with its settings, and what has come of the prompts of the data set."""

    id = serializers.UUIDField(source="public_id")
    template = serializers.CharField(source="template.label", help_text=TEMPLATE_LABEL)
    returned_model = serializers.CharField(allow_blank=True, allow_null=True, help_text=RETURNED_MODEL)
    has_key = serializers.SerializerMethodField(help_text="Whether a key is stored.")
    stored = serializers.IntegerField(help_text="Prompts with a response.")
    failed = serializers.IntegerField(help_text="Prompts whose answer is no response.")
    missing = serializers.IntegerField(help_text="Prompts without a result.")
    cost_usd = serializers.SerializerMethodField(help_text=COST)

    class Meta(GeneratorSettingsSerializer.Meta):
        fields = (
            *GeneratorSettingsSerializer.Meta.fields,
            *("id", "returned_model", "has_key", "created_at", "stored", "failed", "missing", "cost_usd"),
        )

    def get_has_key(self, generator: Any) -> bool:
        """Return whether a key is stored."""
        return bool(generator.encrypted_key)

    def get_cost_usd(self, generator: Any) -> float | None:
        """Return the cost of all runs."""
        return float(generator.cost) if generator.has_prices else None


class NewGenerationRunSerializer(RunLimitsSerializer):
    """A run that generates the missing responses."""


class GenerationRunSerializer(ModelRunSerializer):
    """A run with what it has stored so far."""

    stored = serializers.IntegerField()
    failed = serializers.IntegerField(help_text="Without those that a later run has repeated.")


class ResultsQuerySerializer(serializers.Serializer[object]):
    """Filters of results."""

    state = serializers.ChoiceField(choices=GenerationResult.State.choices, required=False)


class GenerationResultSerializer(serializers.ModelSerializer[GenerationResult]):
    """A response and how it was made, or why there is none. The parameters are those of the generator."""

    prompt = serializers.CharField(source="prompt.key", help_text="Imported id.")
    response = serializers.CharField(source="response.key", allow_null=True, default=None, help_text="Imported id.")
    text = serializers.CharField(source="response.text", allow_null=True, default=None)
    returned_model = serializers.CharField(
        source="model", allow_blank=True, help_text="As which the endpoint answered."
    )
    cost_usd = serializers.FloatField(source="cost", allow_null=True, help_text=COST)

    class Meta:
        model = GenerationResult
        fields = (
            *("prompt", "response", "text", "state", "problem", "question_type", "steps", "reasoning"),
            *("returned_model", "prompt_sha256", "prompt_tokens", "completion_tokens", "cost_usd", "seconds"),
            "created_at",
        )
        read_only_fields = fields
