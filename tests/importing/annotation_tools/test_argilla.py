"""Argilla's records: nested as JSON and flattened to columns, with responses and suggestions."""

import json
from collections import Counter

import pyarrow
import pytest
from pyarrow import parquet

from annotation.exporting import RatingsExport
from annotation.importing import SourceFile
from annotation.importing.project_imports import ProjectSource, import_project
from annotation.models import Project, Prompt, Rating
from tests.importing.files import FIXTURES, lines, refusal_of

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
    flat |= {f"verdict.suggestion{key}": suggestion[name] for key, name in (("", "value"), (".agent", "agent"))}
    return flat


def answers(role: str = "rater") -> Counter:
    return Counter(json.dumps(rating.answers, sort_keys=True) for rating in Rating.objects.filter(role=role))


def test_responses_are_ratings_and_suggestions_those_of_a_judge():
    counts = import_project(ProjectSource("argilla", [RECORDS]), "birds").as_json()
    assert (counts["prompts"], counts["ratings"], counts["raters"]) == (3, 8, 2)
    project = Project.objects.get()
    assert [q.key for q in project.protocol.definition.questions] == ["verdict", "stars", "note"]
    assert Rating.objects.filter(role="judge", rater__username="model-grader-2").count() == 3
    noted = Rating.objects.get(answers__verdict="not_in_source", role="rater")
    assert noted.answers["note"].startswith("The passage says nothing") and noted.item.unit == "response"
    assert set(Prompt.objects.values_list("metadata__topic", flat=True)) == {"terns", "puffins", "kiwis"}


def test_flattened_records_as_parquet_bring_the_same(tmp_path):
    import_project(ProjectSource("argilla", [RECORDS]), "nested")
    before = answers(), answers("judge")
    Rating.objects.all().delete()
    path = tmp_path / "records.parquet"
    parquet.write_table(pyarrow.Table.from_pylist([flattened(record) for record in records()]), path)
    import_project(ProjectSource("argilla", [path]), "flat")
    assert (answers(), answers("judge")) == before and sum(before[0].values()) == 5


def test_drafts_are_left_out_and_spans_are_placed(tmp_path):
    record = records()[2]
    record["responses"] = {"error": [{"value": [{"start": 4, "end": 27, "label": "wrong"}], "user_id": "maria"}]}
    draft = {"value": [], "user_id": "noor", "status": "draft"}
    record["responses"]["error"].append(draft)
    counts = import_project(ProjectSource("argilla", [lines(tmp_path / "r.jsonl", [record])]), "birds")
    assert counts.left_out["skipped annotation"] == 1
    rated = Rating.objects.filter(role="rater").order_by("item__position").values_list("answers__error", flat=True)
    assert list(rated) == ["no_label", "wrong"]


def test_what_an_export_wrote_is_read_back(tmp_path):
    import_project(ProjectSource("argilla", [RECORDS]), "here")
    here = Project.objects.get()
    path = tmp_path / "export.json"
    path.write_bytes(b"".join(RatingsExport(here, "argilla")))
    import_project(ProjectSource("argilla", [path], protocol=here.protocol), "there")

    def of(slug: str) -> list[tuple]:
        fields = ("item__response__text", "rater__username", "role", "answers")
        return sorted(Rating.objects.filter(project__slug=slug).values_list(*fields), key=str)

    assert of("there") == of("here") and len(of("here")) == 8


@pytest.mark.parametrize(
    ("responses", "problem"),
    [
        ({"verdict": [{"value": "x", "user_id": [1]}]}, "an annotator must be a text or a number, but is '[1]'"),
        ({"verdict": ["x"]}, "a response to verdict must be an object, but is a text"),
    ],
)
def test_invalid_records_are_named(tmp_path, responses, problem):
    path = lines(tmp_path / "r.jsonl", [records()[0], {**records()[1], "responses": responses}])
    [line] = refusal_of(import_project, ProjectSource("argilla", [SourceFile(path)]), "birds")
    assert line.startswith(f"r.jsonl:2: {problem}")


@pytest.mark.parametrize(
    "record",
    [
        {"text": "A.", "annotation": "good", "annotation_agent": "ann", "prediction": None, "status": "Validated"},
        {"prompt": "Q?", "response": "A.", "verdict": [{"user_id": "u", "value": "yes", "status": "submitted"}]},
        {"fields": {"prompt": "Q?"}, "responses": [{"values": {"verdict": {"value": "yes"}}, "status": "submitted"}]},
    ],
)
def test_records_of_version_1_are_refused_for_what_they_are(tmp_path, record):
    path = lines(tmp_path / "r.jsonl", [record, record])
    [problem] = refusal_of(import_project, ProjectSource("argilla", [SourceFile(path)]), "birds")
    assert problem.startswith("r.jsonl:1: this record is from Argilla 1")
    assert "copy the data set to Argilla 2" in problem


def test_rankings_are_counted_and_people_without_an_account_are_unknown_ones(tmp_path):
    record = records()[0]
    record["responses"] = {
        "verdict": [{"value": "yes", "user_id": None}, {"value": "no", "user_id": None}],
        "rank": [{"value": [{"value": "a", "rank": 1}], "user_id": "maria"}],
    }
    counts = import_project(ProjectSource("argilla", [lines(tmp_path / "r.jsonl", [record])]), "birds")
    raters = Rating.objects.filter(role="rater").values_list("rater__username", flat=True)
    assert set(raters) == {"argilla-unknown", "argilla-unknown-2"}
    assert counts.left_out["label of a kind that is not imported: ranking"] == 1
    assert counts.left_out["annotation without an imported label"] == 1


def test_answers_without_as_many_users_are_refused(tmp_path):
    record = {**flattened(records()[0]), "verdict.responses.users": ["maria"], "verdict.responses": ["a", "b"]}
    [problem] = refusal_of(import_project, ProjectSource("argilla", [lines(tmp_path / "r.jsonl", [record])]), "birds")
    assert "'verdict.responses' has 2 answers of 1 users" in problem
