"""Exported files: a job writes one, which is kept for a week."""

from typing import Any
from uuid import UUID

from django.db.models import Q
from django.http import FileResponse, Http404, HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.jobs import enqueue_once

from ..access import export_for, project_for
from ..exporting import export_jobs
from ..models import Export
from ..pseudonyms import active
from .authentication import caller
from .job_serializers import JobSerializer
from .jobs import started
from .parsers import validate
from .result_serializers import ExportSerializer, NewExportSerializer
from .schema import DONE, errors
from .views import ApiView, ListView


class Exports(ListView):
    """Exported files."""

    @extend_schema(
        operation_id="projects_exports_list", responses={200: ExportSerializer(many=True), **errors(403, 404)}
    )
    def get(self, request: Request, slug: str) -> Response:
        """The files, the newest first; those with names are missing where names are hidden. For leads."""
        project = project_for(caller(request), slug, needs="lead")
        rows = Export.objects.filter(project=project).select_related("made_by")
        if active():
            rows = rows.filter(export_jobs.WITHOUT_NAMES)
        return self.page(request, rows, ExportSerializer, "-pk")

    @extend_schema(request=NewExportSerializer, responses={202: JobSerializer, **errors(403, 404)})
    def post(self, request: Request, slug: str) -> Response:
        """Start a job that writes a file, or return the open job that writes the same. Its `result` has the file's id
        as `export`. For leads.
        """
        project = project_for(caller(request), slug, needs="lead")
        params: dict[str, Any] = dict(validate(NewExportSerializer, request.data))
        if not params["with_names"] or active():
            del params["with_names"]
        if params["what"] == export_jobs.RATINGS:
            params.setdefault("format", "jsonl")
        if "report" in params:
            params["report"] = str(params["report"])
        export_jobs.check_export(project, params)
        job, _is_new = enqueue_once(
            export_jobs.EXPORT, project, params, actor=caller(request), same_as=Q(params=params)
        )
        return started(request, job)


def _export(request: Request, slug: str, export_id: UUID) -> Export:
    """Return a file of this project; one with names is not found where names are hidden."""
    export = export_for(caller(request), export_id)
    if export.project.slug != slug or (active() and export_jobs.may_have_names(export)):
        raise Http404("There is no such file, or it was deleted: files are kept for a week.")
    return export


class SingleExport(ApiView):
    """An exported file."""

    @extend_schema(operation_id="projects_exports_retrieve", responses={200: ExportSerializer, **errors(403, 404)})
    def get(self, request: Request, slug: str, export_id: UUID) -> Response:
        """Name, size and hash of the file. For leads."""
        return Response(ExportSerializer(_export(request, slug, export_id)).data)

    @extend_schema(responses={200: DONE, **errors(403, 404)})
    def delete(self, request: Request, slug: str, export_id: UUID) -> Response:
        """Delete the file before its week is over. For leads."""
        export_jobs.delete(_export(request, slug, export_id), actor=caller(request))
        return Response({})


class ExportedFile(ApiView):
    """The content of an exported file."""

    @extend_schema(
        operation_id="projects_exports_file_retrieve",
        responses={(200, "application/octet-stream"): OpenApiTypes.BINARY, **errors(403, 404)},
    )
    def get(self, request: Request, slug: str, export_id: UUID) -> HttpResponseBase:
        """The file. For leads."""
        export = _export(request, slug, export_id)
        if not (export.file and export.file.name and export.file.storage.exists(export.file.name)):
            raise Http404("There is no such file, or it was deleted: files are kept for a week.")
        export_jobs.record_export_download(export, actor=caller(request))
        return FileResponse(
            export.file.open("rb"), as_attachment=True, filename=export.name, content_type="application/octet-stream"
        )
