"""Frozen reports with their files, and links to them for readers without an account."""

import json
from uuid import UUID

from django.db.models import Q
from django.http import Http404, HttpResponse
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.jobs import enqueue_once

from ..access import report_for
from ..audit import record_download
from ..exporting.rater_names import shown_frozen
from ..exporting.report_formats import CONTENT_TYPES, file_of
from ..models import Report, ReportLink
from ..pseudonyms import active
from ..reporting.frozen_reports import stored_report
from ..reporting.report_comparison import REBUILD, agreement, measures, origins
from ..reporting.shared_links import make_link, revoke_link
from ..reporting.text.figure_format import COEFFICIENTS
from .authentication import caller
from .job_serializers import JobSerializer
from .jobs import started
from .parsers import validate
from .report_comparison_serializers import ComparisonQuerySerializer, ReportComparisonSerializer
from .result_serializers import FrozenReportSerializer, LinkSerializer, NewLinkAddressSerializer, NewLinkSerializer
from .schema import errors
from .views import ApiView, ListView


def _report(request: Request, slug: str, frozen_id: UUID) -> Report:
    """Return a frozen report of this project. Raises Http404 or PermissionDenied."""
    report = report_for(caller(request), frozen_id)
    if report.project.slug != slug:
        raise Http404("There is no such report.")
    return report


def _record(request: Request, report: Report, name: str) -> None:
    target, with_names = f"report:{report.public_id}", active() is None
    record_download(caller(request), target, project=report.project, name=name, with_names=with_names)


class FrozenReport(ApiView):
    """A frozen report."""

    @extend_schema(
        operation_id="projects_reports_retrieve", responses={200: FrozenReportSerializer, **errors(403, 404)}
    )
    def get(self, request: Request, slug: str, frozen_id: UUID) -> Response:
        """The report with its provenance record. For leads."""
        report = shown_frozen(_report(request, slug, frozen_id))
        _record(request, report, "report.json")
        return Response(
            {
                "id": str(report.public_id),
                "frozen_at": report.frozen_at,
                "report": json.loads(report.document),
                "provenance": report.provenance or None,
            }
        )


_FILE = {(200, content_type.partition(";")[0]): OpenApiTypes.BINARY for content_type in CONTENT_TYPES.values()}


class ReportFile(ApiView):
    """A file of a frozen report."""

    @extend_schema(operation_id="projects_reports_files_retrieve", responses={**_FILE, **errors(403, 404)})
    def get(self, request: Request, slug: str, frozen_id: UUID, name: str) -> HttpResponse:
        """A file: `report.json` (the stored bytes), `report.csv`, `.md`, `.tex`, `.html` or `.bib`, or
        `provenance.json`. For leads.
        """
        report = shown_frozen(_report(request, slug, frozen_id))
        file = file_of(report, name)
        if file is None:
            raise Http404("The report has no such file.")
        _record(request, report, name)
        return HttpResponse(file.text.encode(), content_type=file.content_type)


class ReportLinks(ListView):
    """Links to a frozen report."""

    @extend_schema(
        operation_id="projects_reports_links_list",
        responses={200: LinkSerializer(many=True), **errors(403, 404)},
    )
    def get(self, request: Request, slug: str, frozen_id: UUID) -> Response:
        """The links, the newest first. For leads."""
        links = _report(request, slug, frozen_id).links.select_related("made_by")
        return self.page(request, links, LinkSerializer, "-pk")

    @extend_schema(request=NewLinkSerializer, responses={201: NewLinkAddressSerializer, **errors(403, 404)})
    def post(self, request: Request, slug: str, frozen_id: UUID) -> Response:
        """Make a link with which anyone can read the report. Its address is in this answer only. For leads."""
        report = _report(request, slug, frozen_id)
        body = validate(NewLinkSerializer, request.data)
        with_names = body["with_names"] and not report.project.hides_raters
        link, key = make_link(report, with_names=with_names, note=body["note"], actor=caller(request))
        address = request.build_absolute_uri(reverse("shared_report", args=[key]))
        return Response({**LinkSerializer(link).data, "address": address}, status=status.HTTP_201_CREATED)


class SingleReportLink(ApiView):
    """A link to a frozen report."""

    @extend_schema(responses={200: LinkSerializer, **errors(403, 404)})
    def delete(self, request: Request, slug: str, frozen_id: UUID, link_id: UUID) -> Response:
        """Revoke the link: it no longer works. For leads."""
        report = _report(request, slug, frozen_id)
        link = ReportLink.objects.filter(report=report, public_id=link_id).first()
        if link is None:
            raise Http404("There is no such link.")
        return Response(LinkSerializer(revoke_link(link, actor=caller(request))).data)


class RebuiltReport(ApiView):
    """A frozen report that is built again."""

    @extend_schema(request=None, responses={202: JobSerializer, **errors(403, 404)})
    def post(self, request: Request, slug: str, frozen_id: UUID) -> Response:
        """Start a job that builds the report from the current ratings and compares the bytes. Its result has
        `identical`, and the `differences` if they are not; an open job is not started twice. For leads.
        """
        report = _report(request, slug, frozen_id)
        params = {"report": str(report.public_id)}
        job, _is_new = enqueue_once(REBUILD, report.project, params, actor=caller(request), same_as=Q(params=params))
        return started(request, job)


class ReportComparison(ApiView):
    """A comparison of two frozen reports."""

    @extend_schema(
        operation_id="projects_reports_comparison_retrieve",
        parameters=[ComparisonQuerySerializer],
        responses={200: ReportComparisonSerializer, **errors(403, 404)},
    )
    def get(self, request: Request, slug: str, frozen_id: UUID) -> Response:
        """The differences from the report `earlier` to this one: where they come from, and every figure of both. For
        leads.
        """
        new = _report(request, slug, frozen_id)
        old = _report(request, slug, validate(ComparisonQuerySerializer, request.query_params)["earlier"])
        shown = [shown_frozen(old), shown_frozen(new)]
        before, after = (stored_report(each) for each in shown)
        comparison = {
            "same_bytes": shown[0].document == shown[1].document,
            "origins": origins(before, after),
            "measures": measures(before, after),
            "agreement": agreement(before, after, tuple(COEFFICIENTS)),
        }
        return Response(ReportComparisonSerializer(comparison).data)
