"""Ratings in the formats of annotation tools: what an export wrote, an import reads back."""

import json
from pathlib import Path

import pytest

from annotation.exporting import RatingsExport
from annotation.importing import load_dataset, load_ratings
from annotation.importing.project_imports import ProjectSource, import_project
from annotation.jobs import Refused
from annotation.models import Dataset, Project, Rating
from annotation.projects.create import create_project
from tests.cast import ACCURATE, CANNOT_ASSESS, SEVERE, article_accuracy
from tests.importing.files import FIXTURES, lines

LABEL_STUDIO = FIXTURES / "label-studio"
pytestmark = pytest.mark.django_db


def written(project: Project, format: str, path: Path) -> Path:
    path.write_bytes(b"".join(RatingsExport(project, format)))
    return path


def ratings_of(project: Project, *roles: str) -> list[tuple]:
    rows = Rating.objects.filter(project=project, role__in=roles or ["rater", "judge", "gold"])
    fields = ("item__response__text", "item__position", "item__text", "rater__username", "role", "answers")
    return sorted(rows.values_list(*fields), key=str)


@pytest.mark.parametrize("name", ["verdicts.json", "spans.json"])
def test_a_label_studio_project_comes_back_with_the_same_ratings(tmp_path, name):
    source = ProjectSource("label-studio", [LABEL_STUDIO / name])
    import_project(source, "here")
    here = Project.objects.get()
    path = written(here, "label-studio", tmp_path / "export.json")
    import_project(ProjectSource("label-studio", [path], protocol=here.protocol), "there")
    there = Project.objects.get(slug="there")
    assert ratings_of(there) == ratings_of(here) and len(ratings_of(here)) == (11 if name == "verdicts.json" else 10)
    prompts = [list(each.dataset.prompts.values("text", "metadata").order_by("text")) for each in (here, there)]
    assert prompts[0] == prompts[1]
    assert written(there, "label-studio", tmp_path / "again.json").read_bytes() == path.read_bytes()


def test_a_label_studio_task_has_annotations_and_predictions(tmp_path):
    import_project(ProjectSource("label-studio", [LABEL_STUDIO / "spans.json"]), "here")
    tasks = json.loads(written(Project.objects.get(), "label-studio", tmp_path / "export.json").read_text("utf-8"))
    task = next(task for task in tasks if task["data"]["response_id"] == "a-202")
    assert (task["data"]["prompt"], task["data"]["system"]) == ("Tell me about puffins.", "wren-1")
    [annotation], [prediction] = task["annotations"], task["predictions"]
    assert annotation["completed_by"] == {"email": "maria@example.org"} and not annotation["ground_truth"]
    assert prediction["model_version"] == "model-span-finder"
    result = prediction["result"][1]
    assert (result["from_name"], result["to_name"], result["type"]) == ("error", "response", "labels")
    span = result["value"]
    assert span["labels"] == ["Wrong fact"]
    assert task["data"]["response"][span["start"] : span["end"]] == span["text"] == "The pair raises one chick."


def test_an_export_without_ratings_is_an_empty_list_and_scores_for_inspect_need_a_log(tmp_path):
    load_dataset("jsonl", [FIXTURES / "jsonl" / "dataset.jsonl"], "tea")
    project = create_project("tea", Dataset.objects.get(), article_accuracy())
    for format in ("label-studio", "argilla"):
        assert json.loads(written(project, format, tmp_path / "empty.json").read_text("utf-8")) == []
    with pytest.raises(Refused, match="came from an Inspect log, so there is nothing to join scores to"):
        RatingsExport(project, "inspect-scores")


def test_scores_are_joined_to_the_samples_of_an_inspect_log(tmp_path):
    log = FIXTURES / "inspect" / "bird_facts.json"
    load_dataset("inspect", [log], "birds")
    project = create_project("birds", Dataset.objects.get(), article_accuracy())
    rows = [("uuid1e1", 0, ACCURATE), ("uuid1e1", 1, SEVERE), ("uuid2e1", 0, CANNOT_ASSESS)]
    ratings = [{"response": r, "item": n, "rater": "ravi", "answers": a} for r, n, a in rows]
    load_ratings(lines(tmp_path / "ratings.jsonl", ratings), project)
    written_lines = written(project, "inspect-scores", tmp_path / "scores.jsonl").read_text("utf-8").splitlines()
    first, second = map(json.loads, written_lines)
    samples = {sample["id"]: sample for sample in json.loads(log.read_text(encoding="utf-8"))["samples"]}
    assert samples[first["sample_id"]]["input"] == "How long do Arctic terns live?"
    assert (first["eval_id"], first["epoch"], first["response"]) == ("Ev7terns", 1, "uuid1e1")
    assert first["score"]["value"] == {"accurate": 0.5, "inaccurate": 0.5, "severely_inaccurate": 0.5}
    assert first["score"]["metadata"]["measures"]["accurate"] == {"k": 1, "n": 2}
    assert second["score"]["value"] == {"accurate": None, "inaccurate": None, "severely_inaccurate": None}
