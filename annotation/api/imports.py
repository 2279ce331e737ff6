"""Imports of data sets and of responses as jobs, for admins. Files are sent as a form (`multipart/form-data`)."""

import json
from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer

from tasks.jobs import enqueue

from ..access import job_for
from ..importing import FORMATS, RULES, columns_from, uploads
from ..importing.annotation_tools import TOOLS
from ..importing.annotator_mapping import annotators_from
from ..importing.dataset import RESERVED
from ..importing.label_mapping import labels_from
from ..importing.responses import FORMATS as RESPONSE_FORMATS
from ..importing.responses import ROWS
from ..importing.upload_limit import UploadLimit, too_large
from ..jobs import Refused
from ..projects.create import MAX_SHORT_NAME
from .authentication import caller
from .errors import Conflict, at_field
from .jobs import JobSerializer, started
from .parsers import validate
from .records import OptionalText
from .schema import errors
from .views import AdminView, ApiView, DatasetView, ObjectView

TITLE_LENGTH = 200
MAX_SEED = 2**63 - 1


class FormatSerializer(serializers.Serializer[object]):
    name = serializers.CharField()
    title = serializers.CharField()
    describes = serializers.CharField(help_text="Which files.")
    rules = serializers.ListField(child=serializers.CharField(), help_text="Values of `subset`.")
    several = serializers.BooleanField(help_text="Whether several files can be imported at once.")
    mapped = serializers.BooleanField(help_text="Whether `columns` says what the columns of the files are.")


class FormatsSerializer(serializers.Serializer[object]):
    formats = FormatSerializer(many=True)


@extend_schema_field({"type": "array", "items": {"type": "string", "format": "binary"}, "minItems": 1})
class FilesField(serializers.ListField):
    """Uploaded files: one part of the form for each."""

    child = serializers.FileField(allow_empty_file=True, max_length=255)

    def get_value(self, dictionary: Any) -> Any:
        """Return the parts of the form with the field's name."""
        return dictionary.getlist(self.field_name) if hasattr(dictionary, "getlist") else serializers.empty


class JsonText(serializers.JSONField):
    """JSON, also in a text."""

    def __init__(self, **options: Any) -> None:
        super().__init__(required=False, default=None, **options)

    def to_internal_value(self, data: Any) -> Any:
        value = super().to_internal_value(data)
        try:
            return json.loads(value) if isinstance(value, str) else value
        except ValueError as error:
            raise serializers.ValidationError(f"This is not valid JSON: {error}") from None


class NewImportSerializer(serializers.Serializer[object]):
    """Files to import into a data set, which is created if it does not exist."""

    upload = FilesField(min_length=1, help_text="The files; also .gz or .zip.")
    slug = serializers.SlugField(max_length=MAX_SHORT_NAME, help_text="Of the data set.")
    format = serializers.ChoiceField(choices=list(FORMATS))
    title = OptionalText(max_length=TITLE_LENGTH)
    system = OptionalText(max_length=200, help_text="Where the files name none.")
    subset = serializers.ChoiceField(choices=list(RULES), default="all")
    sample = serializers.IntegerField(
        allow_null=True, default=None, min_value=1, max_value=10**9, help_text="Drawn at random."
    )
    seed = serializers.IntegerField(default=1, min_value=0, max_value=MAX_SEED)
    columns = JsonText(
        help_text="For formats with mapped columns: JSON such as "
        '`{"prompt": "question", "response": ["answer_a", "answer_b"]}`. '
        "Without it, the columns of the data set's last import, or those that their names suggest."
    )
    project = serializers.SlugField(
        allow_blank=True,
        default="",
        max_length=MAX_SHORT_NAME,
        help_text="For the formats of annotation tools: the project that gets the annotations as ratings. It is "
        "created if it does not exist. Without it only the data is imported.",
    )
    protocol = OptionalText(
        max_length=200,
        help_text="Of the project: SLUG or SLUG@VERSION; without it the project's, or one that is made of the labels.",
    )
    labels = JsonText(
        help_text='The answer of each label, as JSON: `{"accuracy.accurate": ["verdict:Supported"]}`. Without it that '
        "of the project's last import, or the options with the labels' names."
    )
    annotators = JsonText(
        help_text='The user of each annotator, as JSON: `{"label-studio-7": "maria"}`. Without it those of the '
        "project's last import, or inactive users with the annotators' names."
    )
    dry_run = serializers.BooleanField(default=False, help_text="Only count; store nothing.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Check that what is about a project comes with one, and that its whole export is imported."""
        if not attrs["project"]:
            wrong = [name for name in ("protocol", "labels", "annotators") if attrs[name]]
            message = "This is for the annotations of a project: name it in `project`."
        elif attrs["format"] not in TOOLS:
            wrong, message = ["project"], f"Annotations are imported from: {', '.join(TOOLS)}."
        else:
            wrong = ["sample"] if attrs["sample"] else []
            message = "A project is imported completely, as its annotations are about all of its responses."
        if wrong:
            raise serializers.ValidationError(dict.fromkeys(wrong, message))
        return attrs

    def validate_slug(self, slug: str) -> str:
        """Refuse the word that an address of the pages needs."""
        if slug == RESERVED:
            raise serializers.ValidationError(f"'{slug}' is reserved by the site: choose another name.")
        return slug


class NewResponsesSerializer(serializers.Serializer[object]):
    """A file of responses to the data set's prompts."""

    upload = serializers.FileField(allow_empty_file=True, max_length=255)
    format = serializers.ChoiceField(choices=list(RESPONSE_FORMATS), default=ROWS)
    system = OptionalText(max_length=200, help_text="Where the file names none.")
    dry_run = serializers.BooleanField(default=False, help_text="Only count; store nothing.")


class UploadView(ApiView):
    """A view that takes files, up to MAX_UPLOAD_MB."""

    parser_classes = [MultiPartParser]

    def initialize_request(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Request:
        """Say that the view reports files that are too large, before anything reads the form."""
        self.limit = UploadLimit.reported_by_view(request)
        return super().initialize_request(request, *args, **kwargs)

    def body(self, request: Request, serializer: type[Serializer[object]]) -> dict[str, Any]:
        """Return the validated form. Raises ValidationError."""
        data = request.data
        if self.limit.was_exceeded:
            raise ValidationError({"upload": [too_large()]})
        return validate(serializer, data)


class Formats(ObjectView):
    """The formats that can be imported."""

    serializer_class = FormatsSerializer

    def get_object(self) -> dict[str, object]:
        return {"formats": FORMATS.values()}


class Imports(AdminView, UploadView):
    @extend_schema(request={"multipart/form-data": NewImportSerializer}, responses={202: JobSerializer})
    def post(self, request: Request) -> Response:
        """Import files in a job, all or nothing. With `dry_run` the job only counts, and its `confirm` imports. With
        `project` the annotations of an annotation tool become its ratings. For admins.
        """
        body = self.body(request, NewImportSerializer)
        files, dry_run = body.pop("upload"), body.pop("dry_run")
        params = {name: _read(name, value) for name, value in body.items() if name not in _OF_A_PROJECT}
        if not body["project"]:
            return _start(request, uploads.LOAD_DATASET, files, params, dry_run=dry_run)
        params |= {name: _read(name, body[name]) for name in _OF_A_PROJECT}
        return _start(request, uploads.LOAD_PROJECT, files, params, dry_run=dry_run)


_OF_A_PROJECT = ("project", "protocol", "labels", "annotators")
_READERS: dict[str, Callable[[Any], Any]] = {
    "columns": lambda value: columns_from(value).as_json(),
    "labels": lambda value: labels_from(value).as_json(),
    "annotators": annotators_from,
}
"""Mappings, which are checked before the job."""


def _read(name: str, value: Any) -> Any:
    """Return a value of the form as the job has it. Raises ValidationError."""
    if name not in _READERS or value is None:
        return value
    with at_field(name):
        return _READERS[name](value)


class ResponseImports(AdminView, DatasetView, UploadView):
    @extend_schema(request={"multipart/form-data": NewResponsesSerializer}, responses={202: JobSerializer})
    def post(self, request: Request, dataset: str) -> Response:
        """Import responses to the prompts of the data set in a job. For admins."""
        body = self.body(request, NewResponsesSerializer)
        params = {"slug": self.dataset.slug, "format": body["format"], "system": body["system"].strip()}
        return _start(request, uploads.LOAD_RESPONSES, [body["upload"]], params, dry_run=body["dry_run"])


def _start(
    request: Request, kind: str, files: list["UploadedFile[Any]"], params: dict[str, Any], *, dry_run: bool
) -> Response:
    job = uploads.start_import(kind, files, params, caller(request), dry_run=dry_run)
    enqueue(job)
    return started(request, job)


class ConfirmedImport(AdminView):
    @extend_schema(request=None, responses={202: JobSerializer, **errors(409)})
    def post(self, request: Request, job_id: UUID) -> Response:
        """Import the files of a dry run in another job; a second request gets the same job. For admins."""
        checked = job_for(caller(request), job_id)
        if not uploads.is_checked(checked):
            raise Conflict("Only files that were checked completely can be imported.")
        try:
            job, is_new = uploads.start_load(checked, caller(request))
        except Refused as refused:
            raise Conflict(" ".join(refused.problems)) from None
        if is_new:
            enqueue(job)
        return started(request, job)
