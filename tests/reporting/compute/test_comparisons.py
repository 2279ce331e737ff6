"""The tests between systems: whether a difference is called significant does not hang on the seed."""

import pytest

from annotation.reporting import Choices, build
from annotation.reporting.compute.significance import comparisons_shown
from annotation.stats.intervals import korn_graubard
from annotation.stats.proportions import ratio
from annotation.stats.swap_tests import simulation_error, swap_p
from tests.cast import ACCURATE, SEVERE
from tests.reporting.project_rows import Row, project_of

pytestmark = pytest.mark.django_db

PROMPTS, BETTER, WORSE = 40, 13, 4


def study(better: int = BETTER, worse: int = WORSE):
    """Create one sentence a response: only Heron is right on `better` prompts, only Plover on `worse` ones."""

    def answer_of(system: str, n: int) -> dict:
        wrong = n < better if system == "plover" else better <= n < better + worse
        return SEVERE if wrong else ACCURATE

    return project_of(
        Row(f"q{n:02}", system, "ravi", answer_of(system, n)) for n in range(PROMPTS) for system in ("heron", "plover")
    )


def accurate(project, **choices) -> dict:
    rows = build(project, Choices(resamples=1_000, **choices)).to_dict()["comparisons"]
    return next(row for row in rows if row["measure"] == "accurate")


def test_a_p_near_the_threshold_is_drawn_again_with_more_swaps():
    # 13 against 4 of 17 that differ: the sign test's p is .049
    row = accurate(study())
    heron, plover = (
        [int(not (n < BETTER)) for n in range(PROMPTS)],
        [int(not (BETTER <= n < BETTER + WORSE)) for n in range(PROMPTS)],
    )
    ones = [1] * PROMPTS
    assert row["swaps"] == 10_000
    assert row["p"] == swap_p(plover, ones, heron, ones, draws=10_000) == row["p_holm"]
    assert abs(row["p"] - 0.049) < 4 * simulation_error(0.049, PROMPTS, 10_000)


@pytest.mark.parametrize("better", [5, 20])
def test_a_p_far_from_it_is_not(better):
    assert accurate(study(better))["swaps"] == 1_000


def test_seeds_differ_less_than_they_did():
    project = study()
    errors = [abs(accurate(project, seed=seed)["p"] - 0.049) for seed in range(1, 6)]
    assert max(errors) < simulation_error(0.049, PROMPTS, 1_000)


def test_an_exact_test_draws_none():
    project = project_of(
        Row(f"q{n}", system, "ravi", SEVERE if system == "plover" and n < 6 else ACCURATE)
        for n in range(12)
        for system in ("heron", "plover")
    )
    row = accurate(project)
    assert (row["swaps"], row["p"]) == (None, 2 / 2**6)


def one_sided(prompts: int, wrong: dict = SEVERE) -> list[Row]:
    """Return ratings of Heron, always right, and Plover, never right or always."""
    return [
        Row(f"q{n:02}", system, "ravi", answers)
        for n in range(prompts)
        for system, answers in (("heron", ACCURATE), ("plover", wrong))
    ]


def test_a_difference_without_variation_has_the_bounds_of_the_two_shares():
    """Korn-Graubard: lower bound of 12 of 12 is .679 (tests/stats/test_mover.py), upper bound of 0 of 12 .321."""
    row = accurate(project_of(one_sided(12)))
    assert row["difference"] == 1 == row["high"]
    assert row["low"] == pytest.approx(1 - (2 * 0.32136**2) ** 0.5, abs=1e-5)
    assert row["method"] == "mover"


def test_two_systems_that_are_always_right_may_differ_by_what_the_data_leave_open():
    row = accurate(project_of(one_sided(12, ACCURATE)))
    assert row["difference"] == 0
    assert (row["low"], row["high"]) == pytest.approx((-0.32136, 0.32136), abs=1e-5)


def test_a_share_of_100_percent_has_its_own_uncertainty():
    """Heron 12 of 12, Plover 9 of 12: the t bounds are .25 ± 2.201 √(12/11 · 12 · .25 · .75 / 144), MOVER's wider."""
    rows = [row for row in one_sided(12, ACCURATE) if row.system == "heron" or row.prompt not in ("q00", "q01", "q02")]
    row = accurate(project_of([*rows, *(Row(f"q{n:02}", "plover", "ravi", SEVERE) for n in range(3))]))
    a, b = korn_graubard(ratio([1] * 12, [1] * 12)), korn_graubard(ratio([0] * 3 + [1] * 9, [1] * 12))
    assert row["low"] == pytest.approx(0.25 - ((1 - a.low) ** 2 + (b.high - 0.75) ** 2) ** 0.5)
    assert row["high"] == pytest.approx(0.25 + (0.75 - b.low))
    assert row["method"] == "mover"
    half = 2.200985 * (12 / 11 * 12 * 0.25 * 0.75 / 144) ** 0.5
    assert row["low"] < 0.25 - half and row["high"] > 0.25 + half


def test_on_fewer_than_ten_prompts_tables_show_no_bounds():
    report = build(project_of(one_sided(9)), Choices(resamples=200))
    assert all(row.method != "mover" for row in report.comparisons)
    assert all(row.low is None for row in comparisons_shown(report))
