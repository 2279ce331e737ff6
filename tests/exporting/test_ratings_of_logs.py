"""Exported ratings join by id to the log that the responses came from, as docs/export-columns.md says, and a log that
is imported again, with its ratings, gives the same report.
"""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from annotation.importing import SourceFile, load_dataset, load_ratings, load_responses
from annotation.models import Dataset, Item, Project
from annotation.projects.create import create_project
from annotation.rating.bulk_storage import NewRating, store_ratings
from annotation.reporting import Choices, build
from tests.cast import ACCURATE, SEVERE, article_accuracy, person
from tests.exporting.odd_ratings import exported
from tests.importing.files import FIXTURES

pytestmark = pytest.mark.django_db
[LM_EVAL] = (FIXTURES / "lm-eval").rglob("samples_*.jsonl")
BATCH = FIXTURES / "chat"


def rows_of(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def texts_in(value: object) -> set[str]:
    """Return all texts in lists and objects of JSON."""
    if isinstance(value, str):
        return {value}
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return set().union(*map(texts_in, parts))


def lm_eval_texts() -> dict[str, set[str]]:
    texts: dict[str, set[str]] = {}
    for row in rows_of(LM_EVAL):
        texts.setdefault(f"bird_qa/{row['doc_id']}", set()).update(texts_in([row["resps"], row["filtered_resps"]]))
    return texts


def helm_texts() -> dict[str, set[str]]:
    states = json.loads((FIXTURES / "helm" / "scenario_state.json").read_text(encoding="utf-8"))["request_states"]
    texts = {state["instance"]["id"]: {each["text"] for each in state["result"]["completions"]} for state in states}
    return {key: found for key, found in texts.items() if any(found)}


def batch_texts() -> dict[str, set[str]]:
    bodies = {row["custom_id"]: row["response"]["body"] for row in rows_of(BATCH / "batch_output.jsonl")}
    return {
        key: {choice["message"]["content"] for choice in body["choices"]}
        for key, body in bodies.items()
        if "choices" in body
    }


def langfuse_texts() -> dict[str, set[str]]:
    traces = json.loads((FIXTURES / "langfuse" / "traces.json").read_text(encoding="utf-8"))
    texts = {}
    for trace in traces:
        output = trace["output"]
        texts[trace["id"]] = {output["content"] if isinstance(output, dict) else output}
    return texts


def phoenix_texts() -> dict[str, set[str]]:
    spans = rows_of(FIXTURES / "phoenix" / "spans.jsonl")
    return {span["context.span_id"]: texts_in(span) for span in spans}


LOGS: dict[str, tuple[list[Path], str, str, Callable[[], dict[str, set[str]]]]] = {
    "lm-eval": ([LM_EVAL], "", "prompt", lm_eval_texts),
    "helm": ([FIXTURES / "helm" / "scenario_state.json"], "", "prompt", helm_texts),
    "chat": ([BATCH / "batch_input.jsonl"], "", "prompt", batch_texts),
    "langfuse": ([FIXTURES / "langfuse" / "traces.json"], "plover", "response", langfuse_texts),
    "phoenix": ([FIXTURES / "phoenix" / "spans.jsonl"], "", "response", phoenix_texts),
}
"""Format -> files, name of the system, column that joins, and function that reads the texts by id from the file."""


def project_of(format: str, slug: str) -> Project:
    files, system, _column, _texts = LOGS[format]
    load_dataset(format, [SourceFile.named_as_given(file) for file in files], f"{slug}-data", system=system)
    dataset = Dataset.objects.get(slug=f"{slug}-data")
    if format == "chat":  # a batch has its questions and its answers in two files
        load_responses(BATCH / "batch_output.jsonl", dataset, format=format)
    return create_project(slug, dataset, article_accuracy())


def rate_all(project: Project) -> int:
    items = Item.objects.filter(response__dataset=project.dataset, rate=True).order_by("pk")
    ratings = [NewRating(item, person("ravi"), SEVERE if n % 3 else ACCURATE) for n, item in enumerate(items)]
    return store_ratings(project, ratings).new


@pytest.mark.parametrize("format", LOGS)
def test_ratings_join_to_the_texts_in_their_log_and_give_the_same_report_with_the_log_imported_again(format, tmp_path):
    project = project_of(format, "one")
    n = rate_all(project)
    column, source = LOGS[format][2], LOGS[format][3]()
    path = tmp_path / "ratings.jsonl"
    path.write_bytes(exported(project, "jsonl"))
    rows = rows_of(path)
    assert len(rows) == n > 1
    for row in rows:
        assert any(row["text"] in text for text in source[row[column]]), row
    copy, choices = project_of(format, "two"), Choices(resamples=100)
    assert load_ratings(path, copy).new == n
    assert build(copy, choices).to_json() == build(project, choices).to_json()
