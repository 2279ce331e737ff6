"""MOVER: the published example of Newcombe (1998), and two systems that never vary."""

import pytest

from annotation.stats.intervals import Interval, korn_graubard, wilson
from annotation.stats.mover import mover, mover_of_ratios
from annotation.stats.proportions import ratio


@pytest.mark.parametrize(
    ("k_a", "n_a", "k_b", "n_b", "low", "high"),
    [
        (56, 70, 48, 80, 0.0524, 0.3339),
        (9, 10, 3, 10, 0.1705, 0.8090),
        (10, 10, 0, 20, 0.6791, 1.0000),
        (10, 10, 0, 10, 0.6075, 1.0000),
    ],
)
def test_with_wilsons_intervals_it_is_newcombes_method_10(k_a, n_a, k_b, n_b, low, high):
    """Newcombe (1998), Statistics in Medicine 17, 873-890, table II, examples (a), (b), (g), (h)."""
    bounds = mover(k_a / n_a, wilson(k_a, n_a), k_b / n_b, wilson(k_b, n_b))
    assert (bounds.low, bounds.high) == pytest.approx((low, high), abs=5e-5)


def test_systems_that_are_always_or_never_right():
    always = ratio([1] * 12, [1] * 12)
    bounds = mover_of_ratios(always, always)
    lowest = 0.025 ** (1 / (12 * (1.959964 / 2.200985) ** 2))
    assert (bounds.low, bounds.high, bounds.method) == (
        pytest.approx(lowest - 1, abs=1e-4), pytest.approx(1 - lowest, abs=1e-4), "mover"
    )  # fmt: skip
    assert korn_graubard(always).low == pytest.approx(lowest, abs=1e-4)
    bounds = mover_of_ratios(ratio([2] * 12, [2] * 12), ratio([0] * 12, [2] * 12))
    assert 0 < bounds.low < bounds.high == 1
    assert mover(1.0, Interval(None, None, "none"), 0.0, wilson(0, 9)) == Interval(None, None, "none")
    assert mover_of_ratios(ratio([0], [0]), ratio([1], [1])) == Interval(None, None, "none")


def test_observations_count_once_whatever_their_unit():
    """Twelve values of 0 and of 0 or 1, in eighths, are as uncertain as twelve misses and as such hits and misses."""
    hits = [0] * 9 + [1] * 3
    in_eighths = mover_of_ratios(ratio([0] * 12, [8] * 12), ratio([8 * hit for hit in hits], [8] * 12), unit=8)
    counted = mover_of_ratios(ratio([0] * 12, [1] * 12), ratio(hits, [1] * 12))
    assert (in_eighths.low, in_eighths.high) == pytest.approx((counted.low, counted.high))
    assert counted.low < -0.25 < 0 < counted.high
