"""What the tally says at once is what the whole report says, as far as it goes."""

import hashlib
import json
import random
from dataclasses import replace

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.exporting.rater_names import rename_raters
from annotation.models import Project, Rating, User
from annotation.reporting import Choices, build
from annotation.reporting.build import build_closed_form, build_from_tally
from annotation.reporting.data.study import read_study
from tests.cast import ACCURATE, CANNOT_ASSESS, SEVERE
from tests.reporting.project_rows import DISPUTED, Row, project_of, rows_of_accurate_raters, worked_example

pytestmark = pytest.mark.django_db

OF_RATINGS = ("aggregations", "agreement", "disagreements", "disagreement_tie", "raters", "sensitivity")


@pytest.fixture(scope="module")
def project(module_rows) -> Project:
    """Create two systems, 60 prompts of two kinds, two sentences each: enough for bootstrap intervals."""
    drawn, answers = random.Random(7), (ACCURATE, ACCURATE, SEVERE, CANNOT_ASSESS)
    rows = (
        Row(f"q{n:02}", system, rater, drawn.choice(answers), item, metadata={"kind": "long" if n % 3 else "short"})
        for n in range(60)
        for system in ("heron", "plover")
        for item in (0, 1)
        for rater in ("rater0", "rater1")
    )
    return project_of(rows, "tallied")


@pytest.mark.parametrize("filters", [{}, {"systems": ("plover",)}, {"metadata": (("kind", ("long",)),)}, {"seed": 5}])
def test_every_figure_of_the_tally_is_the_report_s_own(project, filters):
    choices = Choices(resamples=200, **filters)
    whole, first = build(project, choices).to_dict(), build_from_tally(project, choices).to_dict()
    apart = ("data", "by", *OF_RATINGS)
    assert {key: first[key] for key in first if key not in apart} == {
        key: whole[key] for key in whole if key not in apart
    }
    assert first["by"] == {name: cells for name, cells in whole["by"].items() if name not in ("rater", "week")}
    assert first["data"] == {**whole["data"], "sha256": "", "items": None, "raters": None}
    assert list(first) == [key for key in whole if key in first]
    assert not any(first.get(key) for key in OF_RATINGS)


def test_filters_that_the_tally_cannot_answer_are_not_applied_and_not_named(project):
    tallied = build_from_tally(project, Choices(resamples=200, systems=("heron",), without_raters=("rater1",)))
    assert tallied == build_from_tally(project, Choices(resamples=200, systems=("heron",)))
    assert tallied.to_dict()["filters"] == {"systems": ["heron"]}


def test_over_more_draws_than_are_waited_for_intervals_are_closed_forms(project):
    choices = Choices(resamples=200)
    report = build_from_tally(project, choices, max_draws=60 * 200 - 1)
    assert (report.method.resamples, report.comparisons, report.ranks) == (0, [], [])
    assert report.overall.measures["accurate"].method == "korn-graubard"
    report = build_from_tally(project, choices, max_draws=60 * 200)
    assert report == build_from_tally(project, choices)
    assert report.overall.measures["accurate"].method == "bca"


@pytest.mark.parametrize("filters", [{}, {"without_raters": ("rater1",)}, {"answers": "adjudicated"}])
def test_a_closed_form_report_applies_every_choice(project, filters):
    choices = Choices(resamples=200, **filters)
    whole, closed = build(project, choices), build_closed_form(project, choices)
    assert (closed.method.resamples, closed.comparisons, closed.ranks) == (0, [], [])
    assert closed.filters == whole.filters and closed.data.left_out == whole.data.left_out
    for cell, cell_of_whole in zip((*closed.systems, closed.overall), (*whole.systems, whole.overall), strict=True):
        measure, of_whole = cell.measures["accurate"], cell_of_whole.measures["accurate"]
        assert (cell.system, measure.k, measure.n) == (cell_of_whole.system, of_whole.k, of_whole.n)
        assert (measure.method, of_whole.method) == ("korn-graubard", "bca")


def test_no_query_reads_single_ratings(project):
    with CaptureQueriesContext(connection) as queries:
        build_from_tally(project, Choices(resamples=100)).to_dict()
    assert queries.captured_queries
    assert not any(f'"{Rating._meta.db_table}"' in query["sql"] for query in queries.captured_queries)


def frozen_bytes(project, seed: int = 1) -> bytes:
    return build(project, Choices(seed=seed, resamples=200), agreement_intervals=True).to_json()


@pytest.fixture(scope="module")
def example(module_rows):
    """Return the project of the worked example, and its bytes."""
    project = project_of(worked_example(), "a-slug-of-its-own")
    return project, frozen_bytes(project)


def test_another_project_with_other_ids_stored_in_another_order_gives_the_same_bytes_without_time_or_project(example):
    here = example[1]
    assert here == frozen_bytes(project_of(worked_example(), "elsewhere", backwards=True))
    assert here.endswith(b"}\n") and b"a-slug-of-its-own" not in here
    report = json.loads(here)
    assert list(report) == [
        "schema", "protocol", "software", "data", "method", "inference", "filters", "overall", "systems", "by",
        "multi_valued", "without_value", "comparisons", "ranks", "aggregations", "agreement", "disagreements", "raters",
        "sensitivity", "crossed_models",
    ]  # fmt: skip
    assert list(report["protocol"]) == ["slug", "version", "sha256"]


def test_other_names_of_raters_give_the_same_figures():
    rows = rows_of_accurate_raters()
    names = {"rater0": "rater2", "rater1": "rater0", "rater2": "rater1"}
    renamed = project_of([replace(row, rater=names[row.rater]) for row in rows], "renamed")
    choices = Choices(resamples=200)
    one, two = (build(project, choices, agreement_intervals=True) for project in (project_of(rows), renamed))
    assert one.aggregations[0].measures["accurate"].dawid_skene.low is not None and one.crossed_models
    two = rename_raters(two, {new: old for old, new in names.items()}.__getitem__).to_dict()
    assert one.to_dict() | {"data": {}} == two | {"data": {}}


def test_the_seed_changes_intervals_that_are_drawn_and_nothing_else(example):
    first, two = json.loads(example[1]), json.loads(frozen_bytes(example[0], seed=2))
    assert first["agreement"]["accuracy"]["intervals"] != two["agreement"]["accuracy"]["intervals"]
    for report in (first, two):
        del report["method"]
        for figures in report["agreement"].values():
            del figures["intervals"]
    assert first == two


def sha256(rows: list[Row], slug: str) -> str:
    return read_study(project_of(rows, slug)).sha256


def test_the_hash_of_the_data_follows_from_its_description_alone():
    """Two ratings of one sentence, hashed as docs/report.md says."""
    kind = {"kind": ["b", "a"]}
    rows = [Row("q1", "heron", "rosa", SEVERE, metadata=kind), Row("q1", "heron", "ravi", ACCURATE, metadata=kind)]
    lines = [
        '["q1.heron", null, "heron", "sentence", 0, "ravi", {"accuracy": "accurate"}]',
        '["q1.heron", null, "heron", "sentence", 0, "rosa", {"accuracy": "inaccurate", "severity": "severe"}]',
    ]
    digest = hashlib.sha256("\n".join(lines).encode()).hexdigest()
    prompt = f'["q1",{{"kind":["b","a"]}},"{digest}"]\n'
    assert sha256(rows, "june") == hashlib.sha256(prompt.encode()).hexdigest()


@pytest.mark.parametrize(
    "change",
    [
        {"answers": DISPUTED},
        {"rater": "ines"},
        {"item": 7},
        {"system": "Cedar"},
        {"metadata": {"question_type": "other"}},
    ],
    ids=lambda change: next(iter(change)),
)
def test_another_answer_rater_sentence_system_or_metadata_is_another_hash(change):
    first, *rest = (row for row in worked_example() if row.prompt < "tide-03")
    same, other = replace(first, response="another"), replace(first, response="another", **change)
    assert sha256([*rest, other], "other") != sha256([*rest, same], "same")


def test_a_name_in_any_script_is_written_as_it_is():
    rows = [Row("q1", "Häron 鷺", "ravi", ACCURATE, metadata={"Thema": "Gezeiten & Küste"})]
    text = build(project_of(rows), Choices(resamples=100)).to_json().decode()
    assert '"system": "Häron 鷺"' in text and "Gezeiten & Küste" in text


def test_the_name_of_the_project_and_its_people_are_read_by_few_queries(example, django_assert_max_num_queries):
    """Answers, tally, responses, prompts; ratings, items, users; what is left out; gold and adjudications; and the
    transaction around them.
    """
    assert User.objects.count() >= 3
    for project in (project_of(worked_example()[:20], "few"), example[0]):
        assert project.protocol.definition  # read before
        with django_assert_max_num_queries(14):
            build(project, Choices(resamples=100)).to_dict()
