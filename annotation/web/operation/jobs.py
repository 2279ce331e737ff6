"""All jobs of the site, for admins: who started which, how it ended, and to retry and cancel them."""

from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
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
    selected = Job.objects.select_related("project", "started_by")
    if state and state in FILTERS:
        selected = selected.filter(state__in=Job.OPEN if state == "open" else [state])
    page = Paginator(selected, PAGE_SIZE).get_page(request.GET.get("page"))
    rows = [
        {
            "job": job,
            "name": job_name(job.kind),
            "seconds": ((job.ended_at or database_now()) - job.created_at).total_seconds(),
            "tone": TONES.get(job.state, ""),
            "may_retry": job.state == Job.State.FAILED and job.kind in JOBS,
            "may_cancel": job.state in Job.OPEN,
        }
        for job in page
    ]
    return render(request, "operation/jobs.html", {"page": page, "rows": rows, "filters": FILTERS, "state": state})


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
        effect = "What was done until then is stored." if job.kind in STORES_PARTS else "Nothing was stored."
        messages.success(request, f"{job_name(job.kind)}: canceled. {effect}")
    else:
        messages.info(request, "The job had ended already.")
    return redirect("all_jobs")
