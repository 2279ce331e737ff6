"""Data sets with their documents, prompts and responses, for admins and leads.

Raters have no access: the answers contain references and names of systems.
"""

from typing import Any
from uuid import UUID

from django.db.models import Prefetch
from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.jobs import enqueue

from ..access import dataset_for, datasets_for, projects_for, require_admin
from ..importing.dataset_contents import breakdowns_of, contents_of
from ..models import Item
from ..projects.deleting import dataset_deletion
from .authentication import caller
from .dataset_serializers import (
    DatasetContentsSerializer,
    DatasetSerializer,
    DocumentRowSerializer,
    FullDocumentSerializer,
    ImportSerializer,
    PromptRowSerializer,
    PromptsQuerySerializer,
    PromptWithResponsesSerializer,
    ResponseRowSerializer,
    ResponsesQuerySerializer,
)
from .errors import Conflict
from .job_serializers import JobSerializer
from .jobs import started
from .parsers import validate
from .schema import errors
from .views import ApiView, ListView


class Datasets(ListView):
    """Data sets."""

    @extend_schema(operation_id="datasets_list", responses={200: DatasetSerializer(many=True)})
    def get(self, request: Request) -> Response:
        """All data sets for admins, for others those of the projects that they lead."""
        return self.page(request, datasets_for(caller(request)), DatasetSerializer, "slug")


class SingleDataset(ApiView):
    """A data set."""

    @extend_schema(operation_id="datasets_retrieve", responses={200: DatasetContentsSerializer, **errors(404)})
    def get(self, request: Request, dataset: str) -> Response:
        """The data set with the counts of its contents."""
        selected = dataset_for(caller(request), dataset)
        contents = contents_of(selected)
        counts = {name: getattr(contents, name) for name in ("documents", "prompts", "responses", "items", "kinds")}
        values: Any = {
            **{name: getattr(selected, name) for name in ("slug", "title", "format", "created_at")},
            **counts,
            "rated_items": contents.rated,
            "systems": contents.systems,
            "metadata": breakdowns_of(selected),
            "projects": projects_for(caller(request)).filter(dataset=selected).values_list("slug", flat=True),
        }
        return Response(DatasetContentsSerializer(values).data)

    @extend_schema(responses={202: JobSerializer, **errors(403, 404, 409)})
    def delete(self, request: Request, dataset: str) -> Response:
        """Delete the data set and its contents in a job. 409 while a project uses it. For admins."""
        require_admin(caller(request))
        selected = dataset_for(caller(request), dataset)
        if selected.projects.exists():
            raise Conflict("Projects use this data set: delete them first.")
        job = dataset_deletion(selected, actor=caller(request))
        enqueue(job)
        return started(request, job)


class DatasetDocuments(ListView):
    """The documents of a data set."""

    @extend_schema(
        operation_id="datasets_documents_list",
        responses={200: DocumentRowSerializer(many=True), **errors(404)},
    )
    def get(self, request: Request, dataset: str) -> Response:
        """The documents without their texts."""
        rows = dataset_for(caller(request), dataset).documents.defer("sections")
        return self.page(request, rows, DocumentRowSerializer, "pk")


class DatasetDocument(ApiView):
    """A document of a data set."""

    @extend_schema(operation_id="datasets_documents_retrieve", responses={200: FullDocumentSerializer, **errors(404)})
    def get(self, request: Request, dataset: str, document_id: UUID) -> Response:
        """The document with its text."""
        row = dataset_for(caller(request), dataset).documents.filter(public_id=document_id).first()
        if row is None:
            raise Http404("There is no such document.")
        return Response(FullDocumentSerializer(row).data)


class DatasetPrompts(ListView):
    """The prompts of a data set."""

    @extend_schema(
        operation_id="datasets_prompts_list",
        parameters=[PromptsQuerySerializer],
        responses={200: PromptRowSerializer(many=True), **errors(404)},
    )
    def get(self, request: Request, dataset: str) -> Response:
        """The prompts with their reference answers."""
        rows = dataset_for(caller(request), dataset).prompts.select_related("document")
        rows = rows.defer("annotations", "document__sections")
        query = validate(PromptsQuerySerializer, request.query_params)
        if document := query.get("document"):
            rows = rows.filter(document__key=document)
        return self.page(request, rows, PromptRowSerializer, "pk")


class DatasetPrompt(ApiView):
    """A prompt of a data set."""

    @extend_schema(
        operation_id="datasets_prompts_retrieve", responses={200: PromptWithResponsesSerializer, **errors(404)}
    )
    def get(self, request: Request, dataset: str, prompt_id: UUID) -> Response:
        """The prompt with every system's response and its items."""
        prompts = dataset_for(caller(request), dataset).prompts.select_related("document")
        row = prompts.filter(public_id=prompt_id).first()
        if row is None:
            raise Http404("There is no such prompt.")
        items = Prefetch("items", Item.objects.filter(retired_at=None).order_by("unit", "position"))
        responses = row.responses.select_related("system", "prompt").order_by("system__name", "pk")
        values = PromptRowSerializer(row).data
        parts = {"annotations": row.annotations, "responses": responses.prefetch_related(items)}
        serializer = PromptWithResponsesSerializer()
        return Response({**values, **{name: serializer.fields[name].to_representation(parts[name]) for name in parts}})


class DatasetResponses(ListView):
    """The responses of a data set."""

    @extend_schema(
        operation_id="datasets_responses_list",
        parameters=[ResponsesQuerySerializer],
        responses={200: ResponseRowSerializer(many=True), **errors(404)},
    )
    def get(self, request: Request, dataset: str) -> Response:
        """The responses, of all systems or of one."""
        rows = dataset_for(caller(request), dataset).responses.select_related("system", "prompt")
        query = validate(ResponsesQuerySerializer, request.query_params)
        if system := query.get("system"):
            rows = rows.filter(system__name=system)
        if prompt := query.get("prompt"):
            rows = rows.filter(prompt__key=prompt)
        return self.page(request, rows, ResponseRowSerializer, "pk")


class DatasetImports(ListView):
    """The imports of a data set."""

    @extend_schema(operation_id="datasets_imports_list", responses={200: ImportSerializer(many=True), **errors(404)})
    def get(self, request: Request, dataset: str) -> Response:
        """The imports that have stored something, the newest first."""
        rows = dataset_for(caller(request), dataset).imports.select_related("imported_by")
        return self.page(request, rows, ImportSerializer, "-pk")
