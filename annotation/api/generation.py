"""Generated responses for programs of admins: templates, settings of systems, token counts, runs and results."""

from uuid import UUID

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.generation import start_generation, start_token_count

from ..access import dataset_for, require_admin
from ..generation.generators import create_generator
from ..generation.summaries import generators_of, runs_of
from ..generation.templates import TemplateContent, find_template, save_template, store_built_in
from ..model_calls.errors import ModelError, RunBusy
from ..model_calls.keys import check_key_variable
from ..model_calls.runs import RunLimits
from ..models import GenerationTemplate, Generator
from .authentication import caller
from .generation_serializers import (
    GenerationResultSerializer,
    GenerationRunSerializer,
    GenerationTemplateSerializer,
    GeneratorSerializer,
    NewGenerationRunSerializer,
    NewGenerationTemplateSerializer,
    NewGeneratorSerializer,
    ResultsQuerySerializer,
)
from .job_serializers import JobSerializer
from .jobs import started
from .parsers import validate
from .schema import errors
from .views import ApiView, ListView


def _refusal(error: ModelError, field: str) -> Exception:
    return error if isinstance(error, RunBusy) else ValidationError({error.field or field: [str(error)]})


def _generator(request: Request, dataset: str, generator_id: UUID) -> Generator:
    """Return the generator with its counts. Raises Http404 and PermissionDenied."""
    require_admin(caller(request))
    generator = generators_of(dataset_for(caller(request), dataset)).filter(public_id=generator_id).first()
    if generator is None:
        raise Http404("There is no such generator.")
    return generator


class Templates(ListView):
    """The prompt templates of the site."""

    @extend_schema(
        operation_id="generation_templates_list",
        responses={200: GenerationTemplateSerializer(many=True), **errors(403)},
    )
    def get(self, request: Request) -> Response:
        """All versions of all templates, in the order in which they were stored. For admins."""
        require_admin(caller(request))
        store_built_in()
        return self.page(request, GenerationTemplate.objects.all(), GenerationTemplateSerializer, "pk")

    @extend_schema(
        request=NewGenerationTemplateSerializer,
        responses={200: GenerationTemplateSerializer, 201: GenerationTemplateSerializer, **errors(403)},
    )
    def post(self, request: Request) -> Response:
        """Save a template, or its next version: 201. With the content of its newest version: 200. For admins."""
        require_admin(caller(request))
        body = validate(NewGenerationTemplateSerializer, request.data)
        try:
            template, is_new = save_template(body.pop("name"), TemplateContent(**body), actor=caller(request))
        except ModelError as error:
            raise _refusal(error, "text") from None
        created = status.HTTP_201_CREATED if is_new else status.HTTP_200_OK
        return Response(GenerationTemplateSerializer(template).data, status=created)


class Generators(ListView):
    """The generated systems of a data set."""

    @extend_schema(
        operation_id="datasets_generators_list",
        responses={200: GeneratorSerializer(many=True), **errors(403, 404)},
    )
    def get(self, request: Request, dataset: str) -> Response:
        """The generated systems with their settings, without keys. For admins."""
        require_admin(caller(request))
        return self.page(request, generators_of(dataset_for(caller(request), dataset)), GeneratorSerializer, "pk")

    @extend_schema(
        request=NewGeneratorSerializer,
        responses={200: GeneratorSerializer, 201: GeneratorSerializer, **errors(403, 404)},
    )
    def post(self, request: Request, dataset: str) -> Response:
        """Store the settings of a system: 201. The same settings again: 200; then only `key` is replaced. Nothing is
        sent to the endpoint. For admins.
        """
        require_admin(caller(request))
        selected = dataset_for(caller(request), dataset)
        body = validate(NewGeneratorSerializer, request.data)
        key = body.pop("key")
        try:
            check_key_variable(body["key_env"])
            template = find_template(body.pop("template"))
            settings = Generator(dataset=selected, template=template, **body)
            generator, is_new = create_generator(settings, key=key, actor=caller(request))
        except ModelError as error:
            raise _refusal(error, "system") from None
        created = status.HTTP_201_CREATED if is_new else status.HTTP_200_OK
        return Response(GeneratorSerializer(generators_of(selected).get(pk=generator.pk)).data, status=created)


class SingleGenerator(ApiView):
    """A generated system."""

    @extend_schema(
        operation_id="datasets_generators_retrieve", responses={200: GeneratorSerializer, **errors(403, 404)}
    )
    def get(self, request: Request, dataset: str, generator_id: UUID) -> Response:
        """The settings, and how many prompts have a response. For admins."""
        return Response(GeneratorSerializer(_generator(request, dataset, generator_id)).data)


class TokenCountJobs(ApiView):
    """Counts of tokens."""

    @extend_schema(request=None, responses={202: JobSerializer, **errors(403, 404, 409)})
    def post(self, request: Request, dataset: str, generator_id: UUID) -> Response:
        """Start a job that counts the tokens of the missing responses and finds what is too long; nothing is sent to
        the endpoint. 409 while one counts. For admins.
        """
        generator = _generator(request, dataset, generator_id)
        return started(request, start_token_count(generator, actor=caller(request)))


class GenerationRuns(ListView):
    """Runs of a generator."""

    @extend_schema(
        operation_id="datasets_generators_runs_list",
        responses={200: GenerationRunSerializer(many=True), **errors(403, 404)},
    )
    def get(self, request: Request, dataset: str, generator_id: UUID) -> Response:
        """The runs, the newest first. For admins."""
        generator = _generator(request, dataset, generator_id)
        return self.page(request, runs_of(generator), GenerationRunSerializer, "-pk")

    @extend_schema(request=NewGenerationRunSerializer, responses={202: JobSerializer, **errors(403, 404, 409)})
    def post(self, request: Request, dataset: str, generator_id: UUID) -> Response:
        """Start a job that generates the missing responses. 409 while one does. For admins."""
        generator = _generator(request, dataset, generator_id)
        body = validate(NewGenerationRunSerializer, request.data)
        try:
            job = start_generation(generator, RunLimits(**body), actor=caller(request))
        except ModelError as error:
            raise _refusal(error, "budget_usd") from None
        return started(request, job)


class GenerationResults(ListView):
    """What a generator has made of the prompts."""

    @extend_schema(
        operation_id="datasets_generators_results_list",
        parameters=[ResultsQuerySerializer],
        responses={200: GenerationResultSerializer(many=True), **errors(403, 404)},
    )
    def get(self, request: Request, dataset: str, generator_id: UUID) -> Response:
        """The responses with model, prompt hash, usage and time, and the failures. For admins."""
        generator = _generator(request, dataset, generator_id)
        query = validate(ResultsQuerySerializer, request.query_params)
        rows = generator.results.filter(**query).select_related("prompt", "response")
        rows = rows.defer("prompt__annotations", "prompt__metadata", "prompt__reference")
        return self.page(request, rows, GenerationResultSerializer, "pk")
