"""Calls: requests and their replies, as stored. A row is written before its request is sent, and completed by the
reply. Write them, and find those that are lost or answered.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db import connection
from django.db.models import F, QuerySet, Sum
from django.db.models.functions import Coalesce

from ..models.model_calls import ModelCall, ModelConfiguration, ModelRun
from ..site.database_clock import database_now
from .costs import Spending, characters, cost_of, guessed_tokens

TOKENS = Coalesce(Sum(Coalesce(F("prompt_tokens"), 0) + Coalesce(F("completion_tokens"), 0)), 0)
"""Sum of the tokens of requests and answers."""
_COLUMNS = {
    "pk": "bigint",
    "state": "text",
    "answer": "text",
    "reasoning": "text",
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
    f"UPDATE {{table}} call SET {_SET}, answered_at = %s "  # noqa: S608 - constants of this module
    f"FROM unnest({_ARRAYS}) AS new ({', '.join(_COLUMNS)}) WHERE call.id = new.pk"
)


@dataclass
class CallCounts:
    """Numbers of requests of this run, answers from the cache, and items without an answer. `last_failure`: the error
    of the last request that failed and is not sent again. `is_out_of_budget`: no further request was affordable.
    """

    requests: int = 0
    cached: int = 0
    unanswered: int = 0
    last_failure: str = ""
    is_out_of_budget: bool = False


def complete_calls(calls: Sequence[ModelCall]) -> None:
    """Store the replies to these requests of one run, in one statement."""
    if not calls:
        return
    columns = {name: [getattr(call, name) for call in calls] for name in _COLUMNS}
    columns["answer_body"] = [None if body is None else json.dumps(body) for body in columns["answer_body"]]
    statement = _COMPLETE.format(table=connection.ops.quote_name(calls[0]._meta.db_table))
    with connection.cursor() as cursor:
        cursor.execute(statement, [database_now(), *columns.values()])


def mark_lost(related: QuerySet[ModelCall]) -> int:
    """Mark requests of a process that was killed as lost; return how many. The caller holds the lock of the run."""
    sent = related.filter(state=ModelCall.State.SENT)
    return sent.update(state=ModelCall.State.LOST, error="the process that sent it ended")


def uncounted_lost_keys(run: ModelRun) -> set[str]:
    """Return the cache keys of related lost requests whose tokens are not estimated yet."""
    return set(_uncounted(run.related_calls()).values_list("cache_key", flat=True))


def uncounted_lost(run: ModelRun) -> list[ModelCall]:
    """Return the lost requests of this run whose tokens are not estimated yet: it was killed, and is continued."""
    return list(_uncounted(run.own_calls()))


def _uncounted(calls: QuerySet[ModelCall]) -> QuerySet[ModelCall]:
    return calls.filter(state=ModelCall.State.LOST, prompt_tokens=None)


def estimate_lost(run: ModelRun, answered: Iterable[ModelCall]) -> None:
    """Give lost requests the tokens of their repetitions: exact if the endpoint answered them with as many tokens."""
    for call in answered:
        lost = _uncounted(run.related_calls()).filter(cache_key=call.cache_key)
        _set_tokens(lost, run.configuration, call.prompt_tokens or 0, call.completion_tokens or 0)


def estimate_unanswered(run: ModelRun) -> None:
    """Estimate lost requests that were never answered by their length and the mean length of answers."""
    calls = run.related_calls()
    answered = calls.filter(state=ModelCall.State.ANSWERED).aggregate(sum=Sum("completion_tokens"))
    count = calls.filter(state=ModelCall.State.ANSWERED).count()
    mean = round((answered["sum"] or 0) / count) if count else 0
    for call in _uncounted(calls):
        prompt = guessed_tokens(characters(call.request))
        _set_tokens(calls.filter(pk=call.pk), run.configuration, prompt, mean)


def _set_tokens(calls: QuerySet[ModelCall], configuration: ModelConfiguration, prompt: int, completion: int) -> None:
    cost = cost_of(configuration, prompt, completion)
    calls.update(prompt_tokens=prompt, completion_tokens=completion, is_estimated=True, cost=cost)


def spent_by(run: ModelRun) -> Spending:
    """Return what the requests of the run cost and how many tokens they had, with those that were deleted."""
    sums = run.own_calls().aggregate(cost=Sum("cost"), tokens=TOKENS)
    return Spending(run.deleted_cost + (sums["cost"] or 0), run.deleted_tokens + sums["tokens"])


def find_answers(calls: QuerySet[ModelCall], keys: Iterable[str], returned_model: str | None) -> dict[str, ModelCall]:
    """Return an answered request among `calls` for each of these keys that has one, by the model that the endpoint
    named. None as long as no answer has said which model that is.
    """
    rows = calls.filter(cache_key__in=list(keys), state=ModelCall.State.ANSWERED, returned_model=returned_model)
    return {call.cache_key: call for call in rows.defer("request", "answer_body").order_by("-pk")}


def note_returned_model(run: ModelRun, model: str, *, replaces_unnamed: int) -> bool:
    """Return whether `model` is the one as which the endpoint answered this configuration first; the first is stored.

    An empty name is one of its own: the endpoint names none. A name replaces it as long as fewer than
    `replaces_unnamed` answers had none: these were the odd ones.
    """
    configuration = run.configuration
    stored = type(configuration)._default_manager.filter(pk=configuration.pk)
    if configuration.returned_model is None:
        stored.filter(returned_model=None).update(returned_model=model)
        configuration.refresh_from_db(fields=["returned_model"])
    elif model and not configuration.returned_model:
        unnamed = run.related_calls().filter(state=ModelCall.State.ANSWERED, returned_model="")
        if unnamed[:replaces_unnamed].count() < replaces_unnamed:
            stored.filter(returned_model="").update(returned_model=model)
            configuration.refresh_from_db(fields=["returned_model"])
    return configuration.returned_model == model
