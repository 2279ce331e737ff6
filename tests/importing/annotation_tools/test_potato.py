"""Potato's data file with its annotated instances, as JSON lines and as tables."""

import pytest

from annotation.importing import SourceFile, columns_from
from annotation.importing.project_imports import ProjectSource, import_project
from annotation.models import Project, Rating
from tests.importing.files import FIXTURES, lines, refusal_of

HERE = FIXTURES / "potato"
COLUMNS = columns_from({"prompt": "question", "response": "text", "response_id": "id", "system": "model"})
pytestmark = pytest.mark.django_db


def source(*paths) -> ProjectSource:
    return ProjectSource("potato", paths, columns=COLUMNS)


def tsv(path):
    text = (HERE / "annotated_instances.csv").read_text(encoding="utf-8")
    path.write_text(text.replace(",", "\t"), encoding="utf-8")
    return path


@pytest.mark.parametrize("name", ["annotated_instances.jsonl", "annotated_instances.csv", "annotated_instances.tsv"])
def test_instances_are_joined_to_the_data_by_their_ids(tmp_path, name):
    annotated = tsv(tmp_path / name) if name.endswith("tsv") else HERE / name
    counts = import_project(source(HERE / "data.jsonl", annotated), "herons")
    assert (counts.totals["responses"], counts.totals["ratings"], counts.totals["raters"]) == (2, 3, 2)
    found = {(r.rater.username, r.item.response.key): r.answers for r in Rating.objects.all()}
    assert found == {
        ("maria", "p-1"): {"verdict": "right", "note": "Also frogs."},
        ("noor", "p-1"): {"verdict": "right"},
        ("maria", "p-2"): {"verdict": "wrong", "trust": "scale_1"},
    }
    assert Project.objects.get().overlap == 2


def test_instances_without_data_and_spans_of_tables_are_refused(tmp_path):
    other = {"user_id": "m", "instance_id": "p-9", "label_annotations": {"verdict": {"right": "1"}}}
    path = lines(tmp_path / "annotated.jsonl", [other])
    [line] = refusal_of(import_project, source(HERE / "data.jsonl", SourceFile(path)), "herons")
    assert line.startswith("annotated.jsonl:1: no response has the id 'p-9'; import the data file first")
    table = tmp_path / "annotated.csv"
    table.write_text("user,instance_id,span_annotation:::wrong\nm,p-1,\"[{'start': 0}]\"\n", encoding="utf-8")
    [line] = refusal_of(import_project, source(HERE / "data.jsonl", SourceFile(table)), "herons")
    assert line.startswith("annotated.csv:2: spans are read from JSON Lines only")
