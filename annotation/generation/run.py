"""Generate the responses of a system that are missing, from a command or a job."""

from contextlib import AbstractContextManager
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from ..audit import record
from ..importing.dataset import extend_projects, record_import
from ..importing.import_counts import ImportCounts
from ..jobs import Progress, Refused
from ..model_calls.calls import CallCounts, mark_lost, spent_by
from ..model_calls.errors import ModelError, RunBusy
from ..model_calls.keys import key_of
from ..model_calls.run_ends import end_on_error, end_run, unanswered_problem
from ..model_calls.run_lock import WAIT_FOR_LOCK, hold_lock
from ..models import DatasetImport, GenerationCall, GenerationResult, GenerationRun, Generator, Job, User
from ..site.database_clock import database_now
from .generators import audit_target
from .requests import iter_requests, missing_prompts, prompts_to_answer
from .token_counts import COUNT_TOKENS
from .token_limits import TokenLimit

GENERATE_RESPONSES = "generate_responses"
"""The kind of the job."""
LOCK_PREFIX = "factuary.generation:"


@dataclass(frozen=True)
class RunSummary:
    """What a run did: responses `stored` and `failed` in it, `prompts` of the data set, `missing`: without a result.

    `tokens`, `cost_usd`: of the requests of this run, the cost None without prices.
    """

    run: GenerationRun
    stored: int
    failed: int
    prompts: int
    missing: int
    calls: CallCounts
    tokens: int
    cost_usd: Decimal | None

    def as_json(self) -> dict[str, Any]:
        return {
            "dataset": self.run.generator.dataset.slug,
            "system": self.run.generator.system,
            "prompts": self.prompts,
            "new": self.stored,
            "failed": self.failed,
            "missing": self.missing,
            "ended": self.run.ended,
            "requests": self.calls.requests,
            "unanswered": self.calls.unanswered,
            "tokens": self.tokens,
            "cost_usd": None if self.cost_usd is None else float(self.cost_usd),
        }


def generate_responses(
    generator: Generator,
    *,
    limit: int | None = None,
    budget_usd: Decimal | None = None,
    budget_tokens: int | None = None,
    retry_failed: bool = False,
    actor: User | None = None,
    job: Job | None = None,
    progress: Progress | None = None,
) -> RunSummary:
    """Answer the prompts that have no result of the generator, at most `limit`. Raises ModelError.

    New responses are added to every project of the data set. A run that was killed is continued by the next one.
    """
    check_run(generator, budget_usd)
    key = key_of(generator)
    with generation_lock(generator, wait=WAIT_FOR_LOCK if job else 0.0):
        run = _start_run(generator, actor, job, limit, budget_usd, budget_tokens)
        mark_lost(run.related_calls())
        try:
            with end_on_error(run):
                calls, is_out_of_budget = _send_requests(run, key, retry_failed, progress or Progress())
            missing = missing_prompts(generator).count()
            end_run(run, _reason(run, missing, calls, is_out_of_budget), unanswered_problem(calls))
        finally:
            _add_to_projects(run, actor)
    spent, results = spent_by(run), GenerationResult.objects.filter(run=run)
    stored = results.filter(state=GenerationResult.State.STORED).count()
    cost = spent.usd if generator.has_prices else None
    prompts = generator.dataset.prompts.count()
    return RunSummary(run, stored, results.count() - stored, prompts, missing, calls, spent.tokens, cost)


def check_run(generator: Generator, budget_usd: Decimal | None = None) -> None:
    """Raise ModelError for a budget without prices."""
    if budget_usd is not None and not generator.has_prices:
        raise ModelError("a budget in USD needs the prices of input and output: give both", "budget_usd")


def generate_job(job: Job, progress: Progress) -> dict[str, Any]:
    """Run a job of kind `generate_responses`, with `generator`, `limit`, `budget_usd`, `budget_tokens` and
    `retry_failed` in its params. Raises Refused.
    """
    budget = job.params.get("budget_usd")
    try:
        summary = generate_responses(
            Generator.objects.select_related("template", "dataset").get(pk=job.params["generator"]),
            limit=job.params.get("limit"),
            budget_usd=None if budget is None else Decimal(budget),
            budget_tokens=job.params.get("budget_tokens"),
            retry_failed=bool(job.params.get("retry_failed")),
            actor=job.started_by,
            job=job,
            progress=progress,
        )
    except ModelError as error:
        raise Refused([str(error)]) from None
    return summary.as_json()


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
def _start_run(
    generator: Generator,
    actor: User | None,
    job: Job | None,
    limit: int | None,
    budget_usd: Decimal | None,
    budget_tokens: int | None,
) -> GenerationRun:
    """Return the run of the job, if it was started before, or a new one."""
    runs = GenerationRun.objects.select_related("generator__template", "generator__dataset")
    if job and (started := runs.filter(job=job).first()):
        return started
    killed = runs.filter(generator=generator, ended="")
    killed.update(ended=GenerationRun.Ended.STOPPED, ended_at=database_now())
    run = GenerationRun.objects.create(
        generator=generator,
        job=job,
        limit=limit,
        budget_usd=budget_usd,
        budget_tokens=budget_tokens,
        response_format="text" if runs.filter(generator=generator, response_format="text").exists() else "",
        started_by=actor,
    )
    budget = None if budget_usd is None else str(budget_usd)
    after = {"limit": limit, "budget_usd": budget, "budget_tokens": budget_tokens}
    record(actor, "generate responses", audit_target(generator), after=after)
    return run


def _send_requests(run: GenerationRun, key: str, retry_failed: bool, progress: Progress) -> tuple[CallCounts, bool]:
    """Send the requests of the run. Return their counts, and whether the budget was used."""
    from ..model_calls.endpoint import Endpoint  # the client takes half a second to load
    from ..model_calls.request_loop import RequestLoop

    prompts = _prompts(run, retry_failed)
    endpoint = Endpoint(run.generator, key)
    requests = iter_requests(run, prompts, TokenLimit.of(run.generator))
    loop = RequestLoop(run, endpoint, requests, len(prompts), reusable=GenerationCall.objects.none())
    try:
        loop.run(progress)
    finally:
        endpoint.close()
    return loop.calls, loop.out_of_budget


def _prompts(run: GenerationRun, retry_failed: bool) -> list[int]:
    """Return the missing prompts (primary keys), up to what the run's limit still allows."""
    prompts = prompts_to_answer(run, retry_failed=retry_failed).values_list("pk", flat=True)
    if run.limit is None:
        return list(prompts)
    return list(prompts[: max(run.limit - run.results.count(), 0)])


def _reason(run: GenerationRun, missing: int, calls: CallCounts, is_out_of_budget: bool) -> GenerationRun.Ended:
    if is_out_of_budget:
        return GenerationRun.Ended.BUDGET
    if calls.unanswered:
        return GenerationRun.Ended.FAILED
    return GenerationRun.Ended.LIMIT if missing and run.limit is not None else GenerationRun.Ended.DONE


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
