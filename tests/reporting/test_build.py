"""What the tally says at once is what the whole report says, as far as it goes."""

import random

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.models import Project, Rating
from annotation.reporting import Choices, build
from annotation.reporting.build import build_closed_form, build_from_tally
from tests.cast import ACCURATE, CANNOT_ASSESS, SEVERE
from tests.reporting.project_rows import Row, project_of

pytestmark = pytest.mark.django_db

OF_RATINGS = ("aggregations", "agreement", "disagreements", "disagreement_tie", "raters", "sensitivity")


@pytest.fixture(scope="module")
def project(module_rows) -> Project:
    """Create two systems, 60 prompts of two kinds, two sentences each: enough for bootstrap intervals."""
    drawn, answers = random.Random(7), (ACCURATE, ACCURATE, SEVERE, CANNOT_ASSESS)
    return project_of(
        Row(f"q{n:02}", system, rater, drawn.choice(answers), item, metadata={"kind": "long" if n % 3 else "short"})
        for n in range(60)
        for system in ("heron", "plover")
        for item in (0, 1)
        for rater in ("rater0", "rater1")
    )


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
