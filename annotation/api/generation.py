"""Generated responses for programs of admins: templates, settings of systems, token counts, runs and results."""

from typing import Any, ClassVar
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.generation import start_generation, start_token_count

from ..generation.generators import create_generator
from ..generation.summaries import generators_of, runs_of
from ..generation.templates import DEFAULT_TEMPLATE, TemplateContent, find_template, save_template, store_built_in
from ..model_calls.errors import ModelError, RunBusy
from ..model_calls.keys import check_key_variable
from ..model_calls.runs import RunLimits
from ..models import GenerationResult, GenerationRun, GenerationTemplate, Generator
from .authentication import caller
from .endpoint_serializers import RunLimitsSerializer, SettingsSerializer
from .jobs import JobSerializer, started
from .judges import COST, RETURNED_MODEL, ModelRunSerializer
from .parsers import validate
from .records import RowSerializer
from .schema import errors
from .site_judges import HasKey, NewKey
from .views import AdminView, DatasetView, ListView, ObjectView, first_or_404

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


class GeneratorConfigurationSerializer(SettingsSerializer):
    """The settings of a generated system. The key is in no response."""

    required_settings = ("base_url", "model")
    template = serializers.CharField(
        default=DEFAULT_TEMPLATE, max_length=80, help_text="`NAME`, its newest version, or `NAME@N`."
    )

    class Meta:
        model = Generator
        fields: ClassVar[tuple[str, ...]] = ("system", *Generator.SETTINGS)


class NewGeneratorSerializer(GeneratorConfigurationSerializer):
    """The settings of a system whose responses are to be generated. What is missing has its default."""

    key = NewKey()

    class Meta(GeneratorConfigurationSerializer.Meta):
        fields = (*GeneratorConfigurationSerializer.Meta.fields, "key")


class GeneratorSerializer(GeneratorConfigurationSerializer):
    """A generated system with its settings, and what has come of the prompts of the data set."""

    id = serializers.UUIDField(source="public_id")
    template = serializers.CharField(source="template.label", help_text=TEMPLATE_LABEL)
    returned_model = serializers.CharField(allow_blank=True, allow_null=True, help_text=RETURNED_MODEL)
    has_key = HasKey()
    created_at = serializers.DateTimeField()
    stored = serializers.IntegerField(help_text="Prompts with a response.")
    failed = serializers.IntegerField(help_text="Prompts whose answer is no response.")
    missing = serializers.IntegerField(help_text="Prompts without a result.")
    cost_usd = serializers.SerializerMethodField(help_text=COST)

    class Meta(GeneratorConfigurationSerializer.Meta):
        fields = (
            *GeneratorConfigurationSerializer.Meta.fields,
            *("id", "returned_model", "has_key", "created_at", "stored", "failed", "missing", "cost_usd"),
        )

    def get_cost_usd(self, generator: Any) -> float | None:
        return float(generator.cost) if generator.has_prices else None


class NewGenerationRunSerializer(RunLimitsSerializer):
    """A run that generates the missing responses."""


class GenerationRunSerializer(ModelRunSerializer):
    """A run with what it has stored so far."""

    stored = serializers.IntegerField()
    failed = serializers.IntegerField(help_text="Without those that a later run has repeated.")


class ResultsQuerySerializer(serializers.Serializer[object]):
    state = serializers.ChoiceField(choices=GenerationResult.State.choices, required=False)


class GenerationResultSerializer(RowSerializer):
    """A response and how it was made, or why there is none. The parameters are those of the generator."""

    prompt = serializers.CharField(source="prompt.key", help_text="Imported id.")
    response = serializers.CharField(source="response.key", allow_null=True, default=None, help_text="Imported id.")
    text = serializers.CharField(source="response.text", allow_null=True, default=None)
    returned_model = serializers.CharField(source="model", help_text="As which the endpoint answered.")
    cost_usd = serializers.FloatField(source="cost", allow_null=True, help_text=COST)

    class Meta:
        model = GenerationResult
        fields = (
            *("prompt", "response", "text", "state", "problem", "question_type", "steps", "reasoning"),
            *("returned_model", "prompt_sha256", "prompt_tokens", "completion_tokens", "cost_usd", "seconds"),
            "created_at",
        )
        extra_kwargs = {
            "problem": {"help_text": "Why it failed."},
            "question_type": {"help_text": "Of an answer in steps."},
            "steps": {"help_text": "Of an answer in steps."},
            "reasoning": {"help_text": "What the model thought before it answered; no part of the response."},
            "prompt_sha256": {"help_text": "Of the messages of the request."},
            "seconds": {"help_text": "Waiting for the endpoint."},
        }


def _refusal(error: ModelError, field: str) -> Exception:
    return error if isinstance(error, RunBusy) else ValidationError({error.field or field: [str(error)]})


class Templates(AdminView, ListView):
    """All versions of all templates, in the order in which they were stored. For admins."""

    queryset = GenerationTemplate.objects.all()
    serializer_class = GenerationTemplateSerializer

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        store_built_in()
        return super().list(request)

    @extend_schema(
        request=NewGenerationTemplateSerializer,
        responses={200: GenerationTemplateSerializer, 201: GenerationTemplateSerializer},
    )
    def post(self, request: Request) -> Response:
        """Save a template, or its next version: 201. With the content of its newest version: 200. For admins."""
        body = validate(NewGenerationTemplateSerializer, request.data)
        try:
            template, is_new = save_template(body.pop("name"), TemplateContent(**body), actor=caller(request))
        except ModelError as error:
            raise _refusal(error, "text") from None
        created = status.HTTP_201_CREATED if is_new else status.HTTP_200_OK
        return Response(GenerationTemplateSerializer(template).data, status=created)


class Generators(AdminView, DatasetView, ListView):
    """The generated systems with their settings, without keys. For admins."""

    serializer_class = GeneratorSerializer

    def get_queryset(self) -> QuerySet[Generator]:
        return generators_of(self.dataset)

    @extend_schema(request=NewGeneratorSerializer, responses={200: GeneratorSerializer, 201: GeneratorSerializer})
    def post(self, request: Request, dataset: str) -> Response:
        """Store the settings of a system: 201. The same settings again: 200; then only `key` is replaced. Nothing is
        sent to the endpoint. For admins.
        """
        body = validate(NewGeneratorSerializer, request.data)
        key = body.pop("key")
        try:
            check_key_variable(body["key_env"])
            with transaction.atomic():  # a request that is refused stores no built-in templates either
                settings = Generator(dataset=self.dataset, template=find_template(body.pop("template")), **body)
                generator, is_new = create_generator(settings, key=key, actor=caller(request))
        except ModelError as error:
            raise _refusal(error, "system") from None
        created = status.HTTP_201_CREATED if is_new else status.HTTP_200_OK
        return Response(GeneratorSerializer(self.get_queryset().get(pk=generator.pk)).data, status=created)


class GeneratorView(AdminView, DatasetView):
    generator: Generator
    """With its counts."""

    def fetch(self) -> None:
        super().fetch()
        rows = generators_of(self.dataset).filter(public_id=self.kwargs["generator_id"])
        self.generator = first_or_404(rows, "There is no such generator.")


class SingleGenerator(GeneratorView, ObjectView):
    """The settings, and how many prompts have a response. For admins."""

    serializer_class = GeneratorSerializer

    def get_object(self) -> Generator:
        return self.generator


class TokenCountJobs(GeneratorView):
    @extend_schema(request=None, responses={202: JobSerializer, **errors(409)})
    def post(self, request: Request, dataset: str, generator_id: UUID) -> Response:
        """Start a job that counts the tokens of the missing responses and finds what is too long; nothing is sent to
        the endpoint. 409 while one counts. For admins.
        """
        return started(request, start_token_count(self.generator, actor=caller(request)))


class GenerationRuns(GeneratorView, ListView):
    """The runs, the newest first. For admins."""

    serializer_class = GenerationRunSerializer
    ordering = "-pk"

    def get_queryset(self) -> QuerySet[GenerationRun]:
        return runs_of(self.generator)

    @extend_schema(request=NewGenerationRunSerializer, responses={202: JobSerializer, **errors(409)})
    def post(self, request: Request, dataset: str, generator_id: UUID) -> Response:
        """Start a job that generates the missing responses. 409 while one does. For admins."""
        body = validate(NewGenerationRunSerializer, request.data)
        try:
            job = start_generation(self.generator, RunLimits(**body), actor=caller(request))
        except ModelError as error:
            raise _refusal(error, "budget_usd") from None
        return started(request, job)


class GenerationResults(GeneratorView, ListView):
    """The responses with model, prompt hash, usage and time, and the failures. For admins."""

    serializer_class = GenerationResultSerializer
    query_serializer = ResultsQuerySerializer
    filters = {"state": "state"}

    def get_queryset(self) -> QuerySet[GenerationResult]:
        rows = self.generator.results.select_related("prompt", "response")
        return rows.defer("prompt__annotations", "prompt__metadata", "prompt__reference")
