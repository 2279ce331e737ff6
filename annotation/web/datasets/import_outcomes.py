"""The context of templates/datasets/_import_outcome.html: the loaded and excluded records of an import or a dry run.

Counts are lists of pairs: in a template, `counts.items` would call the method of the dictionary.
"""

from typing import Any

from ...importing.import_counts import words_of
from ...importing.validation import SAMPLE_STEP
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
    more = max(0, len(record.files) - FILES_SHOWN)
    return {
        "import_record": record,
        "more_files": more,
        **_options_and_steps(record.options, record.steps),
        **_counts(record.counts, record.options),
    }


def outcome_of_job(job: Job) -> dict[str, Any] | None:
    """Return the context for a job's result; None before there is a result."""
    if job.result is None:
        return None
    rule = job.result.get("rule") or {}
    extra = {"rule": rule.get("title"), "published": job.result["published"], "tokeniser": job.result["tokeniser"]}
    options = {**job.params, **extra, "columns": job.result.get("columns")}
    mapped = {name: job.result.get(name) or {} for name in ("labels", "annotators")}
    return {
        "labels": mapped["labels"].items(),
        "annotators": mapped["annotators"].items(),
        "unnamed": job.result.get("unnamed"),
        **_options_and_steps(options, job.result["steps"]),
        **_counts(job.result["counts"], job.result),
    }


def _options_and_steps(options: dict[str, Any], steps: list[dict[str, Any]]) -> dict[str, Any]:
    """Return options, steps and columns in the reader's language; they are stored in English."""
    translated = {name: options[name] for name in ("rule", "tokeniser") if options.get(name)}
    sample = {"sample": options.get("sample"), "seed": options.get("seed")}
    translated_samples = {SAMPLE_STEP % sample: ((SAMPLE_STEP) % sample)}
    labels = [step["step"] for step in steps]
    translated_steps = [
        {**step, "step": translated_samples.get(label) or label} for step, label in zip(steps, labels, strict=True)
    ]
    columns = [(WORDS[field], names) for field, names in (options.get("columns") or {}).items()]
    return {"options": {**options, **translated}, "steps": translated_steps, "columns": columns}


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
