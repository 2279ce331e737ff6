"""The stored requests of a judge in a project: export them as JSON lines, or delete them."""

import json
from collections.abc import Iterator
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.db import transaction
from django.db.models import F

from ..audit import record
from ..models import Judge, JudgeRun, Project, User
from .call_records import calls_of, spent_by
from .run_lock import run_lock

CHUNK = 500
_COLUMNS = ("sample", "attempt", "is_repair", "state", "request", "answer", "confidence", "http_status", "error")
_ENDPOINT = ("returned_model", "system_fingerprint", "finish_reason", "answer_body")
_COSTS = ("prompt_tokens", "completion_tokens", "is_estimated", "cost", "sent_at", "answered_at", "cache_key")


def export_calls(judge: Judge, project: Project) -> Iterator[bytes]:
    """Yield one JSON object a line for each request with its answer, in the order in which they were sent. The item is
    the first that the request asks about, by imported id of its response and position.
    """
    rows = calls_of(judge, project).order_by("pk")
    about = {"response": F("item__response__key"), "position": F("item__position"), "started_at": F("run__started_at")}
    for row in rows.values(*_COLUMNS, *_ENDPOINT, *_COSTS, **about).iterator(chunk_size=CHUNK):
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
