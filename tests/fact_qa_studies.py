"""A project whose responses are sentences of a reference answer or not, for the local endpoint's Fact-QA."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from annotation.importing import load_dataset
from annotation.models import Dataset, Project
from annotation.projects.create import create_project
from tests.cast import newest_version

TYPES = (
    "yes/no",
    "single-factual",
    "multi factual",
    "single reasoning",
    "multi reasoning",
    "summarization",
    "no answer",
)
FACTS = ("The course is on Monday", "The exam is in May", "The book is free", "There is no lab")


def texts(number: int) -> tuple[str, str]:
    """Return a reference answer of one to three facts, and a response of one to four, of which some are shared."""
    reference = FACTS[: 1 + number % 3]
    response = FACTS[number % 2 : 1 + number % 4] or ("It is unknown",)
    return f"{'. '.join(reference)}.", f"{'. '.join(response)}."


def prompt(number: int, **values: Any) -> dict[str, Any]:
    """Return a line of a data set: a prompt with a document, a reference answer and a response."""
    reference, response = texts(number)
    document = {"id": f"d{number // 2}", "sections": [{"heading": "", "paragraphs": [f"{FACTS[0]}. {FACTS[3]}."]}]}
    return {
        "id": f"q{number:03}",
        "text": f"What about {number}?",
        "metadata": {"question_type": TYPES[number % len(TYPES)]},
        "document": document if number % 2 == 0 else f"d{number // 2}",
        "reference": reference,
        "responses": [{"id": f"r{number:03}", "system": f"system-{number % 2}", "text": response}],
        **values,
    }


def fact_qa_study(folder: Path, prompts: Iterable[dict[str, Any]]) -> Project:
    """Create the project `june` of these prompts, under `fact-support`."""
    path = folder / "prompts.jsonl"
    path.write_text("".join(json.dumps(each) + "\n" for each in prompts))
    load_dataset("jsonl", [path], "june")
    return create_project("june", Dataset.objects.get(slug="june"), newest_version("fact-support"))
