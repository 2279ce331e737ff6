"""Support of reference answers from files to the report: experts rate them, and the report has their means."""

import json
from statistics import fmean
from uuid import uuid4

import pytest
from django.core.management import call_command

from annotation.models import Item, Project, Prompt, Rating
from annotation.projects.members import add_member
from annotation.reporting.build import build
from tests.api.clients import program_of
from tests.cast import person
from tests.importing.files import FIXTURES, lines
from tests.web.pages import text_of

HERE = FIXTURES / "syllabusqa"
SCORE = {"none": 0.0, "part": 0.5, "all": 1.0}
SCORES = {
    "aaaaBBBBccccDD01": [("all", "all"), ("all", "all")],
    "aaaaBBBBccccDD02": [("all", "part"), ("part", "part")],
    "aaaaBBBBccccDD03": [("none", "none"), ("none", "none")],
    "aaaaBBBBccccDD04": [("part", "none"), ("none", "all")],
    "aaaaBBBBccccDD05": [("none", "all"), ("none", "all")],
    "aaaaBBBBccccDD06": [("all", "none"), ("all", "part")],
}
"""Prompt -> precision and recall by each of the two raters."""
FIGURES = {
    "aaaaBBBBccccDD01": (1, 1, 1),
    "aaaaBBBBccccDD02": (3 / 4, 1 / 2, 3 / 5),
    "aaaaBBBBccccDD03": (0, 0, 0),
    "aaaaBBBBccccDD04": (1 / 4, 1 / 2, 1 / 3),
    "aaaaBBBBccccDD05": (0, 1, 0),
    "aaaaBBBBccccDD06": (1, 1 / 4, 2 / 5),
}
"""Prompt -> precision, recall and F1 of its reference answer, computed by hand."""
KEYS = ("reference_precision", "reference_recall", "reference_f1")


@pytest.fixture
def references(db, tmp_path) -> Project:
    """Create the project as docs/studies/syllabusqa.md does."""
    call_command("import_dataset", "syllabusqa", HERE / "test.json", HERE / "text", "--dataset", "references")
    answers = Prompt.objects.values_list("key", "reference")
    assert set(dict(answers)) == set(SCORES)
    rows = [{"prompt": key, "system": "reference", "text": text} for key, text in answers]
    call_command("import_responses", lines(tmp_path / "references.jsonl", rows), "--dataset", "references")
    protocol, overlap = ("--protocol", "reference-support"), ("--overlap", "2")
    call_command("create_project", "references", "--dataset", "references", *protocol, *overlap)
    project = Project.objects.get()
    for name in ("ravi", "rosa"):
        add_member(project, person(name), "rater")
    add_member(project, person("lena"), "lead")
    return project


def rate_all(name: str, number: int) -> None:
    """Rate each reference answer through the API with the scores of the rater with this number."""
    program = program_of(person(name))

    def call(method, path, body=None):
        headers = {"Idempotency-Key": uuid4().hex}
        return getattr(program, method)(f"/api/v1/{path}", body or {}, format="json", headers=headers)

    for _ in SCORES:
        work = call("post", "projects/references/assignments/").json()
        [item] = work["items"]
        precision, recall = SCORES[Item.objects.get(public_id=item["id"]).response.prompt.key][number]
        answer = {"answers": {"precision": precision, "recall": recall}, "base_version": 0}
        assert call("put", f"assignments/{work['id']}/items/{item['id']}/", answer).status_code == 200
        assert call("post", f"assignments/{work['id']}/finish/").status_code == 200
    assert call("post", "projects/references/assignments/").status_code == 204


def test_experts_rate_reference_answers_and_the_report_has_the_means(references, client):
    for number, name in enumerate(("ravi", "rosa")):
        rate_all(name, number)
    assert Rating.objects.count() == 12
    report = json.loads(json.dumps(build(references).to_dict()))
    prompt_of = dict(Prompt.objects.values_list("responses__key", "key"))
    means = {prompt_of[row["response"]]: row["means"] for row in report["responses"]}
    assert means == {key: pytest.approx(dict(zip(KEYS, figures, strict=True))) for key, figures in FIGURES.items()}
    expected = dict(zip(KEYS, map(fmean, zip(*FIGURES.values(), strict=True)), strict=True))
    for cell in (report["overall"], *report["systems"]):
        assert {key: mean["value"] for key, mean in cell["means"].items()} == pytest.approx(expected)
        assert {mean["n"] for mean in cell["means"].values()} == {6}
    types = dict(Prompt.objects.values_list("key", "metadata__question_type"))
    for cell in report["by"]["question_type"]:
        rows = [figures for key, figures in FIGURES.items() if types[key] == cell["value"]]
        values = {key: mean["value"] for key, mean in cell["means"].items()}
        assert values == pytest.approx(dict(zip(KEYS, map(fmean, zip(*rows, strict=True)), strict=True)))
    assert {cell["value"] for cell in report["by"]["question_type"]} == set(types.values())
    measures = report["overall"]["measures"]
    assert {key: (measure["k"], measure["n"]) for key, measure in measures.items()} == {
        "precise": (5, 12),
        "complete": (5, 12),
    }
    client.force_login(person("lena"))
    page = text_of(client.get("/projects/references/report/"))
    for label, value in zip(("precision", "recall", "F1"), expected.values(), strict=True):
        assert f"Reference {label}" in page
        assert f"{value:.3f}" in page
