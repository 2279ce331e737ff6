"""The progress of jobs: the same address gives a page to people and JSON to the page's script."""

from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.contrib import messages
from django.db.models import Q, QuerySet
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.html import format_html
from django.views.decorators.http import require_safe
from django_htmx.http import HttpResponseStopPolling, reswap, trigger_client_event

from ..access import job_for, project_for
from ..exporting.rater_names import shown_choices
from ..i18n.unit_names import job_name
from ..importing import uploads
from ..jobs import has_missed_heartbeats
from ..models import Generator, Job, Project, User
from ..notifications import mark_read
from ..reporting import Choices
from .authentication import Request

UNITS = {
    "compute_metrics": "response",
    "delete_dataset": "step",
    "delete_project": "step",
    "freeze_report": "step",
    "work_out_report": "step",
    "rebuild_report": "step",
    "export": "rating",
    "import_sample": "annotation",
    "count_generation_tokens": "prompt",
    "generate_responses": "prompt",
    "run_judge": "item",
    "estimate_judge_run": "item",
}
STORES_PARTS = ("run_judge", "estimate_judge_run", "generate_responses")
"""Kinds of jobs that store each part when it is done, so that a canceled one has stored some."""
ENDED = (Job.State.DONE, Job.State.FAILED, Job.State.CANCELLED)


def _export_url(job: Job) -> str:
    """Return the address of the export page, at its list of files."""
    assert job.project
    return f"{reverse('exports', args=[job.project.slug])}?file={(job.result or {}).get('export', '')}#made"


def _live_report_url(job: Job) -> str:
    """Return the address of the live report under the job's choices."""
    assert job.project
    choices, _problems = Choices.from_mapping(job.params)
    query = urlencode([("live", "1"), *shown_choices(choices).as_query()])
    return f"{reverse('report', args=[job.project.slug])}?{query}"


def _judges_url(job: Job) -> str:
    assert job.project
    return reverse("project_judges", args=[job.project.slug])


def _metrics_url(job: Job) -> str:
    assert job.project
    return reverse("project_metrics", args=[job.project.slug])


def _generator_url(job: Job) -> str:
    generator = Generator.objects.select_related("dataset").filter(pk=job.params["generator"]).first()
    return (
        reverse("generator", args=[generator.dataset.slug, generator.public_id]) if generator else reverse("datasets")
    )


def _after_deletion(job: Job) -> tuple[str, str]:
    text = f"“{job.params['title']}” is deleted, with everything listed."
    return text, reverse("datasets" if job.kind == "delete_dataset" else "home")


def _after_sample(job: Job) -> tuple[str, str]:
    slug = (job.result or {})["project"]
    report = format_html('<a href="{}">{}</a>', reverse("report", args=[slug]), "Open the report")
    text = "The sample is imported: responses of three systems, each rated by two raters who cannot sign in."
    return format_html("{} {}", text, report), reverse("project", args=[slug])


def _after_erasure(job: Job) -> tuple[str, str]:
    erased = User.objects.get(pk=job.params["user"])
    return "The person is erased. This is the receipt.", reverse("erasure_receipt", args=[erased.username])


AFTER: dict[str, Callable[[Job], tuple[str, str]]] = {
    "delete_dataset": _after_deletion,
    "delete_project": _after_deletion,
    "erase_person": _after_erasure,
    "import_sample": _after_sample,
}
"""Kind of a job -> a message and the address that the job's page redirects to when it is done."""

RESULT_URLS: dict[str, Callable[[Job], str]] = {
    "compute_metrics": _metrics_url,
    "count_generation_tokens": _generator_url,
    "generate_responses": _generator_url,
    "run_judge": _judges_url,
    "estimate_judge_run": _judges_url,
    "work_out_report": _live_report_url,
    "export": _export_url,
    "rebuild_report": lambda job: reverse("reproduce_report", args=[job.params["report"]]),
}
"""Kind of a job -> address of its result, for results other than reports."""
OF_DATASETS = ("count_generation_tokens", "generate_responses")
"""Kinds among them that belong to no project."""


@require_safe
def job(request: Request, public_id: UUID) -> HttpResponse:
    """Show the progress of a job. If the job is done, redirect to its result."""
    selected = job_for(request.user, public_id)
    mark_end_read(request.user, selected)
    if request.htmx:
        return _progress(request, selected)
    if request.GET.get("format") == "json" or not request.accepts("text/html"):
        return JsonResponse(as_json(selected))
    if selected.state == Job.State.DONE and selected.kind in AFTER:
        text, address = AFTER[selected.kind](selected)
        messages.success(request, text)
        return redirect(address)
    if selected.state == Job.State.DONE and (url := result_url(selected)):
        return redirect(url)
    project = project_for(request.user, selected.project.slug, needs="lead") if selected.project else None
    generator_url = _generator_url(selected) if selected.kind in OF_DATASETS else ""
    context = {"job": job_context(selected), "project": project, "generator_url": generator_url}
    return render(request, "job.html", context)


def mark_end_read(user: User, job: Job) -> None:
    """Mark the notification that the job has ended as read: its page says so."""
    if job.state in ENDED and job.started_by_id == user.pk:
        mark_read(user, Q(job=job))


def _progress(request: Request, job: Job) -> HttpResponse:
    """Return the changed parts of a job's page; at its end redirect, or show why it failed."""
    if job.state == Job.State.DONE or (job.state in ENDED and job.kind in uploads.KINDS):
        return trigger_client_event(HttpResponseStopPolling(), "job-ended", {"url": result_url(job)})
    response = render(request, "parts/job.html", {"job": job_context(job), "is_polled": True})
    return reswap(response, "outerHTML") if job.state in ENDED else response


def as_json(job: Job) -> dict[str, Any]:
    """Return a job for the script that follows it. `share` is None while the total is unknown."""
    return {
        "id": str(job.public_id),
        "kind": job.kind,
        "state": job.state,
        "ended": job.state in ENDED,
        "done": job.done,
        "total": job.total,
        "share": min(1.0, job.done / job.total) if job.total else None,
        "message": _message(job),
        "problems": job.problems,
        "url": result_url(job),
    }


def _message(job: Job) -> str:
    """Return the current step; "" while it waits for a worker."""
    if has_missed_heartbeats(job):
        return (
            "The worker does not respond. If it has stopped, another one starts again within a "
            "minute, and nothing is stored twice."
        )
    return job.message if job.message and job.state != Job.State.QUEUED else ""


def result_url(job: Job) -> str | None:
    """Return the address of a job's result, once there is one."""
    has_place = job.project is not None or job.kind in OF_DATASETS
    if job.state == Job.State.DONE and has_place and job.kind in RESULT_URLS:
        return RESULT_URLS[job.kind](job)
    if job.kind in AFTER:
        return reverse("job", args=[job.public_id]) if job.state == Job.State.DONE else None
    if job.report_id is None or job.report is None:
        return None
    return reverse("frozen_report", args=[job.report.public_id])


def job_context(job: Job) -> dict[str, Any]:
    """Return a job for templates/parts/job.html."""
    return {
        **as_json(job),
        "words": job_name(job.kind),
        "unit": UNITS.get(job.kind, ""),
        "stores_parts": job.kind in STORES_PARTS,
        "address": reverse("job", args=[job.public_id]),
    }


def open_job(project: Project, kind: str) -> dict[str, Any] | None:
    """Return the newest job of a kind if it runs or has failed.

    Call this before reading what the job changes: if the job ends in between, the page follows it and is loaded again.
    """
    newest = Job.objects.select_related("report").filter(project=project, kind=kind).first()
    return job_context(newest) if newest and newest.state not in (Job.State.DONE, Job.State.CANCELLED) else None


def open_or_failed(jobs: QuerySet[Job]) -> list[Job]:
    """Return the open ones of these jobs, and the newest if it has failed. Call this as early as `open_job`."""
    shown = list(jobs.filter(state__in=Job.OPEN))
    newest = jobs.first()
    if newest and newest.state == Job.State.FAILED and newest not in shown:
        shown.insert(0, newest)
    return shown
