"""Background jobs: those of a project for its leads, all for admins."""

from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.jobs import JOBS, enqueue

from .. import jobs
from ..access import job_for
from ..exporting.rater_names import OPEN_ORIGINS
from ..models import Job
from ..pseudonyms import active
from ..reporting.report_comparison import REBUILD
from .authentication import caller
from .errors import Conflict
from .records import RowSerializer
from .schema import errors
from .views import AdminView, ListView, ObjectView, ProjectView


class JobProgressSerializer(serializers.Serializer[object]):
    """A job's progress; `total` is null until it is known."""

    done = serializers.IntegerField()
    total = serializers.IntegerField(allow_null=True)
    message = serializers.CharField(allow_blank=True)


class JobSerializer(RowSerializer):
    """A job. Poll its address until `state` is `done`, `failed` or `cancelled`."""

    project = serializers.CharField(source="project.slug", allow_null=True, default=None)
    progress = JobProgressSerializer(source="*")
    problems = serializers.ListField(child=serializers.CharField(), help_text="Why it failed.")
    result = serializers.SerializerMethodField(
        help_text="What the job has done, by kind: of an import the counts, of an export the id of its file. null "
        "before the end; a report has an address of its own."
    )
    report = serializers.UUIDField(
        source="report.public_id", allow_null=True, default=None, help_text="The frozen report."
    )

    class Meta:
        model = Job
        fields = (
            *("id", "kind", "project", "state", "progress", "problems", "result", "report", "started_by"),
            *("created_at", "ended_at"),
        )

    def get_result(self, job: Job) -> dict[str, Any] | None:
        """Return the result. Reports are sent by their own routes, which hide names; differences of a rebuilt report
        that name raters are omitted where names are hidden.
        """
        if not isinstance(job.result, dict) or job.kind == "work_out_report":
            return None
        if job.kind == REBUILD and active():
            differences = [each for each in job.result["differences"] if each["part"] in OPEN_ORIGINS]
            return {**job.result, "differences": differences}
        return job.result


class JobQuerySerializer(serializers.Serializer[object]):
    state = serializers.ChoiceField(choices=["open", *Job.State.values], required=False, help_text="`open`: not ended.")
    kind = serializers.CharField(required=False, max_length=40)


def started(request: Request, job: Job) -> Response:
    """Return the answer to a request that has started a job, with the job's address."""
    location = request.build_absolute_uri(f"/api/v1/jobs/{job.public_id}/")
    return Response(JobSerializer(job).data, status=status.HTTP_202_ACCEPTED, headers={"Location": location})


class JobList(ListView):
    serializer_class = JobSerializer
    query_serializer = JobQuerySerializer
    filters = {"kind": "kind"}
    ordering = "-pk"

    def filter_queryset(self, queryset: QuerySet[Any]) -> QuerySet[Any]:
        rows = super().filter_queryset(queryset).select_related("project", "report", "started_by")
        if state := self.query.get("state"):
            rows = rows.filter(state__in=Job.OPEN if state == "open" else [state])
        return rows


class Jobs(AdminView, JobList):
    """All jobs, the newest first. For admins."""

    queryset = Job.objects.all()


class ProjectJobs(ProjectView, JobList):
    """The project's jobs, the newest first. For leads."""

    def get_queryset(self) -> QuerySet[Job]:
        return self.project.jobs.all()


class SingleJob(ObjectView):
    """State, progress and result. For leads of its project; of a job without project for admins."""

    serializer_class = JobSerializer
    for_admins = ("DELETE",)
    further_errors = (403,)

    def get_object(self) -> Job:
        return job_for(caller(self.request), self.kwargs["job_id"])

    @extend_schema(responses={200: JobSerializer, **errors(409)})
    def delete(self, request: Request, job_id: UUID) -> Response:
        """Cancel the job: it stops at its next step. 409 if it has ended. For admins."""
        if not jobs.cancel(self.get_object(), actor=caller(request)):
            raise Conflict("The job had ended already.")
        return self.answer(self.get_object())


class RetriedJob(AdminView):
    @extend_schema(request=None, responses={202: JobSerializer, **errors(409)})
    def post(self, request: Request, job_id: UUID) -> Response:
        """Queue a failed job again. 409 if it has not failed. For admins."""
        job = job_for(caller(request), job_id)
        if job.kind not in JOBS or not jobs.retry(job, actor=caller(request)):
            raise Conflict("Only failed jobs can be retried, and this one has not failed.")
        enqueue(job)
        return started(request, job_for(caller(request), job_id))
