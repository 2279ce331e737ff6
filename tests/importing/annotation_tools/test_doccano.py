"""doccano's JSON lines: labels of texts and of spans, together or with a file for each annotator."""

import zipfile

import pytest

from annotation.importing import columns_from
from annotation.models import Rating, Response
from tests.importing.files import FIXTURES, lines

FORMAT = "doccano"
HERE = FIXTURES / "doccano"
COLUMNS = columns_from({"prompt": "question", "response": "text", "system": "model"})
pytestmark = pytest.mark.django_db


def answers() -> list[tuple[str, str]]:
    """Return the raters with their answers."""
    return sorted(Rating.objects.values_list("rater__username", "answers__label"))


def test_an_archive_has_a_file_for_each_annotator(tmp_path, tool):
    archive = tmp_path / "export.zip"
    with zipfile.ZipFile(archive, "w") as file:
        for name in ("maria.jsonl", "noor.jsonl"):
            file.write(HERE / name, name)
    counts = tool.load(archive)
    assert (counts.totals["responses"], counts.totals["raters"]) == (2, 2)
    found = Rating.objects.order_by("rater__username", "item__response__text", "item__position")
    texts = ["Puffins dig burrows.", "Terns are small.", "They eat only seeds."]
    assert [(r.rater.username, r.item.text) for r in found] == [
        (name, text) for name in ("doccano-maria", "doccano-noor") for text in texts
    ]
    assert [r.answers["label"] for r in found] == ["no_label", "no_label", "wrong", "wrong", "no_label", "no_label"]
    assert Rating.objects.get(comment="Seeds?").item.text == "Terns are small."
    assert tool.load(archive).new == 0


def test_labels_of_whole_texts_are_answers_about_responses(tool):
    tool.load(HERE / "all.jsonl")
    assert [label for _rater, label in answers()] == ["right", "wrong"]
    assert set(Response.objects.values_list("system__name", flat=True)) == {"wren-1", "finch-2"}


def test_invalid_labels_are_named(tool):
    for label, problem in (
        ([[0, 5]], "a label must be a text, or a list of start, end and label"),
        ([["0", 5, "x"]], "'start' of a span must be a whole number, but is '0'"),
        ([[0, 500, "x"]], "the span from 0 to 500 is outside the response"),
        ([[5, 5, "x"]], "a span must have a start and an end behind it"),
    ):
        rows = [{**TEXT, "label": [[0, 5, "x"]]}, {**TEXT, "text": "Gulls eat.", "label": label}]
        found = tool.problem(rows)
        assert found.startswith("records.jsonl:2") and problem in found


def test_a_user_name_with_points_is_that_of_the_file(tmp_path, tool):
    names = ("ana.b@x.org", "ana.c@x.org")
    tool.load(*(lines(tmp_path / f"{name}.jsonl", [{**TEXT, "label": ["Right"]}]) for name in names))
    assert answers() == [(f"doccano-{name}", "right") for name in names]


TEXT = {"question": "What do terns do?", "text": "Terns fly.", "model": "m"}


def test_annotations_of_old_versions_are_read_by_the_numbers_of_annotators(tool):
    other = {**TEXT, "text": "Gulls sit.", "annotations": [{"label": 6, "start_offset": 0, "end_offset": 5, "user": 1}]}
    whole = {**TEXT, "annotations": [{"label": 5, "user": 1}, {"label": 6, "user": 2}], "annotation_approver": None}
    tool.load([whole])
    assert answers() == [("doccano-1", "option_5"), ("doccano-2", "option_6")]
    tool.load([other], "gulls")
    assert Rating.objects.get(project__slug="gulls").answers == {"label": "option_6"}


def test_lines_of_several_users_and_texts_named_data_are_read(tool):
    rows = [{**TEXT, "labels": ["Right"], "username": "ann"}, {**TEXT, "labels": ["Wrong"], "username": "bob"}]
    tool.load([*rows, {"question": "Why?", "data": "So.", "model": "m", "label": ["Right"]}])
    assert answers() == [("ann", "right"), ("bob", "wrong"), ("doccano-records", "right")]


def test_relations_and_blank_labels_are_counted(tool):
    row = {**TEXT, "label": [[0, 5, "X"], [6, 9, " "]], "relations": [{"id": 1, "type": "before"}]}
    counts = tool.load([row])
    assert counts.excluded.counts["label of a kind that is not imported: relation"] == 1
    assert counts.excluded.counts["label without a value"] == 1
