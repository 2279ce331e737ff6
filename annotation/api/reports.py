"""Reports for programs: the current figures, and freezing them in a job."""

import json
from collections.abc import Mapping
from uuid import UUID

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from tasks.jobs import enqueue

from .. import jobs, reporting
from ..access import job_for, project_for
from ..models import Project
from ..reporting.choice_validation import unknown_names
from ..reporting.choices import FIELDS
from ..reporting.live import Extent, live_report
from .authentication import caller
from .freezing_serializers import FreezeSerializer, JobLinkSerializer, QuerySerializer, ReportJobSerializer
from .report_serializers import ReportSerializer
from .schema import errors


class LiveReport(APIView):
    """The live report."""

    @extend_schema(
        parameters=[QuerySerializer],
        responses={200: ReportSerializer, **errors(400, 403, 404)},
    )
    def get(self, request: Request, slug: str) -> HttpResponse:
        """The report of the current data, without intervals of agreement and Dawid and Skene's estimates. For leads."""
        project = project_for(caller(request), slug, needs="lead")
        choices = _choices(project, request.query_params)
        report = live_report(project, choices, Extent.COMPLETE).report
        return HttpResponse(report.to_json(), content_type="application/json")


class FreezeReport(APIView):
    """Freeze a report."""

    @extend_schema(
        request=FreezeSerializer,
        responses={202: JobLinkSerializer, **errors(400, 403, 404)},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Start a job that computes a report and freezes it. For leads. `report` is null until the job is done."""
        project = project_for(caller(request), slug, needs="lead")
        body = FreezeSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        choices = _choices(project, body.initial_data)
        job = jobs.create(reporting.FREEZE, project=project, params=choices.as_params(), actor=caller(request))
        enqueue(job)
        return Response({"id": str(job.public_id), "report": None}, status=status.HTTP_202_ACCEPTED)


class FrozenReport(APIView):
    """The job that freezes a report, with its result."""

    @extend_schema(responses={200: ReportJobSerializer, **errors(403, 404)})
    def get(self, request: Request, report_id: UUID) -> Response:
        """State, progress, and the report with its provenance record when the job is done."""
        job = job_for(caller(request), report_id)
        document = {
            "id": str(job.public_id),
            "report": str(job.report.public_id) if job.report else None,
            "state": job.state,
            "progress": {"done": job.done, "total": job.total, "message": job.message},
            "problems": job.problems,
            "result": json.loads(job.report.document) if job.report else None,
            "provenance": (job.report.provenance or None) if job.report else None,
        }
        return Response(document)


def _choices(project: Project, values: Mapping[str, object]) -> reporting.Choices:
    """Return the choices. Raises ValidationError for invalid ones and for names that do not occur in the project."""
    choices, problems = reporting.Choices.from_mapping(values)
    unknown = {
        name: [f"There is no such option. Choose one of: {', '.join(FIELDS)}."] for name in values if name not in FIELDS
    }
    if errors := {**problems, **unknown} or unknown_names(project, choices):
        raise ValidationError(errors)
    return choices
