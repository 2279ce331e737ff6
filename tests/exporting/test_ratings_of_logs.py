"""Exported ratings join by id to the log that the responses came from, as docs/export-columns.md says, and a log that
is imported again, with its ratings, gives the same report.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

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
Read = Callable[[Any], Any]


def records(path: Path) -> list[dict]:
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in text.splitlines()]
    return json.loads(text)["request_states"] if "scenario" in path.name else json.loads(text)


def texts_in(value: object) -> set[str]:
    """Return all texts in lists and objects of JSON."""
    if isinstance(value, str):
        return {value}
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return set().union(*map(texts_in, parts))


LOGS: dict[str, tuple[Path, str, Read, Read]] = {
    "lm-eval": (LM_EVAL, "prompt", lambda row: f"bird_qa/{row['doc_id']}", lambda row: row["resps"]),
    "helm": (
        FIXTURES / "helm" / "scenario_state.json", "prompt",
        lambda row: row["instance"]["id"], lambda row: row["result"]["completions"],
    ),
    "chat": (
        BATCH / "batch_output.jsonl", "prompt",
        lambda row: row["custom_id"], lambda row: row["response"]["body"].get("choices"),
    ),
    "langfuse": (
        FIXTURES / "langfuse" / "traces.json", "response", lambda row: row["id"], lambda row: row["output"]
    ),
    "phoenix": (FIXTURES / "phoenix" / "spans.jsonl", "response", lambda row: row["context.span_id"], lambda row: row),
}  # fmt: skip
"""Format -> file, column that joins, and where a record of the file has its id and its answers."""


def project_of(format: str, slug: str) -> Project:
    path = BATCH / "batch_input.jsonl" if format == "chat" else LOGS[format][0]
    system = "plover" if format == "langfuse" else ""
    load_dataset(format, [SourceFile.named_as_given(path)], f"{slug}-data", system=system)
    dataset = Dataset.objects.get(slug=f"{slug}-data")
    if format == "chat":  # a batch has its questions and its answers in two files
        load_responses(BATCH / "batch_output.jsonl", dataset, format=format)
    return create_project(slug, dataset, article_accuracy())


@pytest.mark.parametrize("format", LOGS)
def test_ratings_join_to_the_texts_in_their_log_and_give_the_same_report_with_the_log_imported_again(format, tmp_path):
    project, (log, column, id_of, answers_of) = project_of(format, "one"), LOGS[format]
    items = Item.objects.filter(response__dataset=project.dataset, rate=True).order_by("pk")
    ratings = [NewRating(item, person("ravi"), SEVERE if n % 3 else ACCURATE) for n, item in enumerate(items)]
    n = store_ratings(project, ratings).new
    texts: dict[str, set[str]] = {}
    for record in records(log):
        texts.setdefault(id_of(record), set()).update(texts_in(answers_of(record)))
    path = tmp_path / "ratings.jsonl"
    path.write_bytes(exported(project, "jsonl"))
    rows = records(path)
    assert len(rows) == n > 1
    for row in rows:
        assert any(row["text"] in text for text in texts[row[column]]), row
    copy, choices = project_of(format, "two"), Choices(resamples=100)
    assert load_ratings(path, copy).new == n
    assert build(copy, choices).to_json() == build(project, choices).to_json()
