"""The page of a generated system, for admins: settings, token count, runs and results."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.text import slugify
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tasks.generation import start_generation, start_token_count

from ... import jobs
from ...access import dataset_for, job_for, require_admin
from ...audit import record
from ...generation.generated_files import export_results
from ...generation.generators import audit_target
from ...generation.run import GENERATE_RESPONSES
from ...generation.summaries import generators_of, runs_of
from ...generation.token_counts import COUNT_TOKENS
from ...model_calls.errors import ModelError
from ...models import GenerationResult, Generator, Job, User
from ..accounts.fields import sentence
from ..authentication import Request
from ..jobs import job_context, open_or_failed
from .forms import GenerateForm

RESULTS_SHOWN, RUNS_SHOWN = 20, 25
FILTERS = {
    "": "All",
    GenerationResult.State.STORED: GenerationResult.State.STORED.label,
    GenerationResult.State.FAILED: GenerationResult.State.FAILED.label,
}
"""`?state=` -> label."""


@require_http_methods(["GET", "HEAD", "POST"])
def generator(request: Request, slug: str, public_id: UUID) -> HttpResponse:
    """Show a generator. A post starts a run, once the tokens are counted."""
    selected = _generator(request.user, slug, public_id)
    data = request.POST if request.method == "POST" else None
    form = GenerateForm(data, has_prices=selected.has_prices, has_failed=selected.failed > 0)
    if request.method == "POST" and form.is_valid():
        try:
            _start(selected, form, request.user)
        except ModelError as error:
            form.add_model_error(error)
        else:
            return redirect("generator", slug, public_id)
    return render(request, "generation/generator.html", _context(request, selected, form))


def _generator(user: User, slug: str, public_id: UUID) -> Any:
    """Return the generator with the numbers of `generators_of`. Raises Http404 or PermissionDenied."""
    require_admin(user)
    return get_object_or_404(generators_of(dataset_for(user, slug)), public_id=public_id)


def _start(selected: Generator, form: GenerateForm, actor: User) -> None:
    if _token_count(selected) is None:
        raise ModelError("the tokens are not counted yet; start the run when you have seen what it takes")
    start_generation(selected, form.limits(), actor=actor)


def _context(request: Request, selected: Any, form: GenerateForm) -> dict[str, Any]:
    state = request.GET.get("state", "")
    kinds = (GENERATE_RESPONSES, COUNT_TOKENS)
    jobs = open_or_failed(
        Job.objects.filter(kind__in=kinds, params__generator=selected.pk).select_related("project", "report")
    )
    selected = generators_of(selected.dataset).get(pk=selected.pk)
    counted = _token_count(selected)
    runs = runs_of(selected)
    return {
        "dataset": selected.dataset,
        "generator": selected,
        "form": form,
        "jobs": [_job(job) for job in jobs],
        "is_generating": any(job.kind == GENERATE_RESPONSES and job.state in Job.OPEN for job in jobs),
        "counted": counted,
        "counts": counted.result if counted else None,
        "is_outdated": bool(counted and runs.filter(started_at__gt=counted.created_at).exists()),
        "too_long": _too_long(selected, counted) if counted else [],
        "runs": runs[:RUNS_SHOWN],
        "run_count": selected.runs.count(),
        "filters": FILTERS,
        "state": state,
        "page": Paginator(_results(selected, state), RESULTS_SHOWN).get_page(request.GET.get("page")),
    }


def _job(job: Job) -> dict[str, Any]:
    return job_context(job) | {"problems": [sentence(problem) for problem in job.problems]}


def _token_count(selected: Generator) -> Job | None:
    """Return the newest job that has counted the tokens."""
    done = Job.objects.filter(kind=COUNT_TOKENS, params__generator=selected.pk, state=Job.State.DONE)
    return done.exclude(result=None).first()


def _too_long(selected: Generator, counted: Job) -> list[dict[str, Any]]:
    """Return the documents that are too long, with the prompts and tokens of their requests."""
    named = (counted.result or {})["too_long_named"]
    documents = selected.dataset.documents.filter(key__in=[each["document"] for each in named]).defer("sections")
    prompts = selected.dataset.prompts.filter(key__in=[each["prompt"] for each in named])
    by_key, prompt_by_key = {each.key: each for each in documents}, {each.key: each for each in prompts}
    return [
        {"document": by_key.get(each["document"]), "prompt": prompt_by_key.get(each["prompt"]), **_numbers(each)}
        for each in named
    ]


def _numbers(named: dict[str, Any]) -> dict[str, Any]:
    return {"tokens": named["tokens"], "document_key": named["document"], "prompt_key": named["prompt"]}


def _results(selected: Generator, state: str) -> QuerySet[GenerationResult]:
    results = GenerationResult.objects.filter(generator=selected).order_by("pk")
    results = results.select_related("prompt", "response").defer("prompt__annotations", "prompt__metadata")
    return results.filter(state=state) if state and state in FILTERS else results


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
    if job.kind not in (GENERATE_RESPONSES, COUNT_TOKENS) or job.params.get("generator") != selected.pk:
        raise Http404("There is no such job.")
    if jobs.cancel(job, actor=request.user):
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
