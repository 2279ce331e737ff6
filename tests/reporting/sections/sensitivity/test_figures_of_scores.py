"""Scores under the sensitivity analyses: by hand, in tables, and absent without scores."""

import math
import statistics

import pytest

from annotation.exporting.report_formats import render_table
from annotation.models import Project
from annotation.reporting import Choices, build
from annotation.reporting.report import Report
from annotation.reporting.sections.all_tables import stored_tables
from annotation.reporting.sections.sensitivity.figures import SensitivityScore
from annotation.reporting.tables import tidy
from annotation.stats.quantiles import t_quantile
from tests.cast import ACCURATE, CANNOT_ASSESS, SEVERE
from tests.reporting.project_rows import DISPUTED, MILD, opposite_raters, rows_of, scored_project

pytestmark = pytest.mark.django_db


def score_under(report: Report, analysis: str, system: str | None = "heron", without=()) -> SensitivityScore:
    (row,) = [row for row in report.sensitivity if row.analysis == analysis and tuple(row.without or ()) == without]
    return next(each for each in row.scores if each.system == system)


def frozen(project: Project) -> Report:
    return build(project, Choices(resamples=100), agreement_intervals=True)


@pytest.fixture(scope="module")
def worked(module_rows) -> Report:
    """Points 3 + 0.5 + 0.5 = 4 of 5 assessed sentences: 80 per 100; the sixth cannot be assessed."""
    answers = {"q1": [SEVERE, MILD, ACCURATE], "q2": [DISPUTED, ACCURATE, CANNOT_ASSESS]}
    return frozen(scored_project(rows_of(answers), "worked"))


def test_what_could_not_be_assessed_has_the_largest_weight_or_none(worked):
    for analysis, value, n in (
        ("as reported", 80, 5),
        ("not assessed as worst", 700 / 6, 6),
        ("not assessed as best", 400 / 6, 6),
    ):
        score = score_under(worked, analysis)
        assert (score.value, score.n, score.shift) == (pytest.approx(value), n, pytest.approx(value - 80))


def test_responses_of_equal_weight_have_the_mean_of_their_scores(worked):
    """3.5 points on 3 assessed sentences and 0.5 on 2: 116.7 and 25 per 100."""
    assert [row.analysis for row in worked.sensitivity if row.scores is None] == ["majority"], "which counts items"
    equal, mean = score_under(worked, "responses equal"), (350 / 3 + 25) / 2
    assert (equal.value, equal.n, equal.shift) == (pytest.approx(mean), 2, pytest.approx(mean - 80))
    assert (equal.low, equal.high, equal.method) == (None, None, "none")


def test_the_mean_of_scores_has_the_interval_of_a_mean():
    """Twelve responses: two with three severe sentences of three, 300 per 100, the others with one, 100."""
    answers = {f"q{n:02}": [SEVERE, *[SEVERE if n < 2 else ACCURATE] * 2] for n in range(12)}
    equal = score_under(frozen(scored_project(rows_of(answers))), "responses equal")
    half = t_quantile(0.975, 11) * statistics.stdev([300.0] * 2 + [100.0] * 10) / math.sqrt(12)
    assert (equal.n, equal.method) == (12, "t")
    assert (equal.value, equal.low, equal.high) == pytest.approx((1600 / 12, 1600 / 12 - half, 1600 / 12 + half))


def test_excluded_raters_move_the_score():
    """Bo finds every sentence mildly inaccurate: without Bo a third of the ratings weigh 0.5, before a half."""
    report = frozen(scored_project(opposite_raters()))
    assert score_under(report, "as reported", None).value == pytest.approx(25.0)
    without_bo = score_under(report, "without rater", None, ("bo",))
    assert (without_bo.value, without_bo.shift) == (pytest.approx(100 / 6), pytest.approx(100 / 6 - 25))
    assert without_bo.low is not None


def test_the_tables_have_the_scores(worked):
    markdown = render_table(worked, "sensitivity", "markdown")
    assert "| “Can't assess” as the worst case | 116.7 +36.7 |" in markdown
    assert "| Responses weighted equally | 70.8 -9.2 |" in markdown.replace("−", "-")
    assert "None for majority of each sentence: a score sums the weights of single ratings." in markdown
    rows = [
        row
        for row in tidy.rows_of(stored_tables(worked)["sensitivity"])
        if row["key"] == "weighted" and row["system"] == "heron"
    ]
    assert [row["figure"] for row in rows] == [
        "as reported", "responses equal", "not assessed as worst", "not assessed as best", "by prompt"
    ]  # fmt: skip
    compact = render_table(worked, "systems", "markdown", "compact")
    assert compact.splitlines()[4].endswith("| 80.0 |") and "Per 100 ratings: Weighted errors." in compact
