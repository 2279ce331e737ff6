"""Reports for programs: the current figures, and freezing them in a job."""

import json
from collections.abc import Mapping
from uuid import UUID

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.exceptions import Throttled, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.jobs import enqueue
from tasks.live_reports import TooManyReportsError, start_live_report

from .. import jobs, models, reporting
from ..access import job_for, project_for
from ..audit import record_download
from ..exporting.rater_names import read_choices, shown_frozen, shown_in_list, shown_report
from ..models import Job, Project, User
from ..pseudonyms import active
from ..reporting import live
from ..reporting.choice_validation import unknown_names
from ..reporting.frozen_reports import frozen_reports
from ..reporting.report import Report
from .authentication import caller
from .freezing_serializers import FreezeSerializer, JobLinkSerializer, QuerySerializer, ReportJobSerializer
from .report_serializers import ReportSerializer
from .result_serializers import FrozenRowSerializer
from .schema import errors
from .views import ApiView, ListView

SECONDS_TO_WAIT = 5


class LiveReport(ApiView):
    """The live report."""

    @extend_schema(
        parameters=[QuerySerializer],
        responses={200: ReportSerializer, 202: JobLinkSerializer, **errors(403, 404, 429, 503)},
    )
    def get(self, request: Request, slug: str) -> HttpResponse:
        """The report of the current data, without intervals of agreement and Dawid and Skene's estimates. For leads.

        With more than 100,000 ratings, 202 and the id of a job that computes it; 429 while the caller's last one runs.
        """
        project = project_for(caller(request), slug, needs="lead")
        choices = _choices(project, request.query_params)
        if live.is_large(project):
            report = live.cached_report(project, choices)
            if report is None:
                return _start_job(project, choices, caller(request))
        else:
            report = live.live_report(project, choices, live.Extent.COMPLETE).report
        _record_download(request, f"project:{slug}", project)
        return HttpResponse(shown_report(report).to_json(), content_type="application/json")


def _start_job(project: Project, choices: reporting.Choices, actor: User) -> Response:
    try:
        job = start_live_report(project, choices, actor=actor)
    except TooManyReportsError as error:
        raise Throttled(SECONDS_TO_WAIT, str(error)) from None
    link = {"id": str(job.public_id), "report": None}
    return Response(link, status=status.HTTP_202_ACCEPTED, headers={"Retry-After": str(SECONDS_TO_WAIT)})


class FrozenReports(ListView):
    """Frozen reports."""

    @extend_schema(
        operation_id="projects_reports_list",
        responses={200: FrozenRowSerializer(many=True), **errors(403, 404)},
    )
    def get(self, request: Request, slug: str) -> Response:
        """The frozen reports, the newest first. For leads."""
        project = project_for(caller(request), slug, needs="lead")
        return self.page(request, frozen_reports(project), FrozenRowSerializer, "-pk", shown=shown_in_list)

    @extend_schema(
        request=FreezeSerializer,
        responses={202: JobLinkSerializer, **errors(403, 404)},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Start a job that computes a report and freezes it. For leads. `report` is null until the job is done."""
        project = project_for(caller(request), slug, needs="lead")
        body = FreezeSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        if unknown := set(body.initial_data) - set(body.fields):
            message = f"There is no such option. Choose one of: {', '.join(body.fields)}."
            raise ValidationError({name: [message] for name in sorted(unknown)})
        choices = _choices(project, body.initial_data)
        job = jobs.create(reporting.FREEZE, project=project, params=choices.as_params(), actor=caller(request))
        enqueue(job)
        return Response({"id": str(job.public_id), "report": None}, status=status.HTTP_202_ACCEPTED)


class ReportJob(ApiView):
    """The job that computes or freezes a report, with its result."""

    @extend_schema(responses={200: ReportJobSerializer, **errors(403, 404)})
    def get(self, request: Request, report_id: UUID) -> Response:
        """State, progress, and the report with its provenance record when the job is done."""
        job = job_for(caller(request), report_id)
        frozen = shown_frozen(job.report) if job.report else None
        document = {
            "id": str(job.public_id),
            "report": str(job.report.public_id) if job.report else None,
            "state": job.state,
            "progress": {"done": job.done, "total": job.total, "message": job.message},
            "problems": job.problems,
            "result": _result(job, frozen),
            "provenance": (frozen.provenance or None) if frozen else None,
        }
        if document["result"]:
            _record_download(request, f"job:{job.public_id}", job.project)
        return Response(document)


def _record_download(request: Request, target: str, project: Project | None) -> None:
    """Record the download of a report, which names the raters unless they are hidden."""
    if project is not None:
        record_download(caller(request), target, project=project, name="report.json", with_names=active() is None)


def _result(job: Job, frozen: models.Report | None) -> object:
    if frozen:
        return json.loads(frozen.document)
    if job.kind != live.REPORT_JOB or not job.result:
        return None
    return shown_report(Report.from_dict(job.result)).to_dict() if active() else job.result


def _choices(project: Project, values: Mapping[str, object]) -> reporting.Choices:
    """Return the choices. Raises ValidationError for invalid ones and for names that do not occur in the project."""
    choices, problems = read_choices(values)
    if errors := problems or unknown_names(project, choices):
        raise ValidationError(errors)
    return choices
