"""Weighted errors per 100 ratings: a worked example, its intervals, and where they are shown."""

from dataclasses import replace

import numpy as np
import pytest

from annotation.exporting import report_formats
from annotation.exporting.codebook import SCORE_COLUMNS, codebook_markdown, score_rows
from annotation.exporting.protocol_markdown import guidelines
from annotation.exporting.report_formats import render_table
from annotation.models import Project
from annotation.reporting import Choices, build
from annotation.reporting.build import build_from_tally
from annotation.reporting.parts import Bounds, ScoreEstimate
from annotation.reporting.report import Report
from annotation.reporting.sections.scores.tables import scores_note
from annotation.reporting.text.names import Names
from annotation.stats.intervals import clopper_pearson, korn_graubard
from annotation.stats.proportions import ratio
from tests.cast import ACCURATE, CANNOT_ASSESS, SEVERE
from tests.exporting.bundles import csv_rows
from tests.protocols.scored import scored
from tests.reporting.project_rows import DISPUTED, MILD, documents_of_prompts, report_of, rows_of, scored_project

pytestmark = pytest.mark.django_db


def report_on(heron: dict[str, list[dict]], tern: dict[str, list[dict]] | None = None, slug: str = "june") -> Report:
    return report_of(scored_project([*rows_of(heron), *rows_of(tern or {}, "tern")], slug))


def test_a_worked_example():
    """Points 3 + 0.5 + 0.5 = 4 of 5 assessed sentences: 80 per 100; the sixth cannot be assessed."""
    report = report_on({"q1": [SEVERE, MILD, ACCURATE], "q2": [DISPUTED, ACCURATE, CANNOT_ASSESS]})
    expected = {"weighted": ScoreEstimate(80.0, 4.0, 5, None, None, "none")}
    assert report.overall.scores == report.systems[0].scores == report.by["rater"][0].scores == expected


def test_the_interval_with_ten_prompts_is_that_of_so_many_whole_errors():
    """Of 20 sentences 5 have the largest weight, 3: a quarter. The deviations from it are 1/2 in each prompt, so the
    variance is 10 / 9 · 10 · .25 / 400 and the design effect .74: taken as 1.
    """
    report = report_on({f"q{n}": [SEVERE, ACCURATE] if n % 2 else [ACCURATE, ACCURATE] for n in range(10)})
    score = report.overall.scores["weighted"]
    assert (score.value, score.points, score.n, score.method) == (75.0, 15.0, 20, "korn-graubard")
    share = clopper_pearson(*(each * (1.959964 / 2.262157) ** 2 for each in (5, 20)))  # z / t(9), Student's table
    assert (score.low, score.high) == pytest.approx((300 * share.low, 300 * share.high), abs=1e-3)


def test_few_errors_and_none_have_an_upper_bound_and_none_below_zero():
    bounds = []
    for error in (MILD, ACCURATE):
        report = report_on({f"q{n:02}": [error if n == 1 else ACCURATE] for n in range(12)}, slug=f"p{len(bounds)}")
        score = report.overall.scores["weighted"]
        assert score.method == "korn-graubard" and 0 <= score.low <= score.value < score.high < 300
        bounds.append((score.low, score.high))
    assert bounds[1][0] == 0 and bounds[1][1] < bounds[0][1]


@pytest.fixture(scope="module")
def many(module_rows) -> Report:
    """Return the report of two systems on 60 prompts with one to six sentences each."""
    generator = np.random.default_rng(3)
    kinds, rows = [SEVERE, MILD, DISPUTED, *[ACCURATE] * 4], []
    for system in ("heron", "tern"):
        sizes = [generator.integers(0, len(kinds), generator.integers(1, 7)) for _ in range(60)]
        rows += rows_of({f"q{n:02}": [kinds[k] for k in drawn] for n, drawn in enumerate(sizes)}, system)
    project = scored_project(rows, "many")
    report = build(project, Choices(resamples=200))
    assert build_from_tally(project, Choices(resamples=200)).systems[1].scores == report.systems[1].scores
    return report


def test_with_fifty_prompts_it_is_the_bootstraps_and_every_cell_and_difference_has_it(many):
    scores = [cell.scores["weighted"] for cell in (many.overall, *many.systems)]
    assert {score.method for score in scores} == {"bca"}
    assert all(score.low < score.value < score.high for score in scores)
    assert sum(score.points for score in scores[1:]) == scores[0].points
    assert all(cell.scores for cells in many.by.values() for cell in cells)
    [row], (a, b) = many.score_comparisons, scores[1:]
    assert (row.a, row.b, row.measure, row.prompts) == ("heron", "tern", "weighted", 60)
    assert row.difference == pytest.approx(a.value - b.value)
    assert row.method == "bca" and row.low < row.difference < row.high and row.p == row.p_holm
    assert {row.measure for row in many.comparisons} == {"accurate", "inaccurate", "severely_inaccurate"}


def test_the_files_have_it(many):
    names = Names(Project.objects.get(slug="many").protocol.definition)
    markdown, latex, html = (report_formats.render(many, format) for format in ("markdown", "latex", "html"))
    assert "Weighted errors per 100 ratings" in markdown and "Weighted errors per 100 ratings" in html
    assert "3: Inaccurate, Severe; 0.5: Inaccurate or Disputed" in scores_note(many, names)
    assert "Weighted errors" in latex
    rows = csv_rows(report_formats.render(many, "csv"))
    [row] = [row for row in rows if row["figure"] == "score" and row["table"] == "overall"]
    score = many.overall.scores["weighted"]
    assert (row["key"], float(row["k"]), int(row["n"])) == ("weighted", score.points, score.n)
    assert (float(row["estimate"]), row["method"]) == (score.value, "bca")
    [row], [difference] = [row for row in rows if row["table"] == "score_comparisons"], many.score_comparisons
    assert (float(row["estimate"]), float(row["p"]), row["key"]) == (difference.difference, difference.p, "weighted")
    assert f"{difference.difference:+.1f}".replace("-", "−") in render_table(many, "score_comparisons", "markdown")


def test_protocol_and_codebook_say_the_weights():
    protocol = scored()
    assert "- 3 where “" in guidelines(protocol) and "- 0.5 where “" in guidelines(protocol)
    assert "Weighted errors: Severe errors weigh 3. Weights per 100 ratings" in codebook_markdown(
        protocol, {"scores.csv": SCORE_COLUMNS}
    )
    assert ("weighted", "1", "3.0", "severity", "severe") in list(score_rows(protocol))


def test_a_worked_difference_on_ten_prompts():
    """Heron has 3 points of 2 sentences on odd prompts, tern none but .5 on q0: 75 - 2.5 = 72.5 per 100.

    Linearized: d = (k_a - 1.5) / 20 - (k_b - .05) / 20 is -.0975 on q0, .0775 on odd and -.0725 on other even prompts.
    """
    heron = {f"q{n}": [SEVERE, ACCURATE] if n % 2 else [ACCURATE, ACCURATE] for n in range(10)}
    tern = {f"q{n}": [MILD, ACCURATE] if n == 0 else [ACCURATE, ACCURATE] for n in range(10)}
    [row] = report_on(heron, tern).score_comparisons
    half = 100 * 2.262157 * (10 / 9 * (0.0975**2 + 5 * 0.0775**2 + 4 * 0.0725**2)) ** 0.5
    assert (row.difference, row.method, row.clusters) == (pytest.approx(72.5), "t", 10)
    assert (row.low, row.high) == pytest.approx((72.5 - half, 72.5 + half), abs=1e-4)
    assert row.swaps is None and row.p == exact_p(heron, tern)


def exact_p(*answers: dict[str, list[dict]]) -> float:
    """Return p of all swaps of two systems, whose prompts have two sentences each, from the squares of T."""
    [score] = scored().scores
    a, b = (np.array([sum(map(score.points, prompt)) for prompt in side.values()]) for side in answers)
    squares = []
    for number in range(2 ** len(a)):
        swapped = (number >> np.arange(len(a))) & 1 == 1
        gaps = np.where(swapped, b - a, a - b)
        spread = ((gaps - gaps.mean()) ** 2).sum()
        squares.append(gaps.mean() ** 2 / spread if spread else np.inf)
    return float(np.mean(np.array(squares) >= squares[0] * (1 - 1e-9)))


def test_a_system_without_errors_has_its_own_uncertainty():
    """MOVER, each score as a share of the largest one, 300 per 100, on as many observations as ratings."""
    tern = {f"q{n:02}": [MILD if n < 3 else ACCURATE] for n in range(12)}
    [row] = report_on({key: [ACCURATE] for key in tern}, tern).score_comparisons
    none, share = korn_graubard(ratio([0] * 12, [1] * 12)), 1.5 / (3 * 12)
    some = korn_graubard(replace(ratio([1] * 12, [1] * 12), value=share, k=0))
    assert row.method == "mover" and row.difference == pytest.approx(-12.5)
    assert row.low == pytest.approx(-12.5 - 300 * (some.high - share))
    assert row.high == pytest.approx(-12.5 + 300 * ((none.high**2 + (share - some.low) ** 2) ** 0.5))


def test_documents_as_units_have_the_intervals_by_prompt_beside_them():
    heron = {f"q{n:02}": [SEVERE if n % 3 else MILD, ACCURATE] for n in range(40)}
    tern = {f"q{n:02}": [SEVERE if n % 5 else ACCURATE, ACCURATE] for n in range(40)}
    project = scored_project([*rows_of(heron), *rows_of(tern, "tern")])
    by_prompt = report_of(project)
    report = report_of(documents_of_prompts(project, {f"q{n:02}": f"d{n // 2:02}" for n in range(40)}))
    assert report.method.cluster == "document"
    scores, expected = (
        [*(cell.scores["weighted"] for cell in (each.overall, *each.systems)), *each.score_comparisons]
        for each in (report, by_prompt)
    )
    assert [score.by_prompt for score in scores] == [Bounds(each.low, each.high, each.method) for each in expected]
