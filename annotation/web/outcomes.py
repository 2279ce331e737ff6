"""What a load or a dry run brought, as templates/datasets/_outcome.html shows it.

Counts are named by people's data (a template would take `counts.items` for the number of items), so pairs go out.
"""

from typing import Any

from ..importing.counts import REASONS
from ..models import Job, Load

ORDER = ("documents", "prompts", "responses", "items", "ratings", "raters")  # the database keeps none


def of_load(load: Load) -> dict[str, Any]:
    """Of a load that is stored."""
    return {"load": load, "steps": load.steps, "options": load.options, **_numbers(load.counts)}


def of_job(job: Job) -> dict[str, Any] | None:
    """Of a job's result; None before there is one."""
    if job.result is None:
        return None
    rule = job.result.get("rule") or {}
    told = {"rule": rule.get("title"), "published": job.result["published"], "tokeniser": job.result["tokeniser"]}
    return {"steps": job.result["steps"], "options": {**job.params, **told}, **_numbers(job.result["counts"])}


def _numbers(counts: dict[str, Any]) -> dict[str, Any]:
    totals = [(name, counts[name]) for name in ORDER if name in counts]
    left_out = [(reason, n, REASONS.get(reason, "")) for reason, n in counts["left_out"].items()]
    return {"totals": totals, "new": counts["new"], "left_out": left_out}
