"""The tests between systems: whether a difference is called significant does not hang on the seed."""

import pytest

from annotation.models import Project
from annotation.reporting import Choices, build
from annotation.stats.intervals import korn_graubard
from annotation.stats.proportions import ratio
from annotation.stats.swap_tests import simulation_error, swap_p
from tests.cast import ACCURATE, SEVERE
from tests.reporting.project_rows import Row, project_of

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


@pytest.mark.parametrize("better", [5, 20])
def test_a_p_far_from_it_is_not(better):
    assert accurate(study(40, range(better, better + 4), range(better)))["swaps"] == 1_000


def test_an_exact_test_draws_none():
    row = accurate(study(12, range(0), range(6)))
    assert (row["swaps"], row["p"]) == (None, 2 / 2**6)


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
