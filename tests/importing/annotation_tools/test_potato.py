"""Potato's data file with its annotated instances, as JSON lines and as tables."""

import csv
import json

import pytest

from annotation.importing import columns_from
from annotation.models import Project, Rating
from tests.importing.files import FIXTURES, lines

FORMAT = "potato"
HERE = FIXTURES / "potato"
COLUMNS = columns_from({"prompt": "question", "response": "text", "response_id": "id", "system": "model"})
DATA = HERE / "data.jsonl"
pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("ending", ["jsonl", "csv", "tsv"])
def test_instances_are_joined_to_the_data_by_their_ids(tmp_path, tool, ending):
    path = HERE / f"annotated_instances.{ending}"
    if ending == "tsv":
        path = tmp_path / path.name
        table = (HERE / "annotated_instances.csv").read_text(encoding="utf-8")
        path.write_text(table.replace(",", "\t"), encoding="utf-8")
    counts = tool.load(DATA, path)
    assert (counts.totals["responses"], counts.totals["ratings"], counts.totals["raters"]) == (2, 3, 2)
    found = {(r.rater.username, r.item.response.key): r.answers for r in Rating.objects.all()}
    assert found == {
        ("maria", "p-1"): {"verdict": "right", "note": "Also frogs."},
        ("noor", "p-1"): {"verdict": "right"},
        ("maria", "p-2"): {"verdict": "wrong", "trust": "scale_1"},
    }
    assert Project.objects.get().overlap == 2


def test_instances_without_data_and_spans_of_tables_are_refused(tmp_path, tool):
    other = {"user_id": "m", "instance_id": "p-9", "label_annotations": {"verdict": {"right": "1"}}}
    assert tool.problem(DATA, [other]).startswith(
        "records.jsonl:1: no response has the id 'p-9'; import the data file first"
    )
    path = tmp_path / "annotations.csv"
    for table, problem in (
        ("user,instance_id,span_annotation:::wrong\nm,p-1,\"[{'start': 0}]\"\n", "spans are read from JSON Lines only"),
        (
            'instance_id,user_id,error._spans\np-1,m,"[{""start"": 0"\n',
            "column 'error._spans' must have spans as a JSON list",
        ),
    ):
        path.write_text(table, encoding="utf-8")
        assert tool.problem(DATA, path).startswith(f"annotations.csv:2: {problem}")


def exported(tmp_path, ending: str):
    """Return the annotations as version 2 of Potato exports them."""
    spans = [{"schema": "error", "name": "Wrong fact", "title": "Wrong fact", "start": 0, "end": 5, "id": "s1"}]
    if ending == "jsonl":
        labels = {"verdict": {"right": "right"}, "note": {"text_box": "Also frogs."}}
        record = {"instance_id": "p-1", "user_id": "maria", "labels": labels, "spans": {"error": spans}, "links": {}}
        return lines(tmp_path / "annotations.jsonl", [record])
    path = tmp_path / f"annotations.{ending}"
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter="\t" if ending == "tsv" else ",")
        names = ["verdict.right", "verdict.wrong", "note.text_box", "verdict._room", "error._spans"]
        writer.writerow(["instance_id", "user_id", *names])
        writer.writerow(["p-1", "maria", "right", "False", "Also frogs.", "{}", json.dumps(spans)])
    return path


@pytest.mark.parametrize("ending", ["jsonl", "csv", "tsv"])
def test_the_exports_of_version_2_are_read(tmp_path, tool, ending):
    counts = tool.load(DATA, exported(tmp_path, ending))
    assert counts.labels.by_field.keys() == {"verdict.right", "note", "error.wrong_fact", "error.no_label"}
    first = Rating.objects.order_by("item__position")[0]
    assert (first.rater.username, first.answers["error"]) == ("maria", "wrong_fact")
    asked_once = {key: value for r in Rating.objects.all() for key, value in r.answers.items() if key != "error"}
    assert asked_once == {"verdict": "right", "note": "Also frogs."}


def test_links_and_labels_of_other_forms_are_counted_and_unknown_people_told_apart(tool):
    right = {"verdict": {"right": "right"}}
    rows = [
        {"instance_id": "p-1", "user_id": "ann b", "labels": {**right, "own": ["x"]}, "links": [{"from": "a"}]},
        {"instance_id": "p-1", "labels": right},
        {"instance_id": "p-1", "user_id": None, "labels": right},
        {"instance_id": "p-2", "user_id": "bob", "labels": {"verdict": {"right": False}}},
    ]
    counts = tool.load(DATA, rows)
    names = Rating.objects.values_list("rater__username", flat=True)
    assert sorted(names) == ["ann-b", "potato-unknown", "potato-unknown-2"] and counts.annotators["ann b"] == "ann-b"
    assert counts.excluded.counts["label of a kind that is not imported: links"] == 1
    assert counts.excluded.counts["label of a kind that is not imported: unknown"] == 1
    assert counts.excluded.counts["annotation without a result"] == 1
