"""Background jobs: those of a project for its leads, all for admins."""

from uuid import UUID

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.jobs import JOBS, enqueue

from .. import jobs
from ..access import job_for, project_for, require_admin
from ..models import Job
from .authentication import caller
from .errors import Conflict
from .job_serializers import JobQuerySerializer, JobSerializer
from .parsers import validate
from .schema import errors
from .views import ApiView, ListView


def started(request: Request, job: Job) -> Response:
    """Return the answer to a request that has started a job, with the job's address."""
    location = request.build_absolute_uri(f"/api/v1/jobs/{job.public_id}/")
    return Response(JobSerializer(job).data, status=status.HTTP_202_ACCEPTED, headers={"Location": location})


def _filtered(request: Request, rows: QuerySet[Job]) -> QuerySet[Job]:
    query = validate(JobQuerySerializer, request.query_params)
    rows = rows.select_related("project", "report", "started_by")
    if kind := query.get("kind"):
        rows = rows.filter(kind=kind)
    if state := query.get("state"):
        rows = rows.filter(state__in=Job.OPEN) if state == "open" else rows.filter(state=state)
    return rows


class Jobs(ListView):
    """The jobs of the site."""

    @extend_schema(
        operation_id="jobs_list",
        parameters=[JobQuerySerializer],
        responses={200: JobSerializer(many=True), **errors(403)},
    )
    def get(self, request: Request) -> Response:
        """All jobs, the newest first. For admins."""
        require_admin(caller(request))
        return self.page(request, _filtered(request, Job.objects.all()), JobSerializer, "-pk")


class ProjectJobs(ListView):
    """The jobs of a project."""

    @extend_schema(
        operation_id="projects_jobs_list",
        parameters=[JobQuerySerializer],
        responses={200: JobSerializer(many=True), **errors(403, 404)},
    )
    def get(self, request: Request, slug: str) -> Response:
        """The project's jobs, the newest first. For leads."""
        project = project_for(caller(request), slug, needs="lead")
        return self.page(request, _filtered(request, project.jobs.all()), JobSerializer, "-pk")


class SingleJob(ApiView):
    """A job."""

    @extend_schema(operation_id="jobs_retrieve", responses={200: JobSerializer, **errors(403, 404)})
    def get(self, request: Request, job_id: UUID) -> Response:
        """State, progress and result. For leads of its project; of a job without project for admins."""
        return Response(JobSerializer(job_for(caller(request), job_id)).data)

    @extend_schema(responses={200: JobSerializer, **errors(403, 404, 409)})
    def delete(self, request: Request, job_id: UUID) -> Response:
        """Cancel the job: it stops at its next step. 409 if it has ended. For admins."""
        require_admin(caller(request))
        job = job_for(caller(request), job_id)
        if not jobs.cancel(job, actor=caller(request)):
            raise Conflict("The job had ended already.")
        return Response(JobSerializer(job_for(caller(request), job_id)).data)


class RetriedJob(ApiView):
    """A failed job."""

    @extend_schema(request=None, responses={202: JobSerializer, **errors(403, 404, 409)})
    def post(self, request: Request, job_id: UUID) -> Response:
        """Queue a failed job again. 409 if it has not failed. For admins."""
        require_admin(caller(request))
        job = job_for(caller(request), job_id)
        if job.kind not in JOBS or not jobs.retry(job, actor=caller(request)):
            raise Conflict("Only failed jobs can be retried, and this one has not failed.")
        enqueue(job)
        return started(request, job_for(caller(request), job_id))
