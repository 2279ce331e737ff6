"""Fact support from files to the report: precision, recall and F1 of each response, by its facts and by its scores."""

import json

import pytest
from django.core.management import call_command
from scipy import stats

from annotation.exporting import report_formats
from annotation.importing import load_dataset, load_ratings, load_responses
from annotation.models import Dataset, Item, Project
from annotation.projects.create import create_project
from annotation.reporting import Choices
from annotation.reporting.build import build, build_from_tally
from annotation.stats.correlation import f1_of, mean
from annotation.stats.proportions import share
from tests.cast import newest_version
from tests.importing.files import lines, prompt
from tests.reporting.fact_projects import HERE, courses_data, facts_project

pytestmark = pytest.mark.django_db

KEYS = ("fact_precision", "fact_recall", "fact_f1", "human_precision", "human_recall", "human_f1")
SCORES = {"none": 0.0, "part": 0.5, "all": 1.0}


@pytest.fixture(scope="module")
def rated(module_rows: None) -> Project:
    """Return the sample project, with facts and their ratings."""
    project = facts_project()
    load_ratings(HERE / "fact-ratings.jsonl", project)
    return project


@pytest.fixture(scope="module")
def report(rated: Project) -> dict:
    return build(rated).to_dict()


def test_facts_come_beside_the_sentences_and_those_of_the_response_first(rated: Project):
    items = Item.objects.filter(response__key="heron-1").order_by("unit", "position")
    assert [(item.unit, item.kind, item.text) for item in items] == [
        ("fact", "fact", "The term paper counts 30%."),
        ("fact", "fact", "The term paper may have up to 2,000 words."),
        ("fact", "reference_fact", "The term paper is worth 30% of the grade."),
        ("sentence", "sentence", "The term paper counts 30%."),
        ("sentence", "sentence", "It may have up to 2,000 words."),
    ]


def test_each_response_has_its_own_precision_recall_and_f1_of_facts_and_of_scores(rated: Project, report: dict):
    means = {row["response"]: row["means"] for row in report["responses"]}
    for response, values in {"heron-1": (0.5, 1, 2 / 3) * 2, "plover-2": (0.5, 0, 0) * 2}.items():
        assert means[response] == pytest.approx(dict(zip(KEYS, values, strict=True)))
    assert means["plover-5"]["fact_f1"] == 0.0  # both are 0
    tallied = build_from_tally(rated).to_dict()
    assert tallied["responses"] == report["responses"]
    assert tallied["overall"]["means"] == report["overall"]["means"]


def test_the_means_are_those_of_the_responses_by_system_and_question_type(report: dict):
    heron, plover = ({key: mean["value"] for key, mean in cell["means"].items()} for cell in report["systems"])
    assert heron == pytest.approx(dict(zip(KEYS, (2 / 3, 1, 7 / 9, 2 / 3, 5 / 6, 13 / 18), strict=True)))
    assert plover == pytest.approx(dict(zip(KEYS, (1 / 6, 0, 0) * 2, strict=True)))
    types = {cell["value"]: cell["means"]["fact_f1"] for cell in report["by"]["question_type"]}
    expected = {"multi factual": 0.5, "single factual": 1 / 3, "yes/no": 1 / 3}
    assert {name: mean["value"] for name, mean in types.items()} == pytest.approx(expected)
    assert types["yes/no"] == {"value": pytest.approx(1 / 3), "n": 2, "low": None, "high": None, "method": "none"}
    pooled = report["overall"]["measures"]["supported_by_reference"]
    assert (pooled["k"], pooled["n"]) == (6, 12)  # all facts together, beside the mean of responses
    assert (report["systems"][0]["ratings"], report["systems"][0]["assessed"]) == (12, 12)
    supported = report["systems"][0]["shares"]["supported"]
    assert (supported["k"], supported["n"]) == (5, 7), "of the facts that were asked about"


@pytest.mark.parametrize(
    ("figure", "facts", "scores"),
    [
        ("precision", [0.5, 0, 1, 0.5, 0.5, 0], [0.5, 0, 1, 0.5, 0.5, 0]),
        ("recall", [1, 0, 1, 0, 1, 0], [1, 0, 1, 0, 0.5, 0]),
        ("f1", [2 / 3, 0, 1, 0, 2 / 3, 0], [2 / 3, 0, 1, 0, 0.5, 0]),
    ],
)
def test_scores_are_correlated_with_the_figure_of_facts_that_they_are_about(report: dict, figure, facts, scores):
    rows = [row for row in report["correlations"] if row["key"] == f"fact_and_human_{figure}"]
    (everything, heron, plover) = rows
    assert (everything["system"], heron["system"], everything["n"]) == (None, "heron", 6)
    assert_correlations(everything, facts, scores)
    if figure != "precision":  # recall and F1 of plover are always 0
        assert plover["pearson"] == {"value": None, "low": None, "high": None, "method": "none"}


def assert_correlations(row: dict, first: list[float], second: list[float]) -> None:
    assert row["pearson"]["value"] == pytest.approx(stats.pearsonr(first, second)[0])
    assert row["spearman"]["value"] == pytest.approx(stats.spearmanr(first, second)[0])
    assert row["kendall_tau_b"]["value"] == pytest.approx(stats.kendalltau(first, second)[0])


def test_a_response_without_facts_of_a_side_has_no_f1(rated: Project):
    response = rated.dataset.responses.get(key="heron-1")
    response.items.filter(kind="reference_fact").update(retired_at="2026-01-01T00:00:00Z")
    rated.ratings.filter(item__response=response, item__kind="reference_fact").update(counted=False)
    report = build(rated).to_dict()
    (means,) = (row["means"] for row in report["responses"] if row["response"] == "heron-1")
    assert means == {"fact_precision": 0.5, **dict.fromkeys(set(KEYS) - {"fact_precision"})}
    assert report["overall"]["means"]["fact_precision"]["n"] == 6
    assert report["overall"]["means"]["fact_f1"]["n"] == 5


def test_the_files_of_a_report_have_means_correlations_and_every_response(rated: Project):
    report = build(rated)
    for format in ("markdown", "latex", "html"):
        text = report_formats.render(report, format)
        assert "Fact F1" in text and "Human recall" in text, format
    rows = report_formats.render(report, "csv").splitlines()
    for begin in (
        '"systems","heron","","mean","fact_f1","","3","0.777',
        '"correlations","","fact_and_human_f1","correlation","pearson","","6",',
        '"responses","heron","heron-1","mean","fact_f1","","","0.666',
    ):
        assert any(row.startswith(begin) for row in rows), begin


def facts_of(number: int) -> tuple[list[int], str]:
    """Return supported and all facts of a response, supported and all facts of its reference, and a score."""
    own, reference = 1 + number % 3, 1 + number % 2
    return [number % 5 % (own + 1), own, number % 7 % (reference + 1), reference], list(SCORES)[number % 11 % 3]


def test_with_sixty_prompts_means_and_correlations_have_intervals_of_the_resamples(tmp_path):
    answers, ratings = [], []
    for n, (counts, score) in enumerate(map(facts_of, range(60))):
        supported, facts, contained, reference = counts
        lists = {
            "facts": [f"Fact {k}." for k in range(facts)],
            "reference_facts": [f"Fact {k}." for k in range(reference)],
        }
        answers.append({"id": f"r{n}", "prompt": f"q{n}", "system": "rule", "text": "A fact.", **lists})
        asked = [("in_reference", k < supported) for k in range(facts)]
        asked += [("in_response", k < contained) for k in range(reference)]
        for item, (question, hit) in enumerate(asked):
            given = {question: "supported" if hit else "not_supported"}
            given |= {"precision": score, "recall": score} if item == len(asked) - 1 else {}
            ratings.append({"response": f"r{n}", "unit": "fact", "item": item, "rater": "ravi", "answers": given})
    load_dataset("jsonl", [lines(tmp_path / "prompts.jsonl", [prompt(f"q{n}") for n in range(60)])], "many")
    dataset = Dataset.objects.get(slug="many")
    load_responses(lines(tmp_path / "responses.jsonl", answers), dataset)
    project = create_project("many", dataset, newest_version("fact-support"))
    load_ratings(lines(tmp_path / "ratings.jsonl", ratings), project)
    report = build(project, Choices(resamples=200), agreement_intervals=True).to_dict()
    counts, means = [counts for counts, _ in map(facts_of, range(60))], report["overall"]["means"]
    precision, recall = [share(row[0], row[1]) for row in counts], [share(row[2], row[3]) for row in counts]
    f1 = list(map(f1_of, precision, recall))
    values = [means[key]["value"] for key in KEYS[:3]]
    assert values == pytest.approx([mean(precision), mean(recall), mean(f1)])
    assert means["fact_f1"]["method"] == "bca"
    assert means["fact_f1"]["low"] < means["fact_f1"]["value"] < means["fact_f1"]["high"]
    (correlation, _) = (row for row in report["correlations"] if row["key"] == "fact_and_human_f1")
    assert correlation["n"] == 60
    assert_correlations(correlation, f1, [SCORES[score] for _, score in map(facts_of, range(60))])
    assert all(correlation[name]["method"] == "bca" for name in ("pearson", "spearman", "kendall_tau_b"))


def test_facts_that_come_later_are_added_once_and_open_the_work(tmp_path):
    courses = courses_data("late")
    rows = [json.loads(line) for line in (HERE / "facts.jsonl").read_text(encoding="utf-8").splitlines()]
    bare = [{key: value for key, value in row.items() if "facts" not in key} for row in rows]
    load_responses(lines(tmp_path / "bare.jsonl", bare), courses)
    project = create_project("late", courses, newest_version("fact-support"))
    assert project.slots.count() == 0
    judged = lines(tmp_path / "judged.jsonl", [{**row, "facts_by": "judge-1"} for row in rows])
    assert load_responses(judged, courses).new == 22
    assert project.slots.count() == 6
    facts = Item.objects.filter(unit="fact", response__dataset=courses)
    assert set(facts.values_list("splitter", flat=True)) == {"judge-1"}
    assert load_responses(judged, courses).new == 0


def test_facts_in_a_csv_stand_a_line_each(tmp_path):
    courses = courses_data("table")
    table = tmp_path / "responses.csv"
    table.write_text('prompt,system,text,facts\naaaaBBBBccccDD01,heron,"30%, once.","It is 30%.\n\nIt counts once."\n')
    load_responses(table, courses)
    facts = Item.objects.filter(unit="fact", response__dataset=courses)
    assert list(facts.values_list("text", flat=True)) == ["It is 30%.", "It counts once."]


def test_what_an_export_wrote_an_import_reads_and_the_report_is_the_same(rated: Project, report: dict, tmp_path):
    out = tmp_path / "ratings.jsonl"
    call_command("export_ratings", project="facts", format="jsonl", output=out)
    copy = create_project("copy", rated.dataset, rated.protocol)
    load_ratings(out, copy)
    assert build(copy).to_dict() == report
