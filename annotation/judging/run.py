"""Let a judge rate what is missing in a project, from a command or a job."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db import transaction

from ..audit import record
from ..jobs import Progress, Refused
from ..model_calls.calls import CallCounts, mark_lost, spent_by
from ..model_calls.errors import ModelError
from ..model_calls.keys import key_of
from ..model_calls.result_counts import ResultCounts
from ..model_calls.run_ends import end_on_error, end_run, unanswered_problem
from ..model_calls.run_lock import WAIT_FOR_LOCK
from ..models import FactScore, Job, Judge, JudgeRun, Project, Rating, User, Verdict
from ..projects.archiving import require_not_archived
from ..queue.errors import ProjectArchived
from ..retrieval import passage_ranking
from ..site.database_clock import database_now
from ..site.database_transactions import analyze_after
from .calls import calls_of, reusable_calls
from .fact_requests import fail_unscorable
from .judges import uses_passages
from .rule_runs import run_rule
from .run_lock import run_lock
from .workload import count_results, iter_request_groups, judged_rows, missing_rows, rows_to_rate

RUN_JUDGE = "run_judge"
"""The kind of the job."""


@dataclass(frozen=True)
class RunResult:
    """What a run did: `rated` and `failed` in this run, `items` of the project, `missing` without a verdict after it.

    With Fact-QA these count responses. `tokens`, `cost_usd`: of the requests of this run, the cost None without prices.
    """

    run: JudgeRun
    rated: int
    failed: int
    items: int
    missing: int
    calls: CallCounts
    tokens: int
    cost_usd: Decimal | None

    def as_json(self) -> dict[str, Any]:
        return {
            "judge": self.run.judge.label,
            "items": self.items,
            "new": self.rated,
            "failed": self.failed,
            "missing": self.missing,
            "ended": self.run.ended,
            "requests": self.calls.requests,
            "cached": self.calls.cached,
            "unanswered": self.calls.unanswered,
            "tokens": self.tokens,
            "cost_usd": None if self.cost_usd is None else float(self.cost_usd),
        }


def run_judge(
    judge: Judge,
    project: Project,
    *,
    limit: int | None = None,
    budget_usd: Decimal | None = None,
    budget_tokens: int | None = None,
    retry_failed: bool = False,
    actor: User | None = None,
    job: Job | None = None,
    progress: Progress | None = None,
) -> RunResult:
    """Rate the items of `project` that have no verdict of `judge`, at most `limit`. Raises ModelError, ProjectArchived.

    A run that was killed is continued by the next one: what was stored stays.
    """
    check_run(judge, project, budget_usd, budget_tokens)
    key = key_of(judge)
    with run_lock(judge, project, wait=WAIT_FOR_LOCK if job else 0.0):
        mark_lost(calls_of(judge, project))
        run = start_run(judge, project, actor, job, limit=limit, budget_usd=budget_usd, budget_tokens=budget_tokens)
        _analyze_results(run)
        items = _items_to_rate(run, retry_failed)
        rate = _rate_by_rule if judge.rule else _rate_by_model
        with end_on_error(run):
            counts, calls, out_of_budget = rate(run, items, key, progress or Progress(), retry_failed)
        _analyze_results(run)
        missing = missing_rows(judge, project).count()
        end_run(
            run, JudgeRun.Ended.BUDGET if out_of_budget else _reason(run, missing, calls), unanswered_problem(calls)
        )
    spent, items_in_all = spent_by(run), judged_rows(judge, project).count()
    cost = spent.usd if judge.has_prices else None
    return RunResult(run, counts.valid, counts.failed, items_in_all, missing, calls, spent.tokens, cost)


def _reason(run: JudgeRun, missing: int, calls: CallCounts) -> JudgeRun.Ended:
    """Return why a run ended that no budget stopped."""
    if calls.unanswered:
        return JudgeRun.Ended.FAILED
    return JudgeRun.Ended.LIMIT if missing and run.limit is not None else JudgeRun.Ended.DONE


def check_run(
    judge: Judge, project: Project, budget_usd: Decimal | None = None, budget_tokens: int | None = None
) -> None:
    """Raise ModelError for a budget without prices, or of tokens for a rule, and ProjectArchived."""
    require_not_archived(project, "This project is archived. Unarchive it to let a judge rate in it.")
    if budget_usd is not None and not judge.has_prices:
        raise ModelError("a budget needs the prices of the judge: create it with both")
    if budget_tokens is not None and judge.rule:
        raise ModelError("a rule uses no tokens: omit the budget of tokens")


def run_judge_job(job: Job, progress: Progress) -> dict[str, Any]:
    """Run a job of kind `run_judge`, with `judge`, `limit`, `budget_usd`, `budget_tokens` and `retry_failed` in its
    params. Raises Refused.
    """
    assert job.project
    budget = job.params.get("budget_usd")
    try:
        result = run_judge(
            Judge.objects.select_related("user").get(pk=job.params["judge"]),
            job.project,
            limit=job.params.get("limit"),
            budget_usd=None if budget is None else Decimal(budget),
            budget_tokens=job.params.get("budget_tokens"),
            retry_failed=bool(job.params.get("retry_failed")),
            actor=job.started_by,
            job=job,
            progress=progress,
        )
    except (ModelError, ProjectArchived) as error:
        raise Refused([str(error)]) from None
    return result.as_json()


Rated = tuple[ResultCounts, CallCounts, bool]


def _rate_by_rule(run: JudgeRun, items: list[int], _key: str, progress: Progress, _retry_failed: bool) -> Rated:
    return run_rule(run, items, progress), CallCounts(), False


def _rate_by_model(run: JudgeRun, items: list[int], key: str, progress: Progress, retry_failed: bool) -> Rated:
    from ..model_calls.endpoint import Endpoint  # the client takes half a second to load
    from ..model_calls.request_loop import RequestLoop

    unscorable = fail_unscorable(run, items) if run.judge.fact_qa else ResultCounts()
    endpoint = Endpoint(run.judge, key)
    total = len(items) - unscorable.failed
    reusable = reusable_calls(run, reuses_earlier=not retry_failed)
    loop = RequestLoop(run, endpoint, iter_request_groups(run, items), total, reusable=reusable)
    try:
        counts = unscorable + loop.run(progress)
    finally:
        endpoint.close()
    return counts, loop.calls, loop.out_of_budget


@transaction.atomic
def start_run(
    judge: Judge,
    project: Project,
    actor: User | None,
    job: Job | None,
    *,
    limit: int | None = None,
    budget_usd: Decimal | None = None,
    budget_tokens: int | None = None,
    is_estimate: bool = False,
) -> JudgeRun:
    """Return the run of the job, if it was started before, or a new one."""
    runs = JudgeRun.objects.select_related("judge__user", "project__protocol")
    if job and (started := runs.filter(job=job).first()):
        return started
    killed = runs.filter(judge=judge, project=project, ended="")
    killed.update(ended=JudgeRun.Ended.STOPPED, ended_at=database_now())
    accepted = runs.filter(judge=judge).exclude(response_format="").first()
    run = JudgeRun.objects.create(
        judge=judge,
        project=project,
        job=job,
        limit=limit,
        budget_usd=budget_usd,
        budget_tokens=budget_tokens,
        is_estimate=is_estimate,
        passage_ranking=passage_ranking.VERSION if uses_passages(judge) else None,
        response_format=accepted.response_format if accepted else "",
        started_by=actor,
    )
    budget = None if budget_usd is None else str(budget_usd)
    after = {"limit": limit, "budget_usd": budget, "budget_tokens": budget_tokens}
    action = "estimate judge run" if is_estimate else "run judge"
    record(actor, action, f"judge:{judge.label}", project=project, after=after)
    return run


def _analyze_results(run: JudgeRun) -> None:
    """Let PostgreSQL know how many results the run has: it would search all of them for each item that is missing."""
    analyze_after(count_results(run), FactScore if run.judge.fact_qa else Verdict, Rating)


def _items_to_rate(run: JudgeRun, retry_failed: bool) -> list[int]:
    """Return the missing items or responses (primary keys), up to what the run's limit still allows."""
    items = rows_to_rate(run, retry_failed=retry_failed).values_list("pk", flat=True)
    if run.limit is None:
        return list(items)
    done = count_results(run)
    return list(items[: max(run.limit - done, 0)])
