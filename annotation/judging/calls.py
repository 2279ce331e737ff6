"""Calls: requests and their replies, as stored. A row is written before its request is sent, and completed by the
reply. Write, find, export and delete them.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.db import connection, transaction
from django.db.models import F, QuerySet, Sum
from django.db.models.functions import Coalesce
from django.utils import timezone

from ..audit import record
from ..models import Item, Judge, JudgeCall, JudgeRun, Project, Response, User
from .costs import Spending, characters, cost_of, guessed_tokens
from .run_lock import run_lock

TOKENS = Coalesce(Sum(Coalesce(F("prompt_tokens"), 0) + Coalesce(F("completion_tokens"), 0)), 0)
"""Sum of the tokens of requests and answers."""
CHUNK = 500
_EXPORTED = (
    *("sample", "attempt", "is_repair", "state", "request", "answer", "confidence", "http_status", "error"),
    *("returned_model", "system_fingerprint", "finish_reason", "answer_body"),
    *("prompt_tokens", "completion_tokens", "is_estimated", "cost", "sent_at", "answered_at", "cache_key"),
)
_COLUMNS = {
    "pk": "bigint",
    "state": "text",
    "answer": "text",
    "answer_body": "jsonb",
    "returned_model": "text",
    "system_fingerprint": "text",
    "finish_reason": "text",
    "confidence": "float",
    "http_status": "int",
    "error": "text",
    "prompt_tokens": "int",
    "completion_tokens": "int",
    "is_estimated": "boolean",
    "cost": "numeric",
}
"""What the reply to a request sets -> type in PostgreSQL."""
_SET = ", ".join(f"{name} = new.{name}" for name in _COLUMNS if name != "pk")
_ARRAYS = ", ".join(f"%s::{kind}[]" for kind in _COLUMNS.values())
_COMPLETE = (
    f"UPDATE annotation_judgecall call SET {_SET}, answered_at = %s "  # noqa: S608 - constants of this module
    f"FROM unnest({_ARRAYS}) AS new ({', '.join(_COLUMNS)}) WHERE call.id = new.pk"
)


@dataclass
class CallCounts:
    """Numbers of requests of this run, answers from the cache, and items that no answer came for. `last_failure`: why
    the last request that failed finally did.
    """

    requests: int = 0
    cached: int = 0
    unanswered: int = 0
    last_failure: str = ""


def complete_calls(calls: Sequence[JudgeCall]) -> None:
    """Store the replies to these requests, in one statement."""
    if calls:
        values = [[_value(call, name) for call in calls] for name in _COLUMNS]
        with connection.cursor() as cursor:
            cursor.execute(_COMPLETE, [timezone.now(), *values])


def _value(call: JudgeCall, name: str) -> object:
    value = getattr(call, name)
    return json.dumps(value) if name == "answer_body" and value is not None else value


def calls_of(judge: Judge, project: Project) -> QuerySet[JudgeCall]:
    """Return all calls of the judge in the project."""
    return JudgeCall.objects.filter(run__judge=judge, run__project=project)


def calls_about_item(item: Item, judge: Judge, project: Project) -> QuerySet[JudgeCall]:
    """Return the judge's calls about the item, in the order in which they were sent: its own, or those about all items
    of its response.
    """
    calls = calls_of(judge, project).order_by("pk")
    if judge.rates == Judge.Rates.RESPONSE:
        return calls.filter(item__response=item.response_id, item__against=item.against_id)
    return calls.filter(item=item)


def calls_about_response(response: Response, judge: Judge, project: Project) -> QuerySet[JudgeCall]:
    """Return the judge's calls about the response, in the order in which they were sent."""
    return calls_of(judge, project).filter(item__response=response).order_by("pk")


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
    """Give lost requests the tokens of their repetitions: exact if the endpoint answered them with as many tokens."""
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


def spent_by(run: JudgeRun) -> Spending:
    """Return what the requests of the run cost and how many tokens they had, with those that were deleted."""
    sums = run.calls.aggregate(cost=Sum("cost"), tokens=TOKENS)
    return Spending(run.deleted_cost + (sums["cost"] or 0), run.deleted_tokens + sums["tokens"])


def cached_answers(
    judge: Judge, keys: Iterable[str], *, run: JudgeRun | None = None, only_own: bool = False
) -> dict[str, JudgeCall]:
    """Return an answered request for each of these keys that has one, by the model that answers this judge: of any
    judge, of this one with `only_own`, or of `run` alone. None as long as no answer has said which model that is.
    """
    calls = run.calls.all() if run else JudgeCall.objects.all()
    rows = (calls.filter(run__judge=judge) if only_own else calls).filter(
        cache_key__in=list(keys), state=JudgeCall.State.ANSWERED, returned_model=judge.returned_model
    )
    rows = rows.select_related("run").defer("request", "answer_body")
    return {call.cache_key: call for call in rows.order_by("-id")}


def note_returned_model(judge: Judge, model: str) -> bool:
    """Return whether `model` is the one as which the endpoint answered this version first; the first is stored.

    An empty name is one of its own: the endpoint names none.
    """
    if judge.returned_model is None:
        Judge.objects.filter(pk=judge.pk, returned_model=None).update(returned_model=model)
        judge.refresh_from_db(fields=["returned_model"])
    return judge.returned_model == model


def export_calls(judge: Judge, project: Project) -> Iterator[bytes]:
    """Yield one JSON object a line for each request with its answer, in the order in which they were sent. The item is
    the first that the request asks about, by imported id of its response and position.
    """
    rows = calls_of(judge, project).order_by("pk")
    about = {"response": F("item__response__key"), "position": F("item__position"), "started_at": F("run__started_at")}
    for row in rows.values(*_EXPORTED, **about).iterator(chunk_size=CHUNK):
        yield _line({"judge": judge.label, **row})


def _line(row: dict[str, Any]) -> bytes:
    cost = row["cost"]
    row["item"] = row.pop("position")
    values = {**row, "cost": None if cost is None else float(cost)}
    return (json.dumps(values, cls=DjangoJSONEncoder, ensure_ascii=False) + "\n").encode()


@transaction.atomic
def delete_calls(judge: Judge, project: Project, *, actor: User | None = None) -> int:
    """Delete the stored requests with their answers; return how many. Ratings and verdicts stay, with their costs.

    Raises JudgeError while the judge rates the project. Answers are then no longer reused.
    """
    with run_lock(judge, project):
        for run in JudgeRun.objects.filter(judge=judge, project=project):
            spent = spent_by(run)
            run.deleted_cost, run.deleted_tokens = spent.usd, spent.tokens
            run.save(update_fields=["deleted_cost", "deleted_tokens"])
        deleted = calls_of(judge, project).delete()[0]
    record(actor, "delete judge requests", f"judge:{judge.label}", project=project, before={"requests": deleted})
    return int(deleted)
