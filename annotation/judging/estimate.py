"""Estimate cost and time of a run by asking about ten items, or about all of ten responses where a request is about a
whole response. Their verdicts are not stored; the answers are reused.
"""

from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal

from django.db.models import Avg, Count, F, Sum

from ..jobs import Progress, Refused
from ..model_calls.calls import TOKENS, mark_lost
from ..model_calls.errors import ModelError
from ..model_calls.keys import key_of
from ..model_calls.run_lock import WAIT_FOR_LOCK
from ..model_calls.runs import RunLimits, end_by_counts, end_on_error, send_requests, start_run
from ..models import Job, Judge, JudgeCall, Project, User
from ..queue.errors import ProjectArchived
from .calls import calls_about, calls_of, reusable_calls
from .run import new_run
from .workload import iter_request_groups, missing_rows, run_lock

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

    def as_json(self) -> dict[str, object]:
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
    new_run(judge, project, RunLimits(limit=limit))  # refuses what cannot be run
    missing: dict[int, list[int]] = {}  # what one group of requests is about, in the order of a run
    group = "response" if judge.request_unit == Judge.RequestUnit.RESPONSE and not judge.fact_qa else "pk"
    for pk, response in missing_rows(judge, project).values_list("pk", group):
        missing.setdefault(response, []).append(pk)
    count = sum(map(len, missing.values()))
    items = min(count, limit or count)
    if judge.rule or not missing:
        return Estimate(judge.label, items, 0, 0, 0, 0.0, 0.0)
    groups, number = list(missing.values()), min(len(missing), GROUPS, items)
    spread = [groups[n * len(groups) // number] for n in range(number)]
    tried = [pk for group in spread for pk in group][:items]
    with run_lock(judge, project, wait=WAIT_FOR_LOCK if job else 0.0):
        key = key_of(judge)
        mark_lost(calls_of(judge, project))
        run = new_run(judge, project, RunLimits(limit=len(tried)), actor=actor, job=job, is_estimate=True)
        run = start_run(run, action="estimate judge run", target=f"judge:{judge.label}", project=project)
        with end_on_error(run):
            _results, calls = send_requests(
                run,
                key,
                iter_request_groups(run, tried),
                len(tried),
                reusable=reusable_calls(run),
                progress=progress or Progress(),
                stores_results=False,
            )
        end_by_counts(run, calls, missing=count)
    return _extrapolate(judge, project, items, tried)


def estimate_run_job(job: Job, progress: Progress) -> dict[str, object]:
    """Run a job of kind `estimate_judge_run`, with `judge` and `limit` in its params. Raises Refused."""
    assert job.project
    judge, limit = Judge.objects.get(pk=job.params["judge"]), job.params.get("limit")
    try:
        estimate = estimate_run(judge, job.project, limit=limit, actor=job.started_by, job=job, progress=progress)
    except (ModelError, ProjectArchived) as error:
        raise Refused([str(error)]) from None
    return estimate.as_json()


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
