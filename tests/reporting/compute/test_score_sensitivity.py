"""Scores under the sensitivity analyses: by hand, in tables, and absent without scores."""

import pytest

from annotation.exporting.single_table import render_table
from annotation.exporting.table_rows import table_rows
from annotation.reporting import Choices, build
from annotation.reporting.report import Report, SensitivityScore
from tests.cast import ACCURATE, CANNOT_ASSESS, SEVERE
from tests.reporting.compute.test_scores import rows_of, scored_project
from tests.reporting.project_rows import DISPUTED, MILD, opposite_raters, project_of

pytestmark = pytest.mark.django_db


def scores_under(report: Report, analysis: str, without: tuple[str, ...] = ()) -> dict[str | None, SensitivityScore]:
    (row,) = [row for row in report.sensitivity if row.analysis == analysis and tuple(row.without or ()) == without]
    return {each.system: each for each in row.scores}


@pytest.fixture
def worked(db) -> Report:
    """Points 3 + 0.5 + 0.5 = 4 of 5 assessed sentences: 80 per 100; the sixth cannot be assessed."""
    answers = {"q1": [SEVERE, MILD, ACCURATE], "q2": [DISPUTED, ACCURATE, CANNOT_ASSESS]}
    return build(scored_project(rows_of(answers)), Choices(resamples=100), agreement_intervals=True)


def test_what_could_not_be_assessed_has_the_largest_weight_or_none(worked):
    reported, worst, best = (
        scores_under(worked, name)["heron"] for name in ("as reported", "not assessed as worst", "not assessed as best")
    )
    assert (reported.value, reported.n, reported.shift) == (80.0, 5, 0.0)
    assert (worst.value, worst.n) == (pytest.approx(700 / 6), 6)
    assert (best.value, best.n, best.shift) == (pytest.approx(400 / 6), 6, pytest.approx(400 / 6 - 80))


def test_analyses_that_count_items_have_no_scores(worked):
    without = [row.analysis for row in worked.sensitivity if row.scores is None]
    assert without == ["majority", "responses equal"]


def test_excluded_raters_move_the_score():
    """Bo finds every sentence mildly inaccurate: without Bo a third of the ratings weigh 0.5, before a half."""
    report = build(scored_project(opposite_raters()), Choices(resamples=100), agreement_intervals=True)
    assert scores_under(report, "as reported")[None].value == pytest.approx(25.0)
    without_bo = scores_under(report, "without rater", ("bo",))[None]
    assert (without_bo.value, without_bo.shift) == (pytest.approx(100 / 6), pytest.approx(100 / 6 - 25))
    assert without_bo.low is not None


def test_the_tables_have_the_scores(worked):
    markdown = render_table(worked, "sensitivity", "markdown")
    assert "| “Can't assess” as the worst case | 116.7 +36.7 |" in markdown
    assert "Scores are per 100 ratings, and so are their shifts" in markdown
    rows = [row for row in table_rows(worked, "sensitivity") if row["key"] == "weighted" and row["system"] == "heron"]
    assert [row["figure"] for row in rows] == [
        "as reported",
        "not assessed as worst",
        "not assessed as best",
        "by prompt",
    ]
    compact = render_table(worked, "systems", "markdown", "compact")
    assert compact.splitlines()[4].endswith("| 80.0 |") and "Per 100 ratings: Weighted errors." in compact


def test_a_protocol_without_scores_has_none():
    report = build(project_of(opposite_raters()), Choices(resamples=100), agreement_intervals=True)
    assert {row.scores for row in report.sensitivity} == {None}
    assert b'"scores"' not in report.to_json()
