"""The words for units of rating in the reader's language: sentence, sentences.

A protocol names its unit (`sentence`, `claim`, `fact`, `response`, `pair`). Pages and messages insert these words, so a
translation has each unit once, not each message for each unit. Prompts, documents and other counted words are here,
too.
"""

from collections.abc import Callable

from django.utils.formats import number_format
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy


def unit_words(unit: str, count: int = 1) -> str:
    """Return the word for `count` of `unit`: ("claim", 2) -> claims. An unknown unit keeps its name."""
    return _WORDS[unit](count) if unit in _WORDS else unit


def counted(count: int, unit: str) -> str:
    """Return the number and the word: (1204, "claim") -> 1,204 claims."""
    return f"{number_format(count, force_grouping=True)} {unit_words(unit, count)}"


_WORDS: dict[str, Callable[[int], str]] = {
    "sentence": lambda n: ngettext("sentence", "sentences", n),
    "claim": lambda n: ngettext("claim", "claims", n),
    "fact": lambda n: ngettext("fact", "facts", n),
    "response": lambda n: ngettext("response", "responses", n),
    "pair": lambda n: ngettext("pair", "pairs", n),
    "item": lambda n: ngettext("item", "items", n),
    "prompt": lambda n: ngettext("prompt", "prompts", n),
    "document": lambda n: ngettext("document", "documents", n),
    "rating": lambda n: ngettext("rating", "ratings", n),
    "rater": lambda n: ngettext("rater", "raters", n),
    "system": lambda n: ngettext("system", "systems", n),
    "adjudication": lambda n: ngettext("adjudication", "adjudications", n),
}


ITEM_KINDS = {
    "sentence": pgettext_lazy("kind of item", "sentence"),
    "heading": pgettext_lazy("kind of item", "heading"),
    "item": gettext_lazy("list item"),
    "table_row": gettext_lazy("row of a table"),
    "lead_in": gettext_lazy("lead-in to a list"),
    "math": gettext_lazy("formula"),
    "table_header": gettext_lazy("header of a table"),
    "code": pgettext_lazy("kind of item", "code"),
    "reference": gettext_lazy("entry of a reference list"),
    "reasoning": pgettext_lazy("kind of item", "reasoning"),
    "claim": pgettext_lazy("kind of item", "claim"),
    "fact": pgettext_lazy("kind of item", "fact"),
    "response": pgettext_lazy("kind of item", "response"),
    "pair": pgettext_lazy("kind of item", "pair"),
}


JOB_NAMES = {
    "backup": "Writing a backup",
    "compute_metrics": "Computing metrics",
    "delete_dataset": "Deleting a data set",
    "delete_project": "Deleting a project",
    "erase_person": "Erasing a person",
    "freeze_report": "Freezing a report",
    "work_out_report": "Computing the report",
    "rebuild_report": "Verifying a report",
    "count_generation_tokens": "Counting tokens",
    "generate_responses": "Generating responses",
    "run_judge": "Running a judge",
    "estimate_judge_run": "Estimating a run of a judge",
    "export": "Writing a file",
    "import_sample": "Importing the sample project",
    "find_labels": "Reading labels",
    "load_dataset": "Importing a data set",
    "load_project": "Importing a project",
    "load_responses": "Importing responses",
}


def job_name(kind: str) -> str:
    """Return the name of a kind of jobs."""
    return str(JOB_NAMES[kind]) if kind in JOB_NAMES else "Working"
