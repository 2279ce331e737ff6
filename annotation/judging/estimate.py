"""Estimate cost and time of a run by asking about ten items, or about all of ten responses where a request is about a
whole response. Their verdicts are not stored; the answers are reused.
"""

from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from typing import Any

from django.db.models import Avg, Count, F, Sum

from ..jobs import Progress, Refused
from ..model_calls.calls import TOKENS, mark_lost
from ..model_calls.errors import ModelError
from ..model_calls.keys import key_of
from ..model_calls.run_ends import end_on_error, end_run, unanswered_problem
from ..model_calls.run_lock import WAIT_FOR_LOCK
from ..models import Job, Judge, JudgeCall, JudgeRun, Project, User
from ..queue.errors import ProjectArchived
from .calls import calls_of, reusable_calls
from .run import check_run, start_run
from .run_lock import run_lock
from .workload import calls_about, iter_request_groups, missing_rows

ESTIMATE_JUDGE_RUN = "estimate_judge_run"
"""The kind of the job."""
GROUPS = 10


@dataclass(frozen=True)
class Estimate:
    """What rating all missing `items` will take, by the `tried` ones. `cost_usd` is None without prices."""

    judge: str
    items: int
    tried: int
    requests: int
    tokens: int
    cost_usd: float | None
    seconds: float

    def as_json(self) -> dict[str, Any]:
        return dict(vars(self))


def estimate_run(
    judge: Judge,
    project: Project,
    *,
    limit: int | None = None,
    actor: User | None = None,
    job: Job | None = None,
    progress: Progress | None = None,
) -> Estimate:
    """Ask about a part of what is missing and return the estimate for all, or for `limit` items. Raises ModelError.

    A rule costs nothing. Items in which the endpoint fails do not count.
    """
    check_run(judge, project)
    missing = _missing_by_group(judge, project)
    count = sum(len(items) for items in missing)
    items = min(count, limit or count)
    if judge.rule or not missing:
        return Estimate(judge.label, items, 0, 0, 0, 0.0, 0.0)
    groups = min(len(missing), GROUPS, items)
    spread = [missing[n * len(missing) // groups] for n in range(groups)]
    tried = [pk for group in spread for pk in group][:items]
    with run_lock(judge, project, wait=WAIT_FOR_LOCK if job else 0.0):
        _ask(judge, project, tried, actor, job, progress or Progress())
    return _extrapolate(judge, project, items, tried)


def estimate_run_job(job: Job, progress: Progress) -> dict[str, Any]:
    """Run a job of kind `estimate_judge_run`, with `judge` and `limit` in its params. Raises Refused."""
    assert job.project
    judge, limit = Judge.objects.get(pk=job.params["judge"]), job.params.get("limit")
    try:
        estimate = estimate_run(judge, job.project, limit=limit, actor=job.started_by, job=job, progress=progress)
    except (ModelError, ProjectArchived) as error:
        raise Refused([str(error)]) from None
    return estimate.as_json()


def _missing_by_group(judge: Judge, project: Project) -> list[list[int]]:
    """Return the primary keys of what is missing: those that one group of requests is about, in the order of a run."""
    is_by_response = judge.rates == Judge.Rates.RESPONSE and not judge.fact_qa
    groups: dict[int, list[int]] = {}
    for pk, group in missing_rows(judge, project).values_list("pk", "response" if is_by_response else "pk"):
        groups.setdefault(group, []).append(pk)
    return list(groups.values())


def _ask(
    judge: Judge, project: Project, items: list[int], actor: User | None, job: Job | None, progress: Progress
) -> None:
    from ..model_calls.endpoint import Endpoint
    from ..model_calls.request_loop import RequestLoop

    endpoint = Endpoint(judge, key_of(judge))
    mark_lost(calls_of(judge, project))
    run = start_run(judge, project, actor, job, limit=len(items), is_estimate=True)
    try:
        with end_on_error(run):
            groups, reusable = iter_request_groups(run, items), reusable_calls(run)
            loop = RequestLoop(run, endpoint, groups, len(items), reusable=reusable, stores_results=False)
            loop.run(progress)
    finally:
        endpoint.close()
    problem = unanswered_problem(loop.calls)
    end_run(run, JudgeRun.Ended.FAILED if problem else JudgeRun.Ended.LIMIT, problem)


def _extrapolate(judge: Judge, project: Project, items: int, tried: list[int]) -> Estimate:
    answered = calls_about(judge, project, tried).filter(state=JudgeCall.State.ANSWERED)
    sums = answered.order_by().aggregate(
        cost=Sum("cost"), tokens=TOKENS, requests=Count("pk"), duration=Avg(F("answered_at") - F("sent_at"))
    )
    if not sums["requests"]:
        raise ModelError("the endpoint answered no request, so nothing can be estimated")
    share = Decimal(items) / len(tried)
    requests = round(sums["requests"] * share)
    duration: timedelta = sums["duration"]
    seconds = requests * duration.total_seconds() / min(judge.concurrency, requests or 1)
    if judge.requests_per_minute:
        seconds = max(seconds, requests * 60 / judge.requests_per_minute)
    cost = float(sums["cost"] * share) if judge.has_prices else None
    tokens = round(sums["tokens"] * share)
    return Estimate(judge.label, items, len(tried), requests, tokens, cost, round(seconds, 1))
