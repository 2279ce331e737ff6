"""Support of reference answers from files to the report: experts rate them, and the report has their means."""

from statistics import fmean

import pytest
from django.core.management import call_command

from annotation.importing import load_ratings
from annotation.models import Project, Prompt
from annotation.projects.members import add_member
from annotation.reporting.build import build
from tests.cast import person, signed_in
from tests.importing.files import FIXTURES, lines
from tests.web.pages import text_of

HERE = FIXTURES / "syllabusqa"
RATED = {
    "aaaaBBBBccccDD01": ([("all", "all"), ("all", "all")], (1, 1, 1)),
    "aaaaBBBBccccDD02": ([("all", "part"), ("part", "part")], (3 / 4, 1 / 2, 3 / 5)),
    "aaaaBBBBccccDD03": ([("none", "none"), ("none", "none")], (0, 0, 0)),
    "aaaaBBBBccccDD04": ([("part", "none"), ("none", "all")], (1 / 4, 1 / 2, 1 / 3)),
    "aaaaBBBBccccDD05": ([("none", "all"), ("none", "all")], (0, 1, 0)),
    "aaaaBBBBccccDD06": ([("all", "none"), ("all", "part")], (1, 1 / 4, 2 / 5)),
}
"""Prompt -> precision and recall by each of the two raters; precision, recall and F1 of its reference, by hand."""
KEYS = ("reference_precision", "reference_recall", "reference_f1")


@pytest.fixture
def references(db, tmp_path) -> Project:
    """Create the project as docs/studies/syllabusqa.md does."""
    call_command("import_dataset", "syllabusqa", HERE / "test.json", HERE / "text", "--dataset", "references")
    answers = Prompt.objects.values_list("key", "reference")
    assert set(dict(answers)) == set(RATED)
    rows = [{"prompt": key, "system": "reference", "text": text} for key, text in answers]
    call_command("import_responses", lines(tmp_path / "references.jsonl", rows), "--dataset", "references")
    protocol, overlap = ("--protocol", "reference-support"), ("--overlap", "2")
    call_command("create_project", "references", "--dataset", "references", *protocol, *overlap)
    project = Project.objects.get()
    add_member(project, person("lena"), "lead")
    return project


def test_experts_rate_reference_answers_and_the_report_has_the_means(references, tmp_path):
    response_of = dict(Prompt.objects.values_list("key", "responses__key"))
    ratings = [
        {"response": response_of[key], "unit": "response", "item": 0, "rater": name,
         "answers": dict(zip(("precision", "recall"), scores, strict=True))}
        for key, (both, _) in RATED.items()
        for name, scores in zip(("ravi", "rosa"), both, strict=True)
    ]  # fmt: skip
    assert load_ratings(lines(tmp_path / "ratings.jsonl", ratings), references).new == 12
    report, prompt_of = build(references).to_dict(), dict(Prompt.objects.values_list("responses__key", "key"))
    figures = {key: figures for key, (_, figures) in RATED.items()}
    means = {prompt_of[row["response"]]: row["means"] for row in report["responses"]}
    assert means == {key: pytest.approx(dict(zip(KEYS, each, strict=True))) for key, each in figures.items()}

    def assert_means(cell: dict, keys: list[str]) -> None:
        values = {key: mean["value"] for key, mean in cell["means"].items()}
        columns = zip(*(figures[key] for key in keys), strict=True)
        assert values == pytest.approx(dict(zip(KEYS, map(fmean, columns), strict=True)))
        assert {mean["n"] for mean in cell["means"].values()} == {len(keys)}

    for cell in (report["overall"], *report["systems"]):
        assert_means(cell, list(RATED))
    types = dict(Prompt.objects.values_list("key", "metadata__question_type"))
    for cell in report["by"]["question_type"]:
        assert_means(cell, [key for key in RATED if types[key] == cell["value"]])
    assert {cell["value"] for cell in report["by"]["question_type"]} == set(types.values())
    measures = {key: (measure["k"], measure["n"]) for key, measure in report["overall"]["measures"].items()}
    assert measures == {"precise": (5, 12), "complete": (5, 12)}
    page = text_of(signed_in("lena").get("/projects/references/report/"))
    for label, key in zip(("precision", "recall", "F1"), KEYS, strict=True):
        assert f"Reference {label}" in page
        assert f"{report['overall']['means'][key]['value']:.3f}" in page
