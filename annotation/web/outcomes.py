"""What a load or a dry run brought, as templates/datasets/_outcome.html shows it.

Counts are named by people's data (a template would take `counts.items` for the number of items), so pairs go out.
"""

from typing import Any

from ..importing.counts import REASONS
from ..models import Job, Load
from .import_columns import WORDS

ORDER = ("documents", "prompts", "responses", "items", "ratings", "raters")  # the database keeps none

FILES_SHOWN = 20  # of a load, by name


def of_load(load: Load) -> dict[str, Any]:
    """Of a load that is stored."""
    told = {"columns": _columns(load.options.get("columns")), "more_files": max(0, len(load.files) - FILES_SHOWN)}
    return {"load": load, "steps": load.steps, "options": load.options, **told, **_numbers(load.counts, load.options)}


def of_job(job: Job) -> dict[str, Any] | None:
    """Of a job's result; None before there is one."""
    if job.result is None:
        return None
    rule = job.result.get("rule") or {}
    told = {"rule": rule.get("title"), "published": job.result["published"], "tokeniser": job.result["tokeniser"]}
    columns = _columns(job.result.get("columns"))
    options = {**job.params, **told}
    return {
        "steps": job.result["steps"],
        "options": options,
        "columns": columns,
        **_numbers(job.result["counts"], job.result),
    }


def _columns(mapping: dict[str, list[str]] | None) -> list[tuple[Any, list[str]]]:
    """What each column was taken for, in words."""
    return [(WORDS[field], names) for field, names in (mapping or {}).items()]


def _numbers(counts: dict[str, Any], told: dict[str, Any]) -> dict[str, Any]:
    totals = [(name, counts[name]) for name in ORDER if name in counts]
    places = told.get("examples") or {}
    left_out = [(reason, n, REASONS.get(reason, ""), places.get(reason)) for reason, n in counts["left_out"].items()]
    return {"totals": totals, "new": counts["new"], "left_out": left_out}
