"""Generated responses: prompt templates, the settings of generated systems, their runs, requests and results.

Templates and settings never change: another text is the next version of a template, other settings are another system.
"""

import uuid

import pgtrigger
from django.conf import settings
from django.db import models
from django.db.models import Q, QuerySet

from .created_at import CreatedAtField
from .model_calls import (
    IS_CALL_STATE_VALID,
    IS_ENDED_VALID,
    IS_RESPONSE_FORMAT_VALID,
    VERSION_NAME,
    ModelCall,
    ModelConfiguration,
    ModelRun,
    between,
)


class GenerationTemplate(models.Model):
    """One version of the prompt with which responses are generated, with what it shows and what it asks for."""

    class Context(models.TextChoices):
        DOCUMENT = "document", "The whole document"
        PASSAGES = "passages", "The passages that fit best"
        NONE = "none", "No document"

    class AnswerForm(models.TextChoices):
        TEXT = "text", "The response alone"
        STEPS = "steps", "Type, steps and answer; the answer is the response"

    name = models.CharField(
        max_length=60,
        validators=[VERSION_NAME],
        help_text="Letters, digits and . _ + -. Under the name of an existing template, this is its next version.",
    )
    version = models.PositiveIntegerField()
    text = models.TextField(
        max_length=100_000,
        help_text="With $prompt and, unless it shows no document, $document. $fence is a word that is in no text; $$ "
        "is a dollar sign.",
    )
    context = models.CharField("shows", max_length=8, choices=Context, default=Context.DOCUMENT)
    answer_form = models.CharField(
        "form of the answer",
        max_length=5,
        choices=AnswerForm,
        default=AnswerForm.TEXT,
        help_text="For steps, the text asks for three parts, each on a new line after Type:, Steps: or Answer:.",
    )
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    created_at = CreatedAtField()

    class Meta:
        ordering = ["name", "version"]
        constraints = [
            models.UniqueConstraint(fields=["name", "version"], name="unique_generation_template_version"),
            models.CheckConstraint(
                condition=Q(context__in=["document", "passages", "none"]), name="generation_template_context_valid"
            ),
            models.CheckConstraint(
                condition=Q(answer_form__in=["text", "steps"]), name="generation_template_answer_form_valid"
            ),
        ]
        triggers = [pgtrigger.ReadOnly(name="generation_template_is_immutable")]

    def __str__(self) -> str:
        return self.label

    @property
    def label(self) -> str:
        """NAME@1 of the first version. NAME alone means the newest version."""
        return f"{self.name}@{self.version}"


class Generator(ModelConfiguration):
    """The settings with which the responses of one system are generated for a data set."""

    SETTINGS = (*ModelConfiguration.SETTINGS, "template", "context_tokens")

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    dataset = models.ForeignKey("annotation.Dataset", models.CASCADE, related_name="generators")
    system = models.CharField(max_length=200, help_text="The name under which the responses appear in reports.")
    template = models.ForeignKey(GenerationTemplate, models.PROTECT, related_name="generators")
    context_tokens = models.PositiveIntegerField(
        null=True,
        blank=True,
        validators=between(1, 100_000_000),
        help_text="Of a request with its answer, as many as the model accepts. Longer requests are not sent. Empty: no "
        "limit.",
    )

    class Meta:
        ordering = ["system"]
        constraints = [
            models.UniqueConstraint(fields=["dataset", "system"], name="unique_generator_system"),
            models.CheckConstraint(condition=Q(base_url__gt="", model__gt=""), name="generator_has_endpoint"),
            models.CheckConstraint(
                condition=Q(concurrency__gte=1, max_tokens__gte=1, timeout__gt=0), name="generator_numbers_positive"
            ),
        ]
        triggers = [pgtrigger.ReadOnly(name="generator_is_immutable", exclude=["encrypted_key", "returned_model"])]

    def __str__(self) -> str:
        return self.system

    @property
    def label(self) -> str:
        return self.system

    @property
    def how_to_replace(self) -> str:
        return "generate the responses of another system"


class GenerationRun(ModelRun):
    """One run of a generator over the prompts of its data set."""

    generator = models.ForeignKey(Generator, models.CASCADE, related_name="runs")

    class Meta:
        ordering = ["-started_at", "-id"]
        constraints = [
            models.CheckConstraint(condition=IS_ENDED_VALID, name="generation_run_ended_valid"),
            models.CheckConstraint(condition=IS_RESPONSE_FORMAT_VALID, name="generation_run_response_format_valid"),
        ]

    def __str__(self) -> str:
        return f"{self.generator_id} at {self.started_at}"

    @property
    def configuration(self) -> Generator:
        return self.generator

    @property
    def first_format(self) -> str:
        return "text"

    def related_runs(self) -> "QuerySet[GenerationRun]":
        return GenerationRun.objects.filter(generator=self.generator_id)

    def own_calls(self) -> "QuerySet[GenerationCall]":
        return GenerationCall.objects.filter(run=self)

    def related_calls(self) -> "QuerySet[GenerationCall]":
        return GenerationCall.objects.filter(run__generator=self.generator_id)

    def has_paid_for(self, call: ModelCall) -> bool:
        return isinstance(call, GenerationCall) and call.run.generator_id == self.generator_id


class GenerationCall(ModelCall):
    """One request of a generator and its answer."""

    run = models.ForeignKey(GenerationRun, models.CASCADE, related_name="calls")
    prompt = models.ForeignKey("annotation.Prompt", models.CASCADE, related_name="+")

    class Meta:
        ordering = ["id"]
        constraints = [models.CheckConstraint(condition=IS_CALL_STATE_VALID, name="generation_call_state_valid")]
        indexes = [
            models.Index(fields=["run"], condition=Q(state="sent"), name="sent_generation_calls"),
        ]

    def __str__(self) -> str:
        return f"{self.state} call for prompt {self.prompt_id}"


class GenerationResult(models.Model):
    """What a generator made of a prompt: a response, or why there is none. The parameters are those of the generator.

    `question_type`, `steps`: the other parts of an answer in steps. Tokens and cost (USD) are those of the answer that
    gave the response.
    """

    class State(models.TextChoices):
        STORED = "stored", "Stored"
        FAILED = "failed", "Failed"

    generator = models.ForeignKey(Generator, models.CASCADE, related_name="results")
    prompt = models.ForeignKey("annotation.Prompt", models.CASCADE, related_name="+")
    run = models.ForeignKey(GenerationRun, models.CASCADE, related_name="results")
    response = models.OneToOneField(
        "annotation.Response", models.CASCADE, null=True, blank=True, related_name="generation"
    )
    state = models.CharField(max_length=6, choices=State)
    problem = models.TextField(blank=True, default="", help_text="Why it failed.")
    question_type = models.TextField(blank=True, default="")
    steps = models.TextField(blank=True, default="")
    reasoning = models.TextField(blank=True, default="", db_default="", help_text="What the model thought before it.")
    model = models.CharField(max_length=200, blank=True, default="", help_text="As which the endpoint answered.")
    prompt_sha256 = models.CharField(max_length=64, blank=True, default="", help_text="Of the messages of the request.")
    prompt_tokens = models.PositiveIntegerField(null=True, blank=True)
    completion_tokens = models.PositiveIntegerField(null=True, blank=True)
    cost = models.DecimalField(max_digits=14, decimal_places=8, null=True, blank=True)
    seconds = models.FloatField(null=True, blank=True, help_text="Waiting for the endpoint.")
    created_at = CreatedAtField()

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["generator", "prompt"], name="unique_generation_result"),
            models.CheckConstraint(
                condition=Q(state="stored", response__isnull=False) | Q(state="failed", response__isnull=True),
                name="generation_result_has_response_if_stored",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.generator_id} on prompt {self.prompt_id}: {self.state}"
