"""Imports of data sets and of responses as jobs, for admins. Files are sent as a form (`multipart/form-data`)."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer

from tasks.jobs import enqueue

from ..access import dataset_for, job_for, require_admin
from ..importing import FORMATS, columns_from, uploads
from ..importing.annotator_mapping import annotators_from
from ..importing.label_mapping import labels_from
from ..importing.upload_limit import UploadLimit, too_large
from ..jobs import Refused
from .authentication import caller
from .dataset_serializers import FormatsSerializer, NewImportSerializer, NewResponsesSerializer
from .errors import Conflict
from .job_serializers import JobSerializer
from .jobs import started
from .parsers import validate
from .schema import errors
from .views import ApiView


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


class Formats(ApiView):
    """The formats of data sets."""

    @extend_schema(responses={200: FormatsSerializer})
    def get(self, request: Request) -> Response:
        """The formats that can be imported."""
        return Response(FormatsSerializer({"formats": FORMATS.values()}).data)


class Imports(UploadView):
    """Imports of data sets."""

    @extend_schema(request={"multipart/form-data": NewImportSerializer}, responses={202: JobSerializer, **errors(403)})
    def post(self, request: Request) -> Response:
        """Import files in a job, all or nothing. With `dry_run` the job only counts, and its `confirm` imports. With
        `project` the annotations of an annotation tool become its ratings. For admins.
        """
        require_admin(caller(request))
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
    try:
        return _READERS[name](value)
    except Refused as refused:
        raise ValidationError({name: refused.problems}) from None


class ResponseImports(UploadView):
    """Imports of responses."""

    @extend_schema(
        request={"multipart/form-data": NewResponsesSerializer}, responses={202: JobSerializer, **errors(403, 404)}
    )
    def post(self, request: Request, dataset: str) -> Response:
        """Import responses to the prompts of the data set in a job. For admins."""
        require_admin(caller(request))
        selected = dataset_for(caller(request), dataset)
        body = self.body(request, NewResponsesSerializer)
        params = {"slug": selected.slug, "format": body["format"], "system": body["system"].strip()}
        return _start(request, uploads.LOAD_RESPONSES, [body["upload"]], params, dry_run=body["dry_run"])


def _start(
    request: Request, kind: str, files: list["UploadedFile[Any]"], params: dict[str, Any], *, dry_run: bool
) -> Response:
    job = uploads.start_import(kind, files, params, caller(request), dry_run=dry_run)
    enqueue(job)
    return started(request, job)


class ConfirmedImport(ApiView):
    """An import after its dry run."""

    @extend_schema(request=None, responses={202: JobSerializer, **errors(403, 404, 409)})
    def post(self, request: Request, job_id: UUID) -> Response:
        """Import the files of a dry run in another job; a second request gets the same job. For admins."""
        require_admin(caller(request))
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
