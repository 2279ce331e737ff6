"""What the tally says at once is what the whole report says, as far as it goes."""

import random

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.models import Rating
from annotation.reporting import Choices, build
from annotation.reporting.build import build_closed_form, build_from_tally
from tests.cast import ACCURATE, CANNOT_ASSESS, SEVERE
from tests.reporting.project_rows import Row, project_of

pytestmark = pytest.mark.django_db

ANSWERS = (ACCURATE, ACCURATE, SEVERE, CANNOT_ASSESS)
KINDS = ({"kind": "short"}, {"kind": "long"})
OF_RATINGS = ("aggregations", "agreement", "disagreements", "disagreement_tie", "raters", "sensitivity")


def study(prompts: int = 60, raters: int = 2):
    """Create two systems, `prompts` prompts of two kinds, two sentences each: enough for bootstrap intervals."""
    drawn = random.Random(7)
    return project_of(
        Row(f"q{n:02}", system, f"rater{rater}", drawn.choice(ANSWERS), item, metadata=KINDS[n % 3 > 0])
        for n in range(prompts)
        for system in ("heron", "plover")
        for item in (0, 1)
        for rater in range(raters)
    )


@pytest.mark.parametrize("filters", [{}, {"systems": ("plover",)}, {"metadata": (("kind", ("long",)),)}, {"seed": 5}])
def test_every_figure_of_the_tally_is_the_report_s_own(filters):
    project, choices = study(), Choices(resamples=400, **filters)
    whole, first = build(project, choices).to_dict(), build_from_tally(project, choices).to_dict()
    assert {key: first[key] for key in first if key not in ("data", "by", *OF_RATINGS)} == {
        key: whole[key] for key in whole if key not in ("data", "by", *OF_RATINGS)
    }
    assert first["by"] == {name: cells for name, cells in whole["by"].items() if name not in ("rater", "week")}
    expected = {name: value for name, value in whole["data"].items() if name not in ("sha256", "items", "raters")}
    assert first["data"] == {**expected, "sha256": "", "items": None, "raters": None}
    assert list(first) == [key for key in whole if key in first]
    assert not any(first.get(key) for key in OF_RATINGS)


def test_its_intervals_are_resampled():
    assert (
        build_from_tally(study(), Choices(resamples=400)).to_dict()["overall"]["measures"]["accurate"]["method"]
        == "bca"
    )


def test_filters_that_the_tally_cannot_answer_are_not_applied_and_not_named():
    project = study()
    tallied = build_from_tally(
        project, Choices(resamples=200, systems=("heron",), without_raters=("rater1",))
    ).to_dict()
    assert tallied == build_from_tally(project, Choices(resamples=200, systems=("heron",))).to_dict()
    assert tallied["filters"] == {"systems": ["heron"]}


def test_over_more_draws_than_are_waited_for_intervals_are_closed_forms():
    project, choices = study(), Choices(resamples=400)
    report = build_from_tally(project, choices, max_draws=60 * 400 - 1).to_dict()
    assert (report["method"]["resamples"], report["comparisons"], report["ranks"]) == (0, [], [])
    assert report["overall"]["measures"]["accurate"]["method"] == "korn-graubard"
    assert (
        build_from_tally(project, choices, max_draws=60 * 400).to_dict() == build_from_tally(project, choices).to_dict()
    )


@pytest.mark.parametrize("filters", [{}, {"without_raters": ("rater1",)}, {"answers": "adjudicated"}])
def test_a_closed_form_report_applies_every_choice(filters):
    project, choices = study(), Choices(resamples=400, **filters)
    whole, closed = build(project, choices), build_closed_form(project, choices)
    assert (closed.method.resamples, closed.comparisons, closed.ranks) == (0, [], [])
    assert closed.filters == whole.filters and closed.data.left_out == whole.data.left_out
    for cell, cell_of_whole in zip((*closed.systems, closed.overall), (*whole.systems, whole.overall), strict=True):
        measure, of_whole = cell.measures["accurate"], cell_of_whole.measures["accurate"]
        assert (cell.system, measure.k, measure.n) == (cell_of_whole.system, of_whole.k, of_whole.n)
        assert (measure.method, of_whole.method) == ("korn-graubard", "bca")


def test_no_query_reads_single_ratings():
    project = study(prompts=12)
    with CaptureQueriesContext(connection) as queries:
        build_from_tally(project, Choices(resamples=100)).to_dict()
    assert queries.captured_queries and not any(
        f'"{Rating._meta.db_table}"' in query["sql"] for query in queries.captured_queries
    )
