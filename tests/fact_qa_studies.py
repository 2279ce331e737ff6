"""A project whose responses are sentences of a reference answer or not, for the local endpoint's Fact-QA."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from annotation.importing import load_dataset
from annotation.judging.fact_scores import store_fact_scores
from annotation.judging.judges import create_judge
from annotation.models import Dataset, FactScore, Judge, JudgeRun, Project, Response
from annotation.projects.create import create_project
from annotation.stats.correlation import f1_of
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


Counts = tuple[int, int]
"""Supported facts, and all facts."""


def score_facts(
    project: Project, counts: Mapping[str, tuple[Counts, Counts] | None], name: str = "facts", **values: Any
) -> Judge:
    """Store scores of a judge without requests: response (imported id) -> facts of the response and of the reference
    answer, each fact with an invented text; None: it failed.
    """
    settings = Judge(name=name, base_url="http://localhost/v1", model="tiny", **{"fact_qa": "strict", **values})
    judge, _is_new = create_judge(settings)
    run = JudgeRun.objects.create(judge=judge, project=project)
    responses = {each.key: each for each in Response.objects.filter(dataset=project.dataset, key__in=counts)}
    scores = []
    for key, pair in counts.items():
        if pair is None:
            scores.append(FactScore(response=responses[key], state="failed", problem="No answer can be read."))
            continue
        precision, recall = (supported / total if total else None for supported, total in pair)
        parts = dict(zip(("precision", "recall"), map(_counts, pair), strict=True))
        figures = {"precision": precision, "recall": recall, "f1": f1_of(precision, recall)}
        scores.append(FactScore(response=responses[key], state="scored", counts=parts, **figures))
    store_fact_scores(run, scores)
    return judge


def _counts(pair: Counts) -> dict[str, Any]:
    supported, total = pair
    facts = [[f"Fact {number + 1} of {total} is told", number < supported] for number in range(total)]
    return {"supported": supported, "facts": total, "list": facts}
