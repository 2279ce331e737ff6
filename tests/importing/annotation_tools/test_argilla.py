"""Argilla's records: nested as JSON and flattened to columns, with responses and suggestions."""

import json

import pyarrow
import pytest
from pyarrow import parquet

from annotation.exporting import RatingsExport
from annotation.models import Project, Prompt, Rating
from tests.importing.files import FIXTURES

FORMAT = "argilla"
RECORDS = FIXTURES / "argilla" / "records.json"
pytestmark = pytest.mark.django_db


def records() -> list[dict]:
    return json.loads(RECORDS.read_text(encoding="utf-8"))


def flattened(record: dict) -> dict:
    """Return the record as `to_datasets` flattens it."""
    flat = {"id": record["id"], "status": record["status"], **record["fields"], **record["metadata"]}
    for question in ("verdict", "stars", "note"):
        given = record["responses"].get(question)
        flat[f"{question}.responses"] = [each["value"] for each in given] if given else None
        flat[f"{question}.responses.users"] = [each["user_id"] for each in given] if given else None
        flat[f"{question}.responses.status"] = ["submitted" for _each in given] if given else None
    suggestion = record["suggestions"]["verdict"]
    return flat | {"verdict.suggestion": suggestion["value"], "verdict.suggestion.agent": suggestion["agent"]}


def ratings(slug: str) -> list[str]:
    fields = ("item__response__text", "rater__username", "role", "answers")
    return sorted(map(str, Rating.objects.filter(project__slug=slug).values_list(*fields)))


def test_responses_are_ratings_and_suggestions_those_of_a_judge(tool):
    counts = tool.load(RECORDS).as_json()
    assert (counts["prompts"], counts["ratings"], counts["raters"]) == (3, 8, 2)
    project = Project.objects.get()
    assert [q.key for q in project.protocol.definition.questions] == ["verdict", "stars", "note"]
    assert Rating.objects.filter(role="judge", rater__username="model-grader-2").count() == 3
    noted = Rating.objects.get(answers__verdict="not_in_source", role="rater")
    assert noted.answers["note"].startswith("The passage says nothing") and noted.item.unit == "response"
    assert set(Prompt.objects.values_list("metadata__topic", flat=True)) == {"terns", "puffins", "kiwis"}


def test_flattened_records_as_parquet_and_what_an_export_wrote_bring_the_same(tmp_path, tool):
    tool.load(RECORDS, "nested")
    project, before = Project.objects.get(), ratings("nested")
    parquet.write_table(pyarrow.Table.from_pylist([flattened(each) for each in records()]), tmp_path / "r.parquet")
    tool.load(tmp_path / "r.parquet", "flat")
    (tmp_path / "export.json").write_bytes(b"".join(RatingsExport(project, "argilla")))
    tool.load(tmp_path / "export.json", "exported", protocol=project.protocol)
    assert ratings("flat") == ratings("exported") == before and len(before) == 8


def test_drafts_are_left_out_and_spans_are_placed(tool):
    spans = [{"value": [{"start": 4, "end": 27, "label": "wrong"}], "user_id": "maria"}]
    draft = {"value": [], "user_id": "noor", "status": "draft"}
    counts = tool.load([records()[2] | {"responses": {"error": [*spans, draft]}}])
    assert counts.excluded.counts["skipped annotation"] == 1
    rated = Rating.objects.filter(role="rater").order_by("item__position").values_list("answers__error", flat=True)
    assert list(rated) == ["no_label", "wrong"]


def test_invalid_records_are_named(tool):
    for responses, problem in (
        ({"verdict": [{"value": "x", "user_id": [1]}]}, "an annotator must be a text or a number, but is '[1]'"),
        ({"verdict": ["x"]}, "a response to verdict must be an object, but is a text"),
    ):
        rows = [records()[0], {**records()[1], "responses": responses}]
        assert tool.problem(rows).startswith(f"records.jsonl:2: {problem}")
    record = {**flattened(records()[0]), "verdict.responses.users": ["maria"], "verdict.responses": ["a", "b"]}
    assert "'verdict.responses' has 2 answers of 1 users" in tool.problem([record])


def test_records_of_version_1_are_refused_for_what_they_are(tool):
    for record in (
        {"text": "A.", "annotation": "good", "annotation_agent": "ann", "prediction": None, "status": "Validated"},
        {"prompt": "Q?", "response": "A.", "verdict": [{"user_id": "u", "value": "yes", "status": "submitted"}]},
        {"fields": {"prompt": "Q?"}, "responses": [{"values": {"verdict": {"value": "yes"}}, "status": "submitted"}]},
    ):
        problem = tool.problem([record, record])
        assert problem.startswith("records.jsonl:1: this record is from Argilla 1")
        assert "copy the data set to Argilla 2" in problem


def test_rankings_are_counted_and_people_without_an_account_are_unknown_ones(tool):
    responses = {
        "verdict": [{"value": "yes", "user_id": None}, {"value": "no", "user_id": None}],
        "rank": [{"value": [{"value": "a", "rank": 1}], "user_id": "maria"}],
    }
    counts = tool.load([records()[0] | {"responses": responses}])
    raters = Rating.objects.filter(role="rater").values_list("rater__username", flat=True)
    assert set(raters) == {"argilla-unknown", "argilla-unknown-2"}
    assert counts.excluded.counts["label of a kind that is not imported: ranking"] == 1
    assert counts.excluded.counts["annotation without an imported label"] == 1
