"""Exported files: a job writes one, which is kept for a week."""

from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet
from django.http import FileResponse, Http404, HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.jobs import enqueue_once

from ..access import export_for
from ..exporting import FORMATS, export_jobs
from ..exporting.export_jobs import BUNDLE, KINDS, RATINGS, RETENTION
from ..models import Export
from ..pseudonyms import active
from .authentication import caller
from .jobs import JobSerializer, started
from .parsers import validate
from .records import RowSerializer, examples
from .views import ApiView, ListView, ObjectView, ProjectView

NO_FILE = "There is no such file, or it was deleted: files are kept for a week."


class ExportSerializer(RowSerializer):
    """A file that a job has written; it is deleted after a week."""

    what = serializers.CharField(source="kind")
    size = serializers.IntegerField(help_text="Bytes.")
    expires_at = serializers.SerializerMethodField()

    class Meta:
        model = Export
        fields = ("id", "what", "name", "size", "sha256", "made_by", "made_at", "expires_at")

    def get_expires_at(self, export: Export) -> str:
        return (export.made_at + RETENTION).isoformat()


@examples({"Ratings": {"what": RATINGS, "format": "csv"}})
class NewExportSerializer(serializers.Serializer[object]):
    what = serializers.ChoiceField(choices=KINDS, default=RATINGS)
    format = serializers.ChoiceField(choices=list(FORMATS), required=False, help_text="Of ratings; jsonl if absent.")
    report = serializers.UUIDField(required=False, help_text=f"The frozen report of a {BUNDLE}.")
    with_names = serializers.BooleanField(
        default=False, help_text="User names, not pseudonyms; never where raters are hidden."
    )


class Exports(ProjectView, ListView):
    """The files, the newest first; those with names are missing where names are hidden. For leads."""

    serializer_class = ExportSerializer
    ordering = "-pk"

    def get_queryset(self) -> QuerySet[Export]:
        rows = Export.objects.filter(project=self.project).select_related("made_by")
        return rows.filter(export_jobs.WITHOUT_NAMES) if active() else rows

    @extend_schema(request=NewExportSerializer, responses={202: JobSerializer})
    def post(self, request: Request, slug: str) -> Response:
        """Start a job that writes a file, or return the open job that writes the same. Its `result` has the file's id
        as `export`. For leads.
        """
        params: dict[str, Any] = dict(validate(NewExportSerializer, request.data))
        if not params["with_names"] or active():
            del params["with_names"]
        if params["what"] == RATINGS:
            params.setdefault("format", "jsonl")
        if "report" in params:
            params["report"] = str(params["report"])
        export_jobs.check_export(self.project, params)
        job, _is_new = enqueue_once(
            export_jobs.EXPORT, self.project, params, actor=caller(request), same_as=Q(params=params)
        )
        return started(request, job)


class ExportView(ApiView):
    """A view of one file; one with names is not found where names are hidden."""

    needs = "lead"

    def fetch(self) -> None:
        self.export = export_for(caller(self.request), self.kwargs["export_id"])
        if self.export.project.slug != self.kwargs["slug"] or (active() and export_jobs.may_have_names(self.export)):
            raise Http404(NO_FILE)


class SingleExport(ExportView, ObjectView):
    """Name, size and hash of the file. For leads."""

    serializer_class = ExportSerializer

    def get_object(self) -> Export:
        return self.export

    def delete(self, request: Request, slug: str, export_id: UUID) -> Response:
        """Delete the file before its week is over. For leads."""
        export_jobs.delete(self.export, actor=caller(request))
        return Response({})


class ExportedFile(ExportView):
    @extend_schema(responses={(200, "application/octet-stream"): OpenApiTypes.BINARY})
    def get(self, request: Request, slug: str, export_id: UUID) -> HttpResponseBase:
        """The file. For leads."""
        file = self.export.file
        if not (file and file.name and file.storage.exists(file.name)):
            raise Http404(NO_FILE)
        export_jobs.record_export_download(self.export, actor=caller(request))
        return FileResponse(
            file.open("rb"), as_attachment=True, filename=self.export.name, content_type="application/octet-stream"
        )
