"""doccano's JSON lines: labels of texts and of spans, together or with a file for each annotator."""

import zipfile

import pytest

from annotation.importing import SourceFile, columns_from
from annotation.importing.project_imports import ProjectSource, import_project
from annotation.models import Rating, Response
from tests.importing.files import FIXTURES, lines, refusal_of

HERE = FIXTURES / "doccano"
COLUMNS = columns_from({"prompt": "question", "response": "text", "system": "model"})
pytestmark = pytest.mark.django_db


def source(*paths, **more) -> ProjectSource:
    return ProjectSource("doccano", paths, columns=COLUMNS, **more)


def test_an_archive_has_a_file_for_each_annotator(tmp_path):
    archive = tmp_path / "export.zip"
    with zipfile.ZipFile(archive, "w") as file:
        for name in ("maria.jsonl", "noor.jsonl"):
            file.write(HERE / name, name)
    counts = import_project(source(archive), "birds")
    assert (counts.totals["responses"], counts.totals["raters"]) == (2, 2)
    found = Rating.objects.order_by("rater__username", "item__response__text", "item__position")
    texts = ["Puffins dig burrows.", "Terns are small.", "They eat only seeds."]
    assert [(r.rater.username, r.item.text) for r in found] == [
        (name, text) for name in ("doccano-maria", "doccano-noor") for text in texts
    ]
    assert [r.answers["label"] for r in found] == ["no_label", "no_label", "wrong", "wrong", "no_label", "no_label"]
    assert Rating.objects.get(comment="Seeds?").item.text == "Terns are small."
    assert import_project(source(archive), "birds").new == 0


def test_labels_of_whole_texts_are_answers_about_responses():
    import_project(source(HERE / "all.jsonl"), "birds")
    assert sorted(Rating.objects.values_list("answers__label", flat=True)) == ["right", "wrong"]
    assert set(Response.objects.values_list("system__name", flat=True)) == {"wren-1", "finch-2"}


@pytest.mark.parametrize(
    ("label", "problem"),
    [
        ([[0, 5]], "a label must be a text, or a list of start, end and label"),
        ([["0", 5, "x"]], "'start' of a span must be a whole number, but is '0'"),
        ([[0, 500, "x"]], "the span from 0 to 500 is outside the response"),
        ([[5, 5, "x"]], "a span must have a start and an end behind it"),
    ],
)
def test_invalid_labels_are_named(tmp_path, label, problem):
    row = {"id": 1, "text": "Terns eat.", "question": "What?", "model": "m", "label": [[0, 5, "x"]]}
    path = lines(tmp_path / "all.jsonl", [row, {**row, "text": "Gulls eat.", "label": label}])
    [line] = refusal_of(import_project, source(SourceFile(path)), "birds")
    assert line.startswith("all.jsonl:2") and problem in line


def test_a_user_name_with_points_is_that_of_the_file(tmp_path):
    record = {"id": 1, "text": "Terns fly.", "question": "What do terns do?", "model": "m", "label": ["Right"]}
    files = [lines(tmp_path / f"{name}.jsonl", [record]) for name in ("ana.b@x.org", "ana.c@x.org")]
    import_project(source(*files), "terns")
    names = Rating.objects.values_list("rater__username", flat=True)
    assert set(names) == {"doccano-ana.b@x.org", "doccano-ana.c@x.org"}


TEXT = {"question": "What do terns do?", "text": "Terns fly.", "model": "m"}


def test_annotations_of_old_versions_are_read_by_the_numbers_of_annotators(tmp_path):
    other = {**TEXT, "text": "Gulls sit.", "annotations": [{"label": 6, "start_offset": 0, "end_offset": 5, "user": 1}]}
    whole = {**TEXT, "annotations": [{"label": 5, "user": 1}, {"label": 6, "user": 2}], "annotation_approver": None}
    import_project(source(lines(tmp_path / "old.jsonl", [whole])), "terns")
    found = Rating.objects.order_by("rater__username").values_list("rater__username", "answers__label")
    assert list(found) == [("doccano-1", "option_5"), ("doccano-2", "option_6")]
    import_project(source(lines(tmp_path / "spans.jsonl", [other])), "gulls")
    assert Rating.objects.get(project__slug="gulls").answers == {"label": "option_6"}


def test_lines_of_several_users_and_texts_named_data_are_read(tmp_path):
    rows = [{**TEXT, "labels": ["Right"], "username": "ann"}, {**TEXT, "labels": ["Wrong"], "username": "bob"}]
    rows.append({"question": "Why?", "data": "So.", "model": "m", "label": ["Right"]})
    import_project(source(lines(tmp_path / "all.jsonl", rows)), "terns")
    found = Rating.objects.order_by("rater__username").values_list("rater__username", "answers__label")
    assert list(found) == [("ann", "right"), ("bob", "wrong"), ("doccano-all", "right")]


def test_relations_and_blank_labels_are_counted(tmp_path):
    row = {**TEXT, "label": [[0, 5, "X"], [6, 9, " "]], "relations": [{"id": 1, "type": "before"}]}
    counts = import_project(source(lines(tmp_path / "all.jsonl", [row])), "terns")
    assert counts.left_out["label of a kind that is not imported: relation"] == 1
    assert counts.left_out["label without a value"] == 1
