"""All jobs of the site, for admins: who started which, how it ended, and to retry and cancel them."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from tasks.jobs import JOBS, enqueue

from ... import jobs
from ...access import job_for, require_admin
from ...i18n.unit_names import job_name
from ...models import Job
from ...site.database_clock import database_now
from ..authentication import Request
from ..jobs import STORES_PARTS

PAGE_SIZE = 50
FILTERS = {
    "": "All",
    "open": "Open",
    Job.State.FAILED: Job.State.FAILED.label,
    Job.State.DONE: Job.State.DONE.label,
    Job.State.CANCELLED: Job.State.CANCELLED.label,
}
"""`?state=` -> label."""
TONES = {"failed": "danger", "done": "good", "running": "accent"}


@require_safe
def all_jobs(request: Request) -> HttpResponse:
    """List the jobs, newest first."""
    require_admin(request.user)
    state = request.GET.get("state", "")
    page = Paginator(_jobs(state), PAGE_SIZE).get_page(request.GET.get("page"))
    context = {"page": page, "rows": [_row(job) for job in page], "filters": FILTERS, "state": state}
    return render(request, "operation/jobs.html", context)


def _jobs(state: str) -> QuerySet[Job]:
    queryset = Job.objects.select_related("project", "started_by")
    if state == "open":
        return queryset.filter(state__in=Job.OPEN)
    return queryset.filter(state=state) if state in FILTERS and state else queryset


def _row(job: Job) -> dict[str, Any]:
    return {
        "job": job,
        "name": job_name(job.kind),
        "seconds": ((job.ended_at or database_now()) - job.created_at).total_seconds(),
        "tone": TONES.get(job.state, ""),
        "may_retry": job.state == Job.State.FAILED and job.kind in JOBS,
        "may_cancel": job.state in Job.OPEN,
    }


@require_POST
def retry(request: Request, public_id: UUID) -> HttpResponse:
    """Queue a failed job again."""
    require_admin(request.user)
    job = job_for(request.user, public_id)
    if job.kind in JOBS and jobs.retry(job, actor=request.user):
        enqueue(job)
        messages.success(request, f"{job_name(job.kind)}: queued again.")
    else:
        messages.info(request, "Only failed jobs can be retried, and this one has not failed.")
    return redirect("all_jobs")


@require_POST
def cancel(request: Request, public_id: UUID) -> HttpResponse:
    """Cancel an open job; a running one stops at its next step."""
    require_admin(request.user)
    job = job_for(request.user, public_id)
    if jobs.cancel(job, actor=request.user):
        message = "%(job)s: canceled. What was done until then is stored."
        if job.kind not in STORES_PARTS:
            message = "%(job)s: canceled. Nothing was stored."
        messages.success(request, message % {"job": job_name(job.kind)})
    else:
        messages.info(request, "The job had ended already.")
    return redirect("all_jobs")
