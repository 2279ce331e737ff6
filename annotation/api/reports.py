"""Reports for programs: the current figures, and freezing them in a job."""

import json
from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import Throttled, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.jobs import enqueue
from tasks.live_reports import TooManyReportsError, start_live_report

from .. import jobs, models, reporting
from ..access import job_for
from ..audit import record_download
from ..exporting.rater_names import read_choices, shown_frozen, shown_in_list, shown_report
from ..models import Job, Project
from ..pseudonyms import active
from ..reporting import live
from ..reporting.choice_validation import unknown_names
from ..reporting.choices import (
    ANSWERS,
    AUTO,
    CLUSTERS,
    MAX_RESAMPLES,
    MAX_SECONDS,
    MAX_SEED,
    MIN_RESAMPLES,
    RAW,
    RESAMPLES,
    SEED,
)
from ..reporting.frozen_reports import frozen_reports
from ..reporting.provenance_record import Provenance
from ..reporting.report import Report
from .authentication import caller
from .jobs import JobProgressSerializer
from .records import RowSerializer, part
from .schema import errors
from .views import ApiView, ListView, ProjectView

SECONDS_TO_WAIT = 5


class ChoicesSerializer(serializers.Serializer[object]):
    """How to compute a report, and from which of the ratings that count. Only for the schema: `Choices` parses them."""

    seed = serializers.IntegerField(default=SEED, min_value=0, max_value=MAX_SEED)
    resamples = serializers.IntegerField(default=RESAMPLES, min_value=MIN_RESAMPLES, max_value=MAX_RESAMPLES)
    cluster = serializers.ChoiceField(
        CLUSTERS,
        default=AUTO,
        help_text="The sampling unit. `auto`: documents where there are at least 10 and fewer than 0.8 × prompts.",
    )
    answers = serializers.ChoiceField(
        ANSWERS, default=RAW, help_text="`adjudicated`: the newest adjudication of an item replaces its ratings."
    )
    least_gold = serializers.FloatField(
        required=False, min_value=0, max_value=1, help_text="Without raters whose accuracy on gold is below this share."
    )
    without_raters = serializers.ListField(child=serializers.CharField(), required=False, help_text="User names.")
    least_seconds = serializers.FloatField(
        required=False, min_value=0, max_value=MAX_SECONDS, help_text="Without ratings given in fewer seconds."
    )
    systems = serializers.ListField(child=serializers.CharField(), required=False, help_text="Only these.")
    judge = serializers.CharField(
        required=False, help_text="Adds the estimates from people and this judge: NAME (newest version) or NAME@N."
    )


class QuerySerializer(ChoicesSerializer):
    metadata = serializers.ListField(
        child=serializers.CharField(), required=False, help_text="Only prompts with one of the values: `KEY=VALUE`."
    )


class FreezeSerializer(ChoicesSerializer):
    """The choices as a request body."""

    metadata = serializers.DictField(
        child=serializers.ListField(child=serializers.CharField()),
        required=False,
        help_text="Only prompts with one of the values of each key.",
    )


class JobLinkSerializer(serializers.Serializer[object]):
    """The id of a job that computes or freezes a report, and of the frozen report."""

    id = serializers.UUIDField(help_text="Of the job; its address is `/api/v1/reports/{id}/`.")
    report = serializers.UUIDField(
        allow_null=True,
        help_text="Of the frozen report, whose page is `/reports/{report}/`; null until it is stored, "
        "and for a live report.",
    )


class ReportJobSerializer(JobLinkSerializer):
    """The job that computes or freezes a report; `result` is the report when the job is done."""

    state = serializers.ChoiceField(choices=["queued", "running", "done", "failed", "cancelled"])
    progress = JobProgressSerializer()
    problems = serializers.ListField(child=serializers.CharField(), help_text="Why it failed.")
    result = part(Report)(allow_null=True)
    provenance = part(Provenance)(
        allow_null=True, help_text="What is stored beside the report; null also for reports frozen before it existed."
    )


class FrozenRowSerializer(RowSerializer):
    """A frozen report without its figures."""

    method = serializers.DictField(allow_null=True, default=None)
    filters = serializers.SerializerMethodField(help_text="Empty: of all ratings that count.")

    class Meta:
        model = models.Report
        fields = ("id", "frozen_at", "frozen_by", "data_sha256", "method", "filters")

    def get_filters(self, report: Any) -> dict[str, Any]:
        """Return the filters without raters, whose names may be hidden."""
        return {name: value for name, value in (report.filters or {}).items() if name != "without_raters"}


class LiveReport(ProjectView):
    @extend_schema(
        parameters=[QuerySerializer], responses={200: part(Report), 202: JobLinkSerializer, **errors(429, 503)}
    )
    def get(self, request: Request, slug: str) -> HttpResponse:
        """The report of the current data, without intervals of agreement and Dawid and Skene's estimates. For leads.

        With more than 100,000 ratings, 202 and the id of a job that computes it; 429 while the caller's last one runs.
        """
        choices = _choices(self.project, request.query_params)
        if not live.is_large(self.project):
            report = live.live_report(self.project, choices, live.Extent.COMPLETE).report
        elif (cached := live.cached_report(self.project, choices)) is not None:
            report = cached
        else:
            try:
                job = start_live_report(self.project, choices, actor=caller(request))
            except TooManyReportsError as error:
                raise Throttled(SECONDS_TO_WAIT, str(error)) from None
            link = {"id": str(job.public_id), "report": None}
            return Response(link, status=status.HTTP_202_ACCEPTED, headers={"Retry-After": str(SECONDS_TO_WAIT)})
        record_report_download(request, f"project:{slug}", self.project)
        return HttpResponse(shown_report(report).to_json(), content_type="application/json")


class FrozenReports(ProjectView, ListView):
    """The frozen reports, the newest first. For leads."""

    serializer_class = FrozenRowSerializer
    ordering = "-pk"

    def get_queryset(self) -> QuerySet[models.Report]:
        return frozen_reports(self.project)

    def shown(self, rows: list[models.Report]) -> list[models.Report]:
        return shown_in_list(rows)

    @extend_schema(request=FreezeSerializer, responses={202: JobLinkSerializer})
    def post(self, request: Request, slug: str) -> Response:
        """Start a job that computes a report and freezes it. For leads. `report` is null until the job is done."""
        body = FreezeSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        if unknown := set(body.initial_data) - set(body.fields):
            message = f"There is no such option. Choose one of: {', '.join(body.fields)}."
            raise ValidationError({name: [message] for name in sorted(unknown)})
        choices = _choices(self.project, body.initial_data)
        job = jobs.create(reporting.FREEZE, project=self.project, params=choices.as_params(), actor=caller(request))
        enqueue(job)
        return Response({"id": str(job.public_id), "report": None}, status=status.HTTP_202_ACCEPTED)


class ReportJob(ApiView):
    @extend_schema(responses={200: ReportJobSerializer, **errors(403)})
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
        if document["result"] and job.project is not None:
            record_report_download(request, f"job:{job.public_id}", job.project)
        return Response(document)


def record_report_download(request: Request, target: str, project: Project, name: str = "report.json") -> None:
    """Record the download of a file of a report, which names the raters unless they are hidden."""
    record_download(caller(request), target, project=project, name=name, with_names=active() is None)


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
