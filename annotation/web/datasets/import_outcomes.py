"""The context of templates/datasets/_import_outcome.html: the loaded and excluded records of an import or a dry run.

Counts are lists of pairs: in a template, `counts.items` would call the method of the dictionary.
"""

from typing import Any

from ...importing.import_counts import words_of
from ...models import DatasetImport, Job
from .columns import WORDS

ORDER = {
    "documents": "Documents",
    "prompts": "Prompts",
    "responses": "Responses",
    "items": "Items",
    "ratings": "Ratings",
    "raters": "Raters",
    "judges": "Judges",
}
"""Labels in the order of the page; stored JSON has no order."""

FILES_SHOWN = 20  # files of an import that are named


def outcome_of_import(record: DatasetImport) -> dict[str, Any]:
    """Return the context for a stored import."""
    return {
        "import_record": record,
        "more_files": max(0, len(record.files) - FILES_SHOWN),
        "options": record.options,
        "steps": record.steps,
        "columns": _columns(record.options.get("columns")),
        **_counts(record.counts, record.options),
    }


def outcome_of_job(job: Job) -> dict[str, Any] | None:
    """Return the context for a job's result; None before there is a result."""
    if job.result is None:
        return None
    rule = job.result.get("rule") or {}
    extra = {"rule": rule.get("title"), "published": job.result["published"], "tokeniser": job.result["tokeniser"]}
    return {
        "labels": (job.result.get("labels") or {}).items(),
        "annotators": (job.result.get("annotators") or {}).items(),
        "unnamed": job.result.get("unnamed"),
        "options": job.params | extra,
        "steps": job.result["steps"],
        "columns": _columns(job.result.get("columns")),
        **_counts(job.result["counts"], job.result),
    }


def _columns(mapping: dict[str, Any] | None) -> list[tuple[str, Any]]:
    return [(WORDS[field], names) for field, names in (mapping or {}).items()]


def _counts(counts: dict[str, Any], extra: dict[str, Any]) -> dict[str, Any]:
    """Return totals, new records and reasons for omissions; `extra` may have examples of omitted records."""
    totals = [(label, counts[name]) for name, label in ORDER.items() if name in counts]
    examples = extra.get("examples") or {}
    left_out = [
        (words, n, description, examples.get(reason))
        for reason, n in counts["left_out"].items()
        for words, description in [words_of(reason)]
    ]
    return {"totals": totals, "new": counts["new"], "left_out": left_out}
