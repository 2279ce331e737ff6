"""Frozen reports with their files, and links to them for readers without an account."""

import json
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet
from django.http import Http404, HttpResponse
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.jobs import enqueue_once

from .. import models
from ..access import report_for
from ..exporting.rater_names import shown_frozen
from ..exporting.report_formats import CONTENT_TYPES, file_of
from ..models import ReportLink
from ..reporting.frozen_reports import stored_report
from ..reporting.provenance_record import Provenance
from ..reporting.report import Report
from ..reporting.report_comparison import REBUILD, agreement, measures, origins
from ..reporting.shared_links import MAX_NOTE_LENGTH, make_link, revoke_link
from ..reporting.text.figure_format import COEFFICIENTS
from .authentication import caller
from .jobs import JobSerializer, started
from .parsers import validate
from .records import OptionalText, RowSerializer, examples, part
from .reports import record_report_download
from .views import ApiView, ListView, ObjectView, first_or_404


class FrozenReportSerializer(serializers.Serializer[object]):
    id = serializers.UUIDField()
    frozen_at = serializers.DateTimeField()
    report = part(Report)()
    provenance = part(Provenance)(allow_null=True)


class LinkSerializer(RowSerializer):
    """A link with which anyone can read a frozen report."""

    class Meta:
        model = ReportLink
        fields: tuple[str, ...] = ("id", "note", "with_names", "made_by", "made_at", "revoked_at")


@examples({"For reviewers": {"note": "For reviewer 2"}})
class NewLinkSerializer(serializers.Serializer[object]):
    note = OptionalText(max_length=MAX_NOTE_LENGTH)
    with_names = serializers.BooleanField(
        default=False, help_text="Raters by name; never in a project that hides them."
    )


class NewLinkAddressSerializer(LinkSerializer):
    """A new link with its address, which is only in this answer."""

    address = serializers.CharField()

    class Meta(LinkSerializer.Meta):
        fields = (*LinkSerializer.Meta.fields, "address")


@extend_schema_field(OpenApiTypes.ANY)
class AnyValue(serializers.JSONField):
    """A value of any type, or null."""


class ComparisonQuerySerializer(serializers.Serializer[object]):
    earlier = serializers.UUIDField(help_text="The id of the report to compare with.")


class DifferenceSerializer(serializers.Serializer[object]):
    """A difference of the origins of two reports."""

    part = serializers.CharField(help_text="`protocol`, `software`, `data`, `method`, `inference` or `filters`.")
    name = serializers.CharField()
    old = AnyValue(allow_null=True)
    new = AnyValue(allow_null=True)


class ComparedProportionSerializer(serializers.Serializer[object]):
    """A figure of one report; shares are 0 to 1, null where it is undefined."""

    value = serializers.FloatField(allow_null=True)
    k = serializers.IntegerField()
    n = serializers.IntegerField()
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)
    method = serializers.CharField()


class MeasureChangeSerializer(serializers.Serializer[object]):
    """A measure in both reports. `system` is null for all together; a report without the figure has null."""

    measure = serializers.CharField()
    system = serializers.CharField(allow_null=True)
    old = ComparedProportionSerializer(allow_null=True)
    new = ComparedProportionSerializer(allow_null=True)
    change = serializers.FloatField(allow_null=True, help_text="`new` − `old`.")


class AgreementChangeSerializer(serializers.Serializer[object]):
    """A coefficient of agreement in both reports."""

    question = serializers.CharField()
    coefficient = serializers.CharField()
    old = serializers.FloatField(allow_null=True)
    new = serializers.FloatField(allow_null=True)
    change = serializers.FloatField(allow_null=True)


class ReportComparisonSerializer(serializers.Serializer[object]):
    same_bytes = serializers.BooleanField()
    origins = DifferenceSerializer(many=True)
    measures = MeasureChangeSerializer(many=True)
    agreement = AgreementChangeSerializer(many=True)


class FrozenView(ApiView):
    """A view of a frozen report of a project, for its leads."""

    needs = "lead"
    report: models.Report

    def fetch(self) -> None:
        self.report = self.report_with(self.kwargs["frozen_id"])

    def report_with(self, public_id: UUID) -> models.Report:
        report = report_for(caller(self.request), public_id)
        if report.project.slug != self.kwargs["slug"]:
            raise Http404("There is no such report.")
        return report

    def record(self, name: str) -> None:
        record_report_download(self.request, f"report:{self.report.public_id}", self.report.project, name)


class FrozenReport(FrozenView):
    @extend_schema(responses=FrozenReportSerializer)
    def get(self, request: Request, slug: str, frozen_id: UUID) -> Response:
        """The report with its provenance record. For leads."""
        report = shown_frozen(self.report)
        self.record("report.json")
        return Response(
            {
                "id": str(report.public_id),
                "frozen_at": report.frozen_at,
                "report": json.loads(report.document),
                "provenance": report.provenance or None,
            }
        )


class ReportFile(FrozenView):
    @extend_schema(responses={(200, each.partition(";")[0]): OpenApiTypes.BINARY for each in CONTENT_TYPES.values()})
    def get(self, request: Request, slug: str, frozen_id: UUID, name: str) -> HttpResponse:
        """A file: `report.json` (the stored bytes), `report.csv`, `.md`, `.tex`, `.html` or `.bib`, or
        `provenance.json`. For leads.
        """
        file = file_of(shown_frozen(self.report), name)
        if file is None:
            raise Http404("The report has no such file.")
        self.record(name)
        return HttpResponse(file.text.encode(), content_type=file.content_type)


class ReportLinks(FrozenView, ListView):
    """The links, the newest first. For leads."""

    serializer_class = LinkSerializer
    ordering = "-pk"

    def get_queryset(self) -> QuerySet[ReportLink]:
        return self.report.links.select_related("made_by")

    @extend_schema(request=NewLinkSerializer, responses={201: NewLinkAddressSerializer})
    def post(self, request: Request, slug: str, frozen_id: UUID) -> Response:
        """Make a link with which anyone can read the report. Its address is in this answer only. For leads."""
        body = validate(NewLinkSerializer, request.data)
        with_names = body["with_names"] and not self.report.project.hides_raters
        link, key = make_link(self.report, with_names=with_names, note=body["note"], actor=caller(request))
        address = request.build_absolute_uri(reverse("shared_report", args=[key]))
        return Response({**LinkSerializer(link).data, "address": address}, status=status.HTTP_201_CREATED)


class SingleReportLink(FrozenView):
    @extend_schema(responses={200: LinkSerializer})
    def delete(self, request: Request, slug: str, frozen_id: UUID, link_id: UUID) -> Response:
        """Revoke the link: it no longer works. For leads."""
        link = first_or_404(ReportLink.objects.filter(report=self.report, public_id=link_id), "There is no such link.")
        return Response(LinkSerializer(revoke_link(link, actor=caller(request))).data)


class RebuiltReport(FrozenView):
    @extend_schema(request=None, responses={202: JobSerializer})
    def post(self, request: Request, slug: str, frozen_id: UUID) -> Response:
        """Start a job that builds the report from the current ratings and compares the bytes. Its result has
        `identical`, and the `differences` if they are not; an open job is not started twice. For leads.
        """
        params = {"report": str(self.report.public_id)}
        job, _is_new = enqueue_once(
            REBUILD, self.report.project, params, actor=caller(request), same_as=Q(params=params)
        )
        return started(request, job)


class ReportComparison(FrozenView, ObjectView):
    """The differences from the report `earlier` to this one: where they come from, and every figure of both. For
    leads.
    """

    serializer_class = ReportComparisonSerializer
    query_serializer = ComparisonQuerySerializer

    def get_object(self) -> dict[str, Any]:
        old, new = shown_frozen(self.report_with(self.query["earlier"])), shown_frozen(self.report)
        before, after = stored_report(old), stored_report(new)
        return {
            "same_bytes": old.document == new.document,
            "origins": origins(before, after),
            "measures": measures(before, after),
            "agreement": agreement(before, after, tuple(COEFFICIENTS)),
        }
