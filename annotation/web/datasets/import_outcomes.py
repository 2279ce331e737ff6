"""What a load or a dry run brought, as templates/datasets/_import_outcome.html shows it.

Counts are named by people's data (a template would take `counts.items` for the number of items), so pairs go out.
"""

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ...importing.import_counts import REASONS
from ...importing.validation import A_SAMPLE
from ...models import DatasetImport, Job
from .columns import WORDS

ORDER = {
    "documents": gettext_lazy("Documents"),
    "prompts": gettext_lazy("Prompts"),
    "responses": gettext_lazy("Responses"),
    "items": gettext_lazy("Items"),
    "ratings": gettext_lazy("Ratings"),
    "raters": gettext_lazy("Raters"),
}
"""In the order in which they are shown: the database keeps none."""

FILES_SHOWN = 20  # of a load, by name


def of_load(load: DatasetImport) -> dict[str, Any]:
    """Of a load that is stored."""
    more = max(0, len(load.files) - FILES_SHOWN)
    return {
        "load": load,
        "more_files": more,
        **_shown(load.options, load.steps),
        **_numbers(load.counts, load.options),
    }


def of_job(job: Job) -> dict[str, Any] | None:
    """Of a job's result; None before there is one."""
    if job.result is None:
        return None
    rule = job.result.get("rule") or {}
    extra = {"rule": rule.get("title"), "published": job.result["published"], "tokeniser": job.result["tokeniser"]}
    options = {**job.params, **extra, "columns": job.result.get("columns")}
    return {**_shown(options, job.result["steps"]), **_numbers(job.result["counts"], job.result)}


def _shown(options: dict[str, Any], steps: list[dict[str, Any]]) -> dict[str, Any]:
    """Stored in English, shown in the reader's language."""
    words = {name: _(options[name]) for name in ("rule", "tokeniser") if options.get(name)}
    sample = {"sample": options.get("sample"), "seed": options.get("seed")}
    drawn = {A_SAMPLE % sample: _(A_SAMPLE) % sample}
    labels = [step["step"] for step in steps]
    named = [{**step, "step": drawn.get(label) or _(label)} for step, label in zip(steps, labels, strict=True)]
    columns = [(WORDS[field], names) for field, names in (options.get("columns") or {}).items()]
    return {"options": {**options, **words}, "steps": named, "columns": columns}


def _numbers(counts: dict[str, Any], extra: dict[str, Any]) -> dict[str, Any]:
    """`extra` has the places of what was left out."""
    totals = [(words, counts[name]) for name, words in ORDER.items() if name in counts]
    places = extra.get("examples") or {}
    left_out = [(_(reason), n, REASONS.get(reason, ""), places.get(reason)) for reason, n in counts["left_out"].items()]
    return {"totals": totals, "new": counts["new"], "left_out": left_out}
