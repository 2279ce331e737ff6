"""Runs of judges and generators: their limits, how they start, send requests and end, and what came of them."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from decimal import Decimal
from typing import Any, Generic, TypeVar

from django.db import transaction
from django.db.models import Case, Count, F, OuterRef, Q, QuerySet, Subquery, Sum, Value, When
from django.db.models.functions import Coalesce

from ..audit import record
from ..i18n.english import localized
from ..jobs import Progress, Stopped
from ..models import Job, Project
from ..models.model_calls import ModelRun
from ..site.database_clock import database_now
from .calls import TOKENS, CallCounts, spent_by
from .configurations import check_fields
from .errors import ModelChanged, ModelError
from .request_groups import RequestGroup, ResultCounts
from .run_lock import LockHeld

Run = TypeVar("Run", bound=ModelRun)


@dataclass(frozen=True, kw_only=True)
class RunLimits:
    """The values of `ModelRun.LIMITS`. `retry_failed`: the run also repeats what failed."""

    limit: int | None = None
    budget_usd: Decimal | None = None
    budget_tokens: int | None = None
    retry_failed: bool = False

    @classmethod
    def from_params(cls, params: Mapping[str, Any]) -> "RunLimits":
        """Return the limits in the parameters of a job."""
        budget = params.get("budget_usd")
        return cls(
            limit=params.get("limit"),
            budget_usd=None if budget is None else Decimal(budget),
            budget_tokens=params.get("budget_tokens"),
            retry_failed=bool(params.get("retry_failed")),
        )

    def as_params(self) -> dict[str, object]:
        """Return the parameters of a job with these limits."""
        return {**asdict(self), "budget_usd": None if self.budget_usd is None else str(self.budget_usd)}

    def set_on(self, run: Run) -> Run:
        """Return the run, which is not stored yet, with these limits. Raises ModelError."""
        for name in run.LIMITS:
            setattr(run, name, getattr(self, name))
        check_fields(run, run.LIMITS)
        if self.budget_usd is not None and not run.configuration.has_prices:
            raise ModelError("a budget in USD needs the prices of requests and of answers", "budget_usd")
        return run


@dataclass(frozen=True)
class RunResult(Generic[Run]):
    """What a run did: `new` valid results and `failed` ones, of `total` items, responses or prompts; `missing` have no
    result after it. `tokens`, `cost_usd`: of its requests, the cost None without prices.
    """

    run: Run
    new: int
    failed: int
    total: int
    missing: int
    calls: CallCounts
    tokens: int
    cost_usd: Decimal | None

    def as_json(self) -> dict[str, object]:
        return {
            "new": self.new,
            "failed": self.failed,
            "missing": self.missing,
            "ended": self.run.ended,
            "requests": self.calls.requests,
            "cached": self.calls.cached,
            "unanswered": self.calls.unanswered,
            "tokens": self.tokens,
            "cost_usd": None if self.cost_usd is None else float(self.cost_usd),
        }


@transaction.atomic
def start_run(run: Run, *, action: str, target: str, project: Project | None = None) -> Run:
    """Store the run and return it; if its job has started one before, return that. The audit records the action."""
    related = run.related_runs()
    if run.job and (started := related.filter(job=run.job).first()):
        return started
    related.filter(ended="").update(ended=ModelRun.Ended.STOPPED, ended_at=database_now())  # their process was killed
    run.save()
    limits = RunLimits(**{name: getattr(run, name) for name in run.LIMITS}).as_params()
    del limits["retry_failed"]
    record(run.started_by, action, target, project=project, after=limits)
    return run


def send_requests(
    run: ModelRun,
    key: str,
    groups: Iterator[RequestGroup],
    total: int,
    *,
    reusable: QuerySet[Any],
    progress: Progress,
    stores_results: bool = True,
) -> tuple[ResultCounts, CallCounts]:
    """Send these requests about `total` items or prompts, as `RequestLoop` does."""
    from .endpoint import Endpoint  # the client takes half a second to load
    from .request_loop import RequestLoop

    endpoint = Endpoint(run.configuration, key)
    loop = RequestLoop(run, endpoint, groups, total, reusable=reusable, stores_results=stores_results)
    try:
        return loop.run(progress), loop.calls
    finally:
        endpoint.close()


@contextmanager
def end_on_error(run: ModelRun) -> Iterator[None]:
    """End the run if the block raises: as stopped if its job was canceled, by a change of model, or as failed."""
    try:
        yield
    except Stopped:
        end_run(run, ModelRun.Ended.STOPPED)
        raise
    except ModelError as error:
        ended = ModelRun.Ended.MODEL if isinstance(error, ModelChanged) else ModelRun.Ended.FAILED
        end_run(run, ended, str(error))
        raise
    except BaseException as error:
        end_run(run, ModelRun.Ended.FAILED, type(error).__name__)
        raise


def end_run(run: ModelRun, ended: str, problem: str = "") -> None:
    """Store why the run ended. A run that a job continues has no problem of an earlier end."""
    run.ended, run.ended_at, run.problem = ended, database_now(), problem
    type(run)._default_manager.filter(pk=run.pk).update(ended=run.ended, ended_at=run.ended_at, problem=problem)


def end_by_counts(run: ModelRun, calls: CallCounts, missing: int) -> None:
    """End a run that no error has ended. What has no answer is missing for the next one."""
    problem = ""
    if calls.unanswered:
        problem = (
            f"without an answer, and missing for the next run: {localized(f'{calls.unanswered:,}')}; the last request "
            f"failed: {calls.last_failure}"
        )
    if calls.is_out_of_budget:
        ended = ModelRun.Ended.BUDGET
    elif calls.unanswered:
        ended = ModelRun.Ended.FAILED
    else:
        ended = ModelRun.Ended.LIMIT if missing and run.limit is not None else ModelRun.Ended.DONE
    end_run(run, ended, problem)


def result_of(run: Run, results: ResultCounts, total: int, missing: int, calls: CallCounts) -> RunResult[Run]:
    """Return what an ended run did, and what it cost."""
    spent = spent_by(run)
    cost = spent.usd if run.configuration.has_prices else None
    return RunResult(run, results.valid, results.failed, total, missing, calls, spent.tokens, cost)


def with_totals(runs: QuerySet[Run], calls: QuerySet[Any], lock: LockHeld) -> QuerySet[Any]:
    """Annotate the `requests`, `tokens` and `cost` of each run, and its `end`: `ended`, or `stopped` for a run whose
    process was killed and that no job continues. `calls`: of all runs; `lock`: whether the process of a run lives.
    """
    own = calls.filter(run=OuterRef("pk")).order_by().values("run")
    goes_on = Q(job__state__in=Job.OPEN) | Q(lock)
    return runs.annotate(
        end=Case(
            When(~Q(ended=""), then=F("ended")),
            When(goes_on, then=Value("")),
            default=Value(ModelRun.Ended.STOPPED.value),
        ),
        requests=Coalesce(Subquery(own.annotate(n=Count("pk")).values("n")), 0),
        tokens=Coalesce(Subquery(own.annotate(total=TOKENS).values("total")), 0) + F("deleted_tokens"),
        cost=Coalesce(Subquery(own.annotate(total=Sum("cost")).values("total")), Decimal(0)) + F("deleted_cost"),
    )
