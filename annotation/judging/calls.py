"""The calls of judges: find, export and delete them."""

import json
from collections.abc import Iterator, Sequence

from django.core.serializers.json import DjangoJSONEncoder
from django.db import transaction
from django.db.models import F, QuerySet

from ..audit import record
from ..model_calls.calls import spent_by
from ..models import Item, Judge, JudgeCall, JudgeRun, Project, Response, User
from .judges import is_repetition
from .workload import run_lock

CHUNK = 500
_EXPORTED = (
    *("sample", "attempt", "is_repair", "state", "request", "answer", "reasoning"),
    *("confidence", "http_status", "error"),
    *("returned_model", "system_fingerprint", "finish_reason", "answer_body"),
    *("prompt_tokens", "completion_tokens", "is_estimated", "cost", "sent_at", "answered_at", "cache_key"),
)


def calls_of(judge: Judge, project: Project) -> QuerySet[JudgeCall]:
    """Return all calls of the judge in the project."""
    return JudgeCall.objects.filter(run__judge=judge, run__project=project)


def calls_about_item(item: Item, judge: Judge, project: Project) -> QuerySet[JudgeCall]:
    """Return the judge's calls about the item, in the order in which they were sent: its own, or those about all items
    of its response.
    """
    calls = calls_of(judge, project).order_by("pk")
    if judge.request_unit == Judge.RequestUnit.RESPONSE:
        return calls.filter(item__response=item.response_id, item__against=item.against_id)
    return calls.filter(item=item)


def calls_about_response(response: Response, judge: Judge, project: Project) -> QuerySet[JudgeCall]:
    """Return the judge's calls about the response, in the order in which they were sent."""
    return calls_of(judge, project).filter(item__response=response).order_by("pk")


def calls_about(judge: Judge, project: Project, rows: Sequence[int]) -> QuerySet[JudgeCall]:
    """Return the judge's calls about these items, or with Fact-QA responses (primary keys)."""
    calls = calls_of(judge, project)
    return calls.filter(item__response__in=rows) if judge.fact_qa else calls.filter(item__in=rows)


def reusable_calls(run: JudgeRun, *, reuses_earlier: bool = True) -> QuerySet[JudgeCall]:
    """Return the calls whose answers the run may use instead of sending the same request: those of any judge, of its
    own version if that repeats an earlier one, and of this run alone without `reuses_earlier`.
    """
    if not reuses_earlier:
        return run.own_calls()
    calls = JudgeCall.objects.select_related("run")
    return calls.filter(run__judge=run.judge) if is_repetition(run.judge) else calls


def export_calls(judge: Judge, project: Project) -> Iterator[bytes]:
    """Yield one JSON object a line for each request with its answer, in the order in which they were sent. The item is
    the first that the request asks about, by imported id of its response and position.
    """
    rows = calls_of(judge, project).order_by("pk")
    about = {"response": F("item__response__key"), "position": F("item__position"), "started_at": F("run__started_at")}
    for row in rows.values(*_EXPORTED, **about).iterator(chunk_size=CHUNK):
        position, cost = row.pop("position"), None if row["cost"] is None else float(row["cost"])
        values = {"judge": judge.label, **row, "item": position, "cost": cost}
        yield (json.dumps(values, cls=DjangoJSONEncoder, ensure_ascii=False) + "\n").encode()


@transaction.atomic
def delete_calls(judge: Judge, project: Project, *, actor: User | None = None) -> int:
    """Delete the stored requests with their answers; return how many. Ratings and verdicts stay, with their costs.

    Raises ModelError while the judge rates the project. Answers are then no longer reused.
    """
    with run_lock(judge, project):
        for run in JudgeRun.objects.filter(judge=judge, project=project):
            spent = spent_by(run)
            run.deleted_cost, run.deleted_tokens = spent.usd, spent.tokens
            run.save(update_fields=["deleted_cost", "deleted_tokens"])
        deleted = calls_of(judge, project).delete()[0]
    record(actor, "delete judge requests", f"judge:{judge.label}", project=project, before={"requests": deleted})
    return int(deleted)
