"""Differences between systems, their tests, and ranks: with many and with few prompts."""

import pytest
from msgspec.structs import replace

from annotation.models import Project
from annotation.reporting import Choices, build
from annotation.reporting.sections.differences.figures import Rank
from annotation.reporting.sections.differences.significance import comparisons_shown
from annotation.stats.intervals import korn_graubard
from annotation.stats.proportions import ratio
from annotation.stats.swap_tests import simulation_error
from tests.cast import ACCURATE, SEVERE
from tests.reporting.project_rows import Row, project_of, report_of, two_systems
from tests.stats.clusters import swap_p

pytestmark = pytest.mark.django_db


def study(prompts: int, wrong_of_heron: range, wrong_of_plover: range) -> Project:
    """Create one sentence a response, by Heron and by Plover, which are wrong on these prompts."""
    return project_of(
        Row(f"q{n:02}", system, "ravi", SEVERE if n in wrong else ACCURATE)
        for n in range(prompts)
        for system, wrong in (("heron", wrong_of_heron), ("plover", wrong_of_plover))
    )


def accurate(project: Project) -> dict:
    rows = build(project, Choices(resamples=1_000)).to_dict()["comparisons"]
    return next(row for row in rows if row["measure"] == "accurate")


def test_a_p_near_the_threshold_is_drawn_again_with_more_swaps():
    """13 against 4 of 17 that differ: the sign test's p is .049."""
    row = accurate(study(40, range(13, 17), range(13)))
    heron, plover = [int(not 13 <= n < 17) for n in range(40)], [int(n >= 13) for n in range(40)]
    assert row["swaps"] == 10_000
    assert row["p"] == swap_p(heron, [1] * 40, plover, [1] * 40, draws=10_000) == row["p_holm"]
    assert abs(row["p"] - 0.049) < min(4 * simulation_error(0.049, 40, 10_000), simulation_error(0.049, 40, 1_000))


@pytest.mark.parametrize(
    ("prompts", "wrong_of_heron", "wrong_of_plover", "swaps", "p"),
    [
        (40, range(5, 9), range(5), 1_000, None),
        (40, range(20, 24), range(20), 1_000, None),
        (12, range(0), range(6), None, 2 / 2**6),
    ],
    ids=["far above", "far below", "exact"],
)
def test_a_p_far_from_it_is_not_and_an_exact_test_draws_none(prompts, wrong_of_heron, wrong_of_plover, swaps, p):
    row = accurate(study(prompts, wrong_of_heron, wrong_of_plover))
    assert row["swaps"] == swaps and p in (None, row["p"])


@pytest.mark.parametrize(
    ("wrong", "difference", "bounds"),
    [(range(12), 1, (1 - (2 * 0.32136**2) ** 0.5, 1)), (range(0), 0, (-0.32136, 0.32136))],
    ids=["always right and never right", "both always right"],
)
def test_a_difference_without_variation_has_the_bounds_of_the_two_shares(wrong, difference, bounds):
    """Korn-Graubard: lower bound of 12 of 12 is .679 (tests/stats/test_mover.py), upper bound of 0 of 12 .321."""
    row = accurate(study(12, range(0), wrong))
    assert (row["difference"], row["method"]) == (difference, "mover")
    assert (row["low"], row["high"]) == pytest.approx(bounds, abs=1e-5)


def test_a_share_of_100_percent_has_its_own_uncertainty():
    """Heron 12 of 12, Plover 9 of 12: the t bounds are .25 ± 2.201 √(12/11 · 12 · .25 · .75 / 144), MOVER's wider."""
    row = accurate(study(12, range(0), range(3)))
    a, b = korn_graubard(ratio([1] * 12, [1] * 12)), korn_graubard(ratio([0] * 3 + [1] * 9, [1] * 12))
    assert row["low"] == pytest.approx(0.25 - ((1 - a.low) ** 2 + (b.high - 0.75) ** 2) ** 0.5)
    assert row["high"] == pytest.approx(0.25 + (0.75 - b.low))
    half = 2.200985 * (12 / 11 * 12 * 0.25 * 0.75 / 144) ** 0.5
    assert row["method"] == "mover" and row["low"] < 0.25 - half and row["high"] > 0.25 + half


def test_with_fifty_prompts_differences_and_ranks_come_from_the_resamples():
    report = report_of(project_of(two_systems(60)))
    methods = {row.measure: row.method for row in report.comparisons}
    assert methods == {"accurate": "bca", "inaccurate": "bca", "severely_inaccurate": "mover"}
    accurate = next(row for row in report.comparisons if row.measure == "accurate")
    assert accurate.difference == pytest.approx(40 / 60 - 30 / 60)
    assert accurate.low < accurate.difference < accurate.high
    ranks = {(row.measure, row.system): row.rank for row in report.ranks}
    assert (ranks["accurate", "heron"], ranks["accurate", "plover"]) == (1, 2)
    assert (ranks["inaccurate", "heron"], ranks["inaccurate", "plover"]) == (2, 1)
    assert all(1 <= row.low <= row.rank <= row.high <= 2 for row in report.ranks)


@pytest.mark.parametrize(("prompts", "expected"), [(9, "none"), (10, "t")])
def test_with_fewer_than_ten_prompts_in_common_a_difference_is_shown_without_an_interval(prompts, expected):
    rows = [row for row in two_systems(12) if row.system == "heron" or int(row.prompt[1:]) < prompts]
    report = report_of(project_of(rows))
    for row, row_shown in zip(report.comparisons, comparisons_shown(report), strict=True):
        never_severe = row.measure == "severely_inaccurate" and expected == "t"
        assert (row.prompts, row.clusters, row.method) == (prompts, prompts, "mover" if never_severe else "t")
        assert row.low <= row.difference <= row.high and row.p is not None
        assert row_shown == (row if expected == "t" else replace(row, low=None, high=None, method="none"))
    assert any(row_shown.method == expected for row_shown in comparisons_shown(report))


def test_a_single_system_and_few_prompts_have_a_rank_without_bounds():
    report = report_of(project_of([Row("q1", "heron", "ravi", ACCURATE)]))
    assert report.ranks[0] == Rank("accurate", "heron", 1, None, None)
