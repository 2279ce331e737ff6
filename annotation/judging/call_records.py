"""The rows of requests: written before they are sent, in batches, and completed by their outcomes."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from django.db import connection
from django.db.models import QuerySet, Sum
from django.utils import timezone

from ..models import Judge, JudgeCall, JudgeRun, Project
from .costs import characters, cost_of, guessed_tokens

_COMPLETE = """
    UPDATE annotation_judgecall call SET
        state = new.state, answer = new.answer, confidence = new.confidence, http_status = new.http_status,
        error = new.error, prompt_tokens = new.prompt_tokens, completion_tokens = new.completion_tokens,
        is_estimated = new.is_estimated, cost = new.cost, answered_at = %s
    FROM unnest(
        %s::bigint[], %s::text[], %s::text[], %s::float[], %s::int[], %s::text[], %s::int[], %s::int[], %s::boolean[],
        %s::numeric[]
    ) AS new (id, state, answer, confidence, http_status, error, prompt_tokens, completion_tokens, is_estimated, cost)
    WHERE call.id = new.id
"""
_COLUMNS = (
    "pk",
    "state",
    "answer",
    "confidence",
    "http_status",
    "error",
    "prompt_tokens",
    "completion_tokens",
    "is_estimated",
    "cost",
)


@dataclass
class CallCounts:
    """Numbers of requests of this run, answers from the cache, and items that no answer came for."""

    requests: int = 0
    cached: int = 0
    unanswered: int = 0


def complete_calls(calls: Sequence[JudgeCall]) -> None:
    """Store the outcomes of these requests, in one statement."""
    if calls:
        values = [[getattr(call, name) for call in calls] for name in _COLUMNS]
        with connection.cursor() as cursor:
            cursor.execute(_COMPLETE, [timezone.now(), *values])


def calls_of(judge: Judge, project: Project) -> QuerySet[JudgeCall]:
    """Return all requests of the judge in the project."""
    return JudgeCall.objects.filter(run__judge=judge, run__project=project)


def mark_lost(judge: Judge, project: Project) -> int:
    """Mark requests of a process that was killed as lost; return how many. The caller holds the lock of the run."""
    sent = calls_of(judge, project).filter(state=JudgeCall.State.SENT)
    return sent.update(state=JudgeCall.State.LOST, error="the process that sent it ended")


def uncounted_lost_keys(judge: Judge, project: Project) -> set[str]:
    """Return the cache keys of lost requests whose tokens are not estimated yet."""
    lost = calls_of(judge, project).filter(state=JudgeCall.State.LOST, prompt_tokens=None)
    return set(lost.values_list("cache_key", flat=True))


def uncounted_lost(run: JudgeRun) -> list[JudgeCall]:
    """Return the lost requests of this run whose tokens are not estimated yet: it was killed, and is continued."""
    return list(run.calls.filter(state=JudgeCall.State.LOST, prompt_tokens=None))


def estimate_lost(run: JudgeRun, answered: Iterable[JudgeCall]) -> None:
    """Give lost requests the tokens of their repetitions, so that the sum of the costs is what is charged."""
    for call in answered:
        lost = calls_of(run.judge, run.project).filter(
            state=JudgeCall.State.LOST, prompt_tokens=None, cache_key=call.cache_key
        )
        _set_tokens(lost, run.judge, call.prompt_tokens or 0, call.completion_tokens or 0)


def estimate_unanswered(run: JudgeRun) -> None:
    """Estimate lost requests that were never answered by their length and the mean length of answers."""
    calls = calls_of(run.judge, run.project)
    answered = calls.filter(state=JudgeCall.State.ANSWERED).aggregate(sum=Sum("completion_tokens"))
    count = calls.filter(state=JudgeCall.State.ANSWERED).count()
    mean = round((answered["sum"] or 0) / count) if count else 0
    for call in calls.filter(state=JudgeCall.State.LOST, prompt_tokens=None):
        own = JudgeCall.objects.filter(pk=call.pk)
        _set_tokens(own, run.judge, guessed_tokens(characters(call.request)), mean)


def _set_tokens(calls: QuerySet[JudgeCall], judge: Judge, prompt: int, completion: int) -> None:
    cost = cost_of(judge, prompt, completion)
    calls.update(prompt_tokens=prompt, completion_tokens=completion, is_estimated=True, cost=cost)


def cost_so_far(calls: QuerySet[JudgeCall]) -> Decimal:
    """Return the sum of the costs."""
    return calls.aggregate(sum=Sum("cost"))["sum"] or Decimal(0)


def cached_answers(
    keys: Iterable[str], *, run: JudgeRun | None = None, judge: Judge | None = None
) -> dict[str, JudgeCall]:
    """Return an answered request for each of these keys that has one: of any judge, of `run` or of `judge` alone."""
    calls = run.calls.all() if run else JudgeCall.objects.all()
    rows = (calls.filter(run__judge=judge) if judge else calls).filter(
        cache_key__in=list(keys), state=JudgeCall.State.ANSWERED
    )
    return {call.cache_key: call for call in rows.select_related("run").defer("request").order_by("-id")}
