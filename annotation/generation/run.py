"""Generate the responses of a system that are missing, from a command or a job."""

from contextlib import AbstractContextManager

from django.db import transaction
from django.db.models import QuerySet

from ..importing.dataset import extend_projects, record_import
from ..importing.import_counts import ImportCounts
from ..jobs import Progress, Refused
from ..model_calls.calls import mark_lost
from ..model_calls.errors import ModelError, RunBusy
from ..model_calls.keys import key_of
from ..model_calls.request_groups import ResultCounts
from ..model_calls.run_lock import WAIT_FOR_LOCK, hold_lock
from ..model_calls.runs import RunLimits, RunResult, end_by_counts, end_on_error, result_of, send_requests, start_run
from ..models import DatasetImport, GenerationCall, GenerationResult, GenerationRun, Generator, Job, User
from .generators import audit_target
from .requests import iter_requests, missing_prompts, prompts_to_answer
from .token_counts import COUNT_TOKENS
from .token_limits import TokenLimit

GENERATE_RESPONSES = "generate_responses"
"""The kind of the job."""
LOCK_PREFIX = "factuary.generation:"


def generate_responses(
    generator: Generator,
    limits: RunLimits | None = None,
    *,
    actor: User | None = None,
    job: Job | None = None,
    progress: Progress | None = None,
) -> RunResult[GenerationRun]:
    """Answer the prompts that have no result of the generator. Raises ModelError.

    New responses are added to every project of the data set. A run that was killed is continued by the next one.
    """
    limits = limits or RunLimits()
    run = new_run(generator, limits, actor=actor, job=job)
    key = key_of(generator)
    with generation_lock(generator, wait=WAIT_FOR_LOCK if job else 0.0):
        run = start_run(run, action="generate responses", target=audit_target(generator))
        mark_lost(run.related_calls())
        prompts = list(prompts_to_answer(run, retry_failed=limits.retry_failed).values_list("pk", flat=True))
        if run.limit is not None:
            prompts = prompts[: max(run.limit - run.results.count(), 0)]
        try:
            with end_on_error(run):
                requests = iter_requests(run, prompts, TokenLimit.of(generator))
                _counts, calls = send_requests(
                    run,
                    key,
                    requests,
                    len(prompts),
                    reusable=GenerationCall.objects.none(),
                    progress=progress or Progress(),
                )
            missing = missing_prompts(generator).count()
            end_by_counts(run, calls, missing)
        finally:
            _add_to_projects(run, actor)
    stored = run.results.filter(state=GenerationResult.State.STORED).count()
    results = ResultCounts(stored, run.results.count() - stored)
    return result_of(run, results, generator.dataset.prompts.count(), missing, calls)


def new_run(
    generator: Generator, limits: RunLimits, *, actor: User | None = None, job: Job | None = None
) -> GenerationRun:
    """Return a run that is not stored yet. Raises ModelError for limits that it cannot have."""
    accepts_text = GenerationRun.objects.filter(generator=generator, response_format="text").exists()
    run = GenerationRun(generator=generator, job=job, response_format="text" if accepts_text else "", started_by=actor)
    return limits.set_on(run)


def result_json(result: RunResult[GenerationRun]) -> dict[str, object]:
    """Return what the command prints, and the job stores."""
    generator = result.run.generator
    names = {"dataset": generator.dataset.slug, "system": generator.system}
    return {**names, "prompts": result.total, **result.as_json()}


def generate_job(job: Job, progress: Progress) -> dict[str, object]:
    """Run a job of kind `generate_responses`, with `generator` and those of RunLimits in its params. Raises Refused."""
    generator = Generator.objects.select_related("template", "dataset").get(pk=job.params["generator"])
    limits = RunLimits.from_params(job.params)
    try:
        return result_json(generate_responses(generator, limits, actor=job.started_by, job=job, progress=progress))
    except ModelError as error:
        raise Refused([str(error)]) from None


def generation_lock(generator: Generator, *, wait: float = 0.0) -> AbstractContextManager[None]:
    """Hold the lock of a generator. Raises RunBusy."""
    return hold_lock(f"{LOCK_PREFIX}{generator.pk}", busy_error(generator), wait=wait)


def open_jobs(generator: Generator) -> QuerySet[Job]:
    """Return the jobs that generate its responses, or count tokens, and have not ended."""
    kinds = (GENERATE_RESPONSES, COUNT_TOKENS)
    return Job.objects.filter(kind__in=kinds, params__generator=generator.pk, state__in=Job.OPEN)


def busy_error(generator: Generator) -> RunBusy:
    """Return the error of a second run at the same time."""
    return RunBusy(f"responses of system {generator.system!r} are being generated now; wait until the run ends")


@transaction.atomic
def _add_to_projects(run: GenerationRun, actor: User | None) -> None:
    """Record what the run stored, and add it to the projects of the data set."""
    generator = run.generator
    stored = GenerationResult.objects.filter(run=run, state=GenerationResult.State.STORED).count()
    if stored:
        counts = ImportCounts({"responses": stored}, new=stored)
        options = {"system": generator.system, "model": generator.model, "template": generator.template.label}
        record_import(generator.dataset, DatasetImport.Kind.RESPONSES, [], options, counts, actor)
    extend_projects(generator.dataset, actor, ())
