"""Imports in the browser, for admins: upload, dry run, confirmation, load. Each step has its own address."""

from uuid import UUID

from django.contrib import messages
from django.contrib.humanize.templatetags.humanize import intcomma
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.template.defaultfilters import pluralize
from django.urls import reverse
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tasks.jobs import enqueue

from ... import jobs
from ...access import dataset_for, job_for, require_admin
from ...importing import FORMATS, RULES, uploads
from ...importing.formats import GROUPS
from ...jobs import Refused
from ...models import Dataset, Job, Project
from ..authentication import Request
from ..jobs import job_context, mark_end_read
from . import columns as import_columns
from . import labels as import_labels
from .forms import CHOSEN, DatasetForm, ResponsesForm, UploadLimit, address_of_form
from .import_outcomes import FILES_SHOWN, outcome_of_job


# CSRF is checked in _dataset: the check reads the form, and the limit must be set before that.
@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def dataset(request: Request) -> HttpResponse:
    """Show the form for a data set; a post stores the files and starts a dry run."""
    require_admin(request.user)
    return _dataset(request, UploadLimit.reported_by_view(request))


@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def responses(request: Request, slug: str) -> HttpResponse:
    """Show the form for responses to a data set's prompts; a post stores the files and starts a dry run."""
    require_admin(request.user)
    return _responses(request, dataset_for(request.user, slug), UploadLimit.reported_by_view(request))


@csrf_protect
def _dataset(request: Request, limit: UploadLimit) -> HttpResponse:
    posted = (request.POST, request.FILES) if request.method == "POST" else ()
    initial = {name: request.GET[name] for name in CHOSEN if name in request.GET}
    form = DatasetForm(*posted, limit=limit, initial={"slug": request.GET.get("dataset", "")} | initial)
    if form.is_valid() and FORMATS[form.cleaned_data["format"]].mapped:
        stored = uploads.store_files(form.cleaned_data["upload"], request.user)
        return redirect(import_columns.address_of([upload.public_id for upload in stored], form.params()))
    if form.is_valid():
        return _check(request, uploads.LOAD_DATASET, form.cleaned_data["upload"], form.params())
    groups = [(title, [each for each in FORMATS.values() if each.group == group]) for group, title in GROUPS.items()]
    return render(request, "datasets/import.html", {"form": form, "groups": groups, "rules": RULES.values()})


@csrf_protect
def _responses(request: Request, dataset: Dataset, limit: UploadLimit) -> HttpResponse:
    posted = (request.POST, request.FILES) if request.method == "POST" else ()
    form = ResponsesForm(*posted, limit=limit)
    if form.is_valid():
        params = {"slug": dataset.slug, "system": form.cleaned_data["system"].strip()}
        params["format"] = form.cleaned_data["format"]
        return _check(request, uploads.LOAD_RESPONSES, [form.cleaned_data["upload"]], params)
    return render(request, "datasets/import_responses.html", {"form": form, "dataset": dataset})


def _check(request: Request, kind: str, files: list, params: dict) -> HttpResponse:
    job = uploads.start_import(kind, files, params, request.user)
    enqueue(job)
    return redirect("import_job", job.public_id)


@require_safe
def job(request: Request, public_id: UUID) -> HttpResponse:
    """Show the progress, the result of the dry run, or the failure. Redirect to the data set once it is loaded."""
    import_job = _fetch_import_job(request, public_id)
    mark_end_read(request.user, import_job)
    stored = Dataset.objects.filter(slug=import_job.params["slug"]).first()
    if import_job.state == Job.State.DONE and import_job.kind == uploads.FIND_LABELS:
        return redirect("import_labels", import_job.public_id)
    if import_job.state == Job.State.DONE and import_job.result and not import_job.params["dry_run"] and stored:
        counts = import_job.result["counts"]
        messages.success(request, f"Imported {intcomma(counts['new'])} new record{pluralize(counts['new'])}.")
        if project := Project.objects.filter(slug=counts.get("project", "")).first():
            return redirect("project", project.slug)
        return redirect("dataset", stored.slug)
    again = import_columns.address_of_job(import_job) or address_of_form(import_job.params)
    if import_job.kind == uploads.LOAD_RESPONSES and stored:
        again = reverse("import_responses", args=[stored.slug])
    files, is_dataset = list(import_job.uploads.order_by("pk")), import_job.kind != uploads.LOAD_RESPONSES
    context = {
        "job": import_job,
        "job_status": job_context(import_job),
        "outcome": outcome_of_job(import_job),
        "is_project": import_job.kind in (uploads.FIND_LABELS, uploads.LOAD_PROJECT),
        "labels_address": import_labels.address_of_job(import_job),
        "has_responses": bool(import_job.result and import_job.result["counts"].get("responses")),
        "dataset": stored,
        "is_dataset": is_dataset,
        "format": FORMATS.get(import_job.params.get("format", "")) if is_dataset else None,
        "uploads": files[:FILES_SHOWN],
        "more_uploads": max(0, len(files) - FILES_SHOWN),
        "again": again,
    }
    return render(request, "datasets/import_job.html", context)


@require_POST
def confirm(request: Request, public_id: UUID) -> HttpResponse:
    """Load the files after the dry run."""
    checked = _fetch_import_job(request, public_id)
    if not uploads.is_checked(checked):
        messages.error(request, "Only files that were checked completely can be imported.")
        return redirect("import_job", checked.public_id)
    try:
        begun, is_new = uploads.start_load(checked, request.user)
    except Refused as refused:
        messages.error(request, " ".join(refused.problems))
        return redirect("import_job", checked.public_id)
    if is_new:
        enqueue(begun)
    return redirect("import_job", begun.public_id)


@require_POST
def cancel(request: Request, public_id: UUID) -> HttpResponse:
    """Stop the job at its next step; nothing of it is stored."""
    import_job = _fetch_import_job(request, public_id)
    jobs.cancel(import_job, actor=request.user)
    messages.info(request, "Canceled. Nothing was stored.")
    return redirect("import_job", import_job.public_id)


def _fetch_import_job(request: Request, public_id: UUID) -> Job:
    """Return an import job, for admins."""
    require_admin(request.user)
    import_job = job_for(request.user, public_id)
    if import_job.kind not in uploads.KINDS:
        raise Http404("This job imports nothing.")
    return import_job
