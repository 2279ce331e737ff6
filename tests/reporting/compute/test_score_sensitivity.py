"""Scores under the sensitivity analyses: by hand, in tables, and absent without scores."""

import math
import statistics

import pytest

from annotation.exporting.single_table import render_table
from annotation.exporting.table_rows import table_rows
from annotation.models import Project
from annotation.reporting import Choices, build
from annotation.reporting.report import Report, SensitivityScore
from annotation.stats.intervals import korn_graubard
from annotation.stats.proportions import ratio
from annotation.stats.quantiles import t_quantile
from tests.cast import ACCURATE, CANNOT_ASSESS, SEVERE
from tests.reporting.compute.scored_projects import rows_of, scored_project
from tests.reporting.project_rows import DISPUTED, MILD, opposite_raters, project_of

pytestmark = pytest.mark.django_db


def scores_under(report: Report, analysis: str, without: tuple[str, ...] = ()) -> dict[str | None, SensitivityScore]:
    (row,) = [row for row in report.sensitivity if row.analysis == analysis and tuple(row.without or ()) == without]
    return {each.system: each for each in row.scores}


def frozen(project: Project) -> Report:
    return build(project, Choices(resamples=100), agreement_intervals=True)


@pytest.fixture(scope="module")
def worked(module_rows) -> Report:
    """Points 3 + 0.5 + 0.5 = 4 of 5 assessed sentences: 80 per 100; the sixth cannot be assessed."""
    answers = {"q1": [SEVERE, MILD, ACCURATE], "q2": [DISPUTED, ACCURATE, CANNOT_ASSESS]}
    return frozen(scored_project(rows_of(answers), "worked"))


def test_what_could_not_be_assessed_has_the_largest_weight_or_none(worked):
    reported, worst, best = (
        scores_under(worked, name)["heron"] for name in ("as reported", "not assessed as worst", "not assessed as best")
    )
    assert (reported.value, reported.n, reported.shift) == (80.0, 5, 0.0)
    assert (worst.value, worst.n) == (pytest.approx(700 / 6), 6)
    assert (best.value, best.n, best.shift) == (pytest.approx(400 / 6), 6, pytest.approx(400 / 6 - 80))


def test_responses_of_equal_weight_have_the_mean_of_their_scores(worked):
    """3.5 points on 3 assessed sentences and 0.5 on 2: 116.7 and 25 per 100."""
    assert [row.analysis for row in worked.sensitivity if row.scores is None] == ["majority"], "which counts items"
    equal = scores_under(worked, "responses equal")["heron"]
    mean = (350 / 3 + 25) / 2
    assert (equal.value, equal.n, equal.shift) == (pytest.approx(mean), 2, pytest.approx(mean - 80))
    assert (equal.low, equal.high, equal.method) == (None, None, "none")


def test_the_mean_of_scores_has_the_interval_of_a_mean():
    """Ten responses have 1 severe sentence of 3, two have 3 of 3: 100 and 300 per 100; a prompt has one response."""
    answers = {f"q{n:02}": [SEVERE] * 3 if n < 2 else [SEVERE, ACCURATE, ACCURATE] for n in range(12)}
    report = frozen(scored_project(rows_of(answers)))
    equal = scores_under(report, "responses equal")["heron"]
    values = [300.0] * 2 + [100.0] * 10
    half = t_quantile(0.975, 11) * statistics.stdev(values) / math.sqrt(12)
    assert (equal.n, equal.method) == (12, "t")
    assert (equal.value, equal.low, equal.high) == pytest.approx((1600 / 12, 1600 / 12 - half, 1600 / 12 + half))


def test_responses_with_the_largest_score_alone_have_exact_bounds():
    answers = {f"q{n:02}": [SEVERE, SEVERE] for n in range(12)}
    report = frozen(scored_project(rows_of(answers)))
    equal = scores_under(report, "responses equal")["heron"]
    low = 300 * korn_graubard(ratio([1] * 12, [1] * 12)).low
    assert (equal.value, equal.high, equal.method) == (300.0, 300.0, "korn-graubard")
    assert equal.low == pytest.approx(low)


def test_excluded_raters_move_the_score():
    """Bo finds every sentence mildly inaccurate: without Bo a third of the ratings weigh 0.5, before a half."""
    report = frozen(scored_project(opposite_raters()))
    assert scores_under(report, "as reported")[None].value == pytest.approx(25.0)
    without_bo = scores_under(report, "without rater", ("bo",))[None]
    assert (without_bo.value, without_bo.shift) == (pytest.approx(100 / 6), pytest.approx(100 / 6 - 25))
    assert without_bo.low is not None


def test_the_tables_have_the_scores(worked):
    markdown = render_table(worked, "sensitivity", "markdown")
    assert "| “Can't assess” as the worst case | 116.7 +36.7 |" in markdown
    assert "| Responses weighted equally | 70.8 -9.2 |" in markdown.replace("−", "-")
    assert "None for majority of each sentence: a score sums the weights of single ratings." in markdown
    rows = [row for row in table_rows(worked, "sensitivity") if row["key"] == "weighted" and row["system"] == "heron"]
    assert [row["figure"] for row in rows] == [
        "as reported", "responses equal", "not assessed as worst", "not assessed as best", "by prompt"
    ]  # fmt: skip
    compact = render_table(worked, "systems", "markdown", "compact")
    assert compact.splitlines()[4].endswith("| 80.0 |") and "Per 100 ratings: Weighted errors." in compact


def test_a_protocol_without_scores_has_none():
    report = frozen(project_of(opposite_raters()))
    assert {row.scores for row in report.sensitivity} == {None}
    assert b'"scores"' not in report.to_json()
