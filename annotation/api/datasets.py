"""Data sets with their documents, prompts and responses, for admins and leads.

Raters have no access: the answers contain references and names of systems.
"""

from typing import Any

from django.db.models import Prefetch, QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.jobs import enqueue

from ..access import datasets_for, projects_for
from ..importing.dataset_contents import breakdowns_of, contents_of
from ..models import Dataset, DatasetImport, Document, Item, Prompt
from ..models import Response as ModelResponse
from ..projects.deleting import dataset_deletion
from .authentication import caller
from .documents import SectionSerializer
from .errors import Conflict
from .jobs import JobSerializer, started
from .records import RowSerializer
from .schema import errors
from .views import DatasetView, ListView, ObjectView, first_or_404

KEY = {"key": {"help_text": "The imported id."}}


class DatasetSerializer(RowSerializer):
    class Meta:
        model = Dataset
        fields: tuple[str, ...] = ("slug", "title", "format", "created_at")


class SystemSerializer(serializers.Serializer[object]):
    """A system with the number of its responses."""

    name = serializers.CharField()
    responses = serializers.IntegerField(source="n")


class KindSerializer(serializers.Serializer[object]):
    """How many items of one unit and kind there are; `unplaced` have no position in the text."""

    unit = serializers.CharField()
    kind = serializers.CharField()
    rate = serializers.BooleanField()
    items = serializers.IntegerField(source="n")
    unplaced = serializers.IntegerField()


class BreakdownSerializer(serializers.Serializer[object]):
    """A metadata key of the prompts, by which reports break down every figure."""

    key = serializers.CharField()
    values = serializers.IntegerField()
    prompts = serializers.IntegerField()


class DatasetContentsSerializer(serializers.Serializer[object]):
    """A data set with the counts of its contents."""

    slug = serializers.CharField()
    title = serializers.CharField()
    format = serializers.CharField()
    created_at = serializers.DateTimeField()
    documents = serializers.IntegerField()
    prompts = serializers.IntegerField()
    responses = serializers.IntegerField()
    items = serializers.IntegerField()
    rated_items = serializers.IntegerField()
    systems = SystemSerializer(many=True)
    kinds = KindSerializer(many=True)
    metadata = BreakdownSerializer(many=True)
    projects = serializers.ListField(child=serializers.CharField(), help_text="Those that the caller may see.")


class DocumentRowSerializer(RowSerializer):
    """A document without its text, which has an address of its own."""

    class Meta:
        model = Document
        fields: tuple[str, ...] = ("id", "key", "title", "metadata")
        extra_kwargs = KEY


class FullDocumentSerializer(DocumentRowSerializer):
    """A document with its text."""

    sections = SectionSerializer(many=True)

    class Meta(DocumentRowSerializer.Meta):
        fields = (*DocumentRowSerializer.Meta.fields, "sections")


class PromptRowSerializer(RowSerializer):
    """A prompt. `reference` is never sent to raters."""

    document = serializers.CharField(source="document.key", allow_null=True, default=None, help_text="Imported id.")

    class Meta:
        model = Prompt
        fields: tuple[str, ...] = ("id", "key", "text", "document", "reference", "metadata")
        extra_kwargs = KEY


class ResponseRowSerializer(RowSerializer):
    """A response of a system to a prompt."""

    prompt = serializers.CharField(source="prompt.key", help_text="Imported id.")
    system = serializers.CharField(source="system.name")

    class Meta:
        model = ModelResponse
        fields: tuple[str, ...] = ("id", "key", "prompt", "system", "text", "metadata")
        extra_kwargs = KEY


class DatasetItemSerializer(RowSerializer):
    class Meta:
        model = Item
        fields = ("id", "unit", "position", "kind", "start", "end", "text", "rate")


class ResponseWithItemsSerializer(ResponseRowSerializer):
    items = DatasetItemSerializer(many=True)

    class Meta(ResponseRowSerializer.Meta):
        fields = (*ResponseRowSerializer.Meta.fields, "items")


class PromptWithResponsesSerializer(PromptRowSerializer):
    """A prompt with the responses of all systems and their items."""

    annotations = serializers.ListField(child=serializers.DictField(), help_text="Of the data set itself.")
    responses = ResponseWithItemsSerializer(many=True, source="all_responses")

    class Meta(PromptRowSerializer.Meta):
        fields = (*PromptRowSerializer.Meta.fields, "annotations", "responses")


class PromptsQuerySerializer(serializers.Serializer[object]):
    document = serializers.CharField(required=False, max_length=200, help_text="Imported id.")


class ResponsesQuerySerializer(serializers.Serializer[object]):
    system = serializers.CharField(required=False, max_length=200)
    prompt = serializers.CharField(required=False, max_length=200, help_text="Imported id.")


class ImportSerializer(RowSerializer):
    """An import that has stored something."""

    files = serializers.ListField(child=serializers.DictField(), help_text="Name and SHA-256 of each file.")
    options = serializers.SerializerMethodField(
        help_text="The choices, without the users of another tool's annotators."
    )
    counts = serializers.DictField(help_text="As `import_dataset --json` prints them.")

    class Meta:
        model = DatasetImport
        fields = ("kind", "files", "options", "counts", "imported_by", "imported_at")

    def get_options(self, record: DatasetImport) -> dict[str, Any]:
        """Return the choices without names of raters, which leads of a project may not see."""
        return {name: value for name, value in record.options.items() if name != "annotators"}


class Datasets(ListView):
    """All data sets for admins, for others those of the projects that they lead."""

    serializer_class = DatasetSerializer
    ordering = "slug"

    def get_queryset(self) -> QuerySet[Dataset]:
        return datasets_for(caller(self.request))


class SingleDataset(DatasetView, ObjectView):
    """The data set with the counts of its contents."""

    serializer_class = DatasetContentsSerializer
    for_admins = ("DELETE",)

    def get_object(self) -> dict[str, Any]:
        contents = contents_of(self.dataset)
        counts = {name: getattr(contents, name) for name in ("documents", "prompts", "responses", "items", "kinds")}
        return {
            **{name: getattr(self.dataset, name) for name in ("slug", "title", "format", "created_at")},
            **counts,
            "rated_items": contents.rated,
            "systems": contents.systems,
            "metadata": breakdowns_of(self.dataset),
            "projects": projects_for(caller(self.request)).filter(dataset=self.dataset).values_list("slug", flat=True),
        }

    @extend_schema(responses={202: JobSerializer, **errors(409)})
    def delete(self, request: Request, dataset: str) -> Response:
        """Delete the data set and its contents in a job. 409 while a project uses it. For admins."""
        if self.dataset.projects.exists():
            raise Conflict("Projects use this data set: delete them first.")
        job = dataset_deletion(self.dataset, actor=caller(request))
        enqueue(job)
        return started(request, job)


class DatasetDocuments(DatasetView, ListView):
    """The documents without their texts."""

    serializer_class = DocumentRowSerializer

    def get_queryset(self) -> QuerySet[Document]:
        return self.dataset.documents.defer("sections")


class DatasetDocument(DatasetView, ObjectView):
    """The document with its text."""

    serializer_class = FullDocumentSerializer

    def get_object(self) -> Document:
        rows = self.dataset.documents.filter(public_id=self.kwargs["document_id"])
        return first_or_404(rows, "There is no such document.")


class DatasetPrompts(DatasetView, ListView):
    """The prompts with their reference answers."""

    serializer_class = PromptRowSerializer
    query_serializer = PromptsQuerySerializer
    filters = {"document": "document__key"}

    def get_queryset(self) -> QuerySet[Prompt]:
        rows = self.dataset.prompts.select_related("document")
        return rows.defer("annotations", "document__sections")


class DatasetPrompt(DatasetView, ObjectView):
    """The prompt with every system's response and its items."""

    serializer_class = PromptWithResponsesSerializer

    def get_object(self) -> Prompt:
        items = Prefetch("items", Item.objects.filter(retired_at=None).order_by("unit", "position"))
        responses = ModelResponse.objects.select_related("system", "prompt").order_by("system__name", "pk")
        rows = self.dataset.prompts.filter(public_id=self.kwargs["prompt_id"]).select_related("document")
        rows = rows.prefetch_related(Prefetch("responses", responses.prefetch_related(items), to_attr="all_responses"))
        return first_or_404(rows, "There is no such prompt.")


class DatasetResponses(DatasetView, ListView):
    """The responses, of all systems or of one."""

    serializer_class = ResponseRowSerializer
    query_serializer = ResponsesQuerySerializer
    filters = {"system": "system__name", "prompt": "prompt__key"}

    def get_queryset(self) -> QuerySet[ModelResponse]:
        return self.dataset.responses.select_related("system", "prompt")


class DatasetImports(DatasetView, ListView):
    """The imports that have stored something, the newest first."""

    serializer_class = ImportSerializer
    ordering = "-pk"

    def get_queryset(self) -> QuerySet[DatasetImport]:
        return self.dataset.imports.select_related("imported_by")
