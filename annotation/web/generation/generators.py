"""The page of a generated system, for admins: settings, token count, runs and results."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.text import slugify
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tasks.generation import start_generation, start_token_count

from ...access import dataset_for, job_for, require_admin
from ...audit import record
from ...generation.generated_files import export_results
from ...generation.generators import audit_target
from ...generation.run import GENERATE_RESPONSES
from ...generation.summaries import generators_of, runs_of
from ...generation.token_counts import COUNT_TOKENS
from ...jobs import cancel as cancel_job
from ...model_calls.errors import ModelError
from ...models import GenerationResult, Generator, Job, User
from ..accounts.fields import sentence
from ..authentication import Request
from ..jobs import job_context, open_or_failed
from .forms import GenerateForm

RESULTS_SHOWN, RUNS_SHOWN = 20, 25
JOB_KINDS = (GENERATE_RESPONSES, COUNT_TOKENS)
FILTERS = {
    "": "All",
    GenerationResult.State.STORED: GenerationResult.State.STORED.label,
    GenerationResult.State.FAILED: GenerationResult.State.FAILED.label,
}
"""`?state=` -> label."""


@require_http_methods(["GET", "HEAD", "POST"])
def generator(request: Request, slug: str, public_id: UUID) -> HttpResponse:
    """Show a generator with its runs and, filtered by `?state=`, its results. A post starts a run, once the tokens are
    counted.
    """
    selected = _generator(request.user, slug, public_id)
    counts = Job.objects.filter(kind=COUNT_TOKENS, params__generator=selected.pk, state=Job.State.DONE)
    counted = counts.exclude(result=None).first()
    data = request.POST if request.method == "POST" else None
    form = GenerateForm(data, has_prices=selected.has_prices, has_failed=selected.failed > 0)
    if request.method == "POST" and form.is_valid():
        try:
            if counted is None:
                raise ModelError("the tokens are not counted yet; start the run when you have seen what it takes")
            start_generation(selected, form.limits(), actor=request.user)
            return redirect("generator", slug, public_id)
        except ModelError as error:
            form.add_model_error(error)
    jobs = open_or_failed(
        Job.objects.filter(kind__in=JOB_KINDS, params__generator=selected.pk).select_related("project", "report")
    )
    runs, state = runs_of(selected), request.GET.get("state", "")
    results = GenerationResult.objects.filter(generator=selected).order_by("pk")
    results = results.select_related("prompt", "response").defer("prompt__annotations", "prompt__metadata")
    if state and state in FILTERS:
        results = results.filter(state=state)
    context = {
        "dataset": selected.dataset,
        "generator": selected,
        "form": form,
        "jobs": [job_context(job) | {"problems": [sentence(problem) for problem in job.problems]} for job in jobs],
        "is_generating": any(job.kind == GENERATE_RESPONSES and job.state in Job.OPEN for job in jobs),
        "counted": counted,
        "counts": counted.result if counted else None,
        "is_outdated": bool(counted and runs.filter(started_at__gt=counted.created_at).exists()),
        "too_long": _too_long(selected, counted) if counted else [],
        "runs": runs[:RUNS_SHOWN],
        "run_count": selected.runs.count(),
        "filters": FILTERS,
        "state": state,
        "page": Paginator(results, RESULTS_SHOWN).get_page(request.GET.get("page")),
    }
    return render(request, "generation/generator.html", context)


def _generator(user: User, slug: str, public_id: UUID) -> Any:
    """Return the generator with the numbers of `generators_of`. Raises Http404 or PermissionDenied."""
    require_admin(user)
    return get_object_or_404(generators_of(dataset_for(user, slug)), public_id=public_id)


def _too_long(selected: Generator, counted: Job) -> list[dict[str, object]]:
    """Return the documents that are too long, with the prompts and tokens of their requests."""
    named = (counted.result or {})["too_long_named"]
    documents = selected.dataset.documents.filter(key__in=[each["document"] for each in named]).defer("sections")
    prompts = selected.dataset.prompts.filter(key__in=[each["prompt"] for each in named])
    document_by_key, prompt_by_key = {each.key: each for each in documents}, {each.key: each for each in prompts}
    return [
        {
            "document": document_by_key.get(each["document"]),
            "prompt": prompt_by_key.get(each["prompt"]),
            "tokens": each["tokens"],
            "document_key": each["document"],
            "prompt_key": each["prompt"],
        }
        for each in named
    ]


@require_POST
def count(request: Request, slug: str, public_id: UUID) -> HttpResponse:
    """Start the job that counts the tokens."""
    selected = _generator(request.user, slug, public_id)
    try:
        start_token_count(selected, actor=request.user)
    except ModelError:
        messages.info(request, "The tokens are being counted already.")
    return redirect("generator", slug, public_id)


@require_POST
def cancel(request: Request, slug: str, public_id: UUID, job_id: UUID) -> HttpResponse:
    """Cancel an open run or token count: responses that are stored stay."""
    selected = _generator(request.user, slug, public_id)
    job = job_for(request.user, job_id)
    if job.kind not in JOB_KINDS or job.params.get("generator") != selected.pk:
        raise Http404("There is no such job.")
    if cancel_job(job, actor=request.user):
        messages.success(request, "Canceled. Responses that are stored stay.")
    else:
        messages.info(request, "The job had ended already.")
    return redirect("generator", slug, public_id)


@require_safe
def download(request: Request, slug: str, public_id: UUID) -> StreamingHttpResponse:
    """Stream the results as JSON lines."""
    selected = _generator(request.user, slug, public_id)
    filename = f"generated-{slugify(selected.system) or selected.public_id}.jsonl"
    record(request.user, "download file", audit_target(selected), after={"name": filename, "with_names": False})
    response = StreamingHttpResponse(export_results(selected), content_type="application/jsonl")
    response["Content-Disposition"] = f'attachment; filename="{filename}"'
    return response
