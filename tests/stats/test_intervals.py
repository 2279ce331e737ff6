"""Closed-form intervals: published values, SciPy and statsmodels as oracles, properties."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

from annotation.stats.intervals import (
    Interval,
    clopper_pearson,
    closed_form,
    degrees_of_freedom,
    effective_n,
    korn_graubard,
    t_bounds,
    wilson,
)
from annotation.stats.proportions import ratio

from .clusters import clustered

SMALL = ratio([2, 1, 3], [2, 4, 4])  # p = .6, se² = .0444, deff = 1.85: see test_proportions
T2 = 0.95 * math.sqrt(2 / 0.0975)  # the 97.5 % quantile of t with 2 degrees of freedom, in closed form


def bounds(interval):
    return interval.low, interval.high


@pytest.mark.parametrize(
    ("k", "n", "score", "exact"),  # Newcombe (1998), table I, methods 3 and 5, to four digits
    [
        (81, 263, (0.2553, 0.3662), (0.2527, 0.3676)),
        (15, 148, (0.0624, 0.1605), (0.0578, 0.1617)),
        (0, 20, (0.0, 0.1611), (0.0, 0.1684)),
        (1, 29, (0.0061, 0.1718), (0.0009, 0.1776)),
    ],
)
def test_wilson_and_clopper_pearson_give_newcombes_published_bounds(k, n, score, exact):
    assert bounds(wilson(k, n)) == pytest.approx(score, abs=5e-5)
    assert bounds(clopper_pearson(k, n)) == pytest.approx(exact, abs=5e-5)


@given(st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), st.sampled_from([0.9, 0.95]))
@settings(max_examples=50)
def test_scipy_gives_the_same_binomial_bounds(counts, level):
    test = binomtest(*counts)
    for ours, method in [(wilson, "wilson"), (clopper_pearson, "exact")]:
        assert bounds(ours(*counts, level)) == pytest.approx(tuple(test.proportion_ci(level, method)), abs=1e-9)


def test_bounds_by_hand():
    half = T2 * math.sqrt(0.0444)
    assert bounds(t_bounds(SMALL.value, SMALL.se, 3)) == pytest.approx((0.6 - half, 0.6 + half), abs=1e-12)
    # 10 / 1.85 * (1.959964 / 4.302653)² = 1.1216
    size = effective_n(SMALL)
    assert size == pytest.approx(10 / 1.85 * (1.959963984540054 / T2) ** 2)
    assert bounds(korn_graubard(SMALL)) == bounds(clopper_pearson(0.6 * size, size))
    even = ratio([1] * 12, [2] * 12)  # every prompt the same: se = 0
    assert even.deff == 0.0
    assert effective_n(even) < 24


def test_nothing_assessed_has_no_interval_but_all_or_no_hits_have_and_a_level_is_a_probability():
    empty = ratio([], [])
    for interval in (wilson(0, 0), clopper_pearson(0, 0), korn_graubard(empty)):
        assert bounds(interval) == (None, None)
    assert closed_form(empty) == Interval(None, None, "none")
    assert t_bounds(None, None, 0) == Interval(None, None, "t")
    for hits in (0, 4):
        low, high = bounds(korn_graubard(ratio([hits] * 20, [4] * 20)))
        assert 0 <= low < high <= 1
        assert (low, high)[hits > 0] == float(hits > 0)  # the bound at the estimate is 0 or 1 exactly
    for level in (0, 1, 95, -0.1):
        with pytest.raises(ValueError, match="between 0 and 1, such as"):
            wilson(1, 2, level)


def test_very_unequal_clusters_have_the_degrees_of_their_effective_number():
    # Up to a CV² of sizes of .5, that is 1.5 clusters for each effective one, all count.
    assert degrees_of_freedom(15, 10.0) == 14
    assert degrees_of_freedom(15, 9.9) == pytest.approx(8.9)
    assert degrees_of_freedom(15, 1.2) == 1
    assert degrees_of_freedom(15) == 14
    # 2 clusters of 9 and 18 of 1: 36² / 180 = 7.2 effective ones, so t of 6.2 degrees and not of 19.
    proportion = ratio([5, 6] + [1, 0] * 9, [9, 9] + [1] * 18)
    assert proportion.effective_clusters == pytest.approx(7.2)
    z, t = 1.959963984540054, 2.427905  # scipy.stats.t.ppf(.975, 6.2)
    assert effective_n(proportion) == pytest.approx(36 / max(1, proportion.deff) * (z / t) ** 2, rel=1e-5)


def test_few_prompts_give_counts_alone_and_agreement_within_prompts_widens():
    assert closed_form(ratio([1] * 9, [2] * 9)) == Interval(None, None, "none")
    assert closed_form(ratio([1] * 10, [2] * 10)).method == "korn-graubard"
    spread = closed_form(ratio([2] * 20, [4] * 20))
    clumped = closed_form(ratio([4, 0] * 10, [4] * 20))
    assert clumped.high - clumped.low > 1.5 * (spread.high - spread.low)


@given(clustered(), st.randoms())
def test_bounds_hold_the_estimate_widen_with_the_level_and_do_not_depend_on_order_or_side(table, random):
    k, n = table
    proportion = ratio(k, n)
    low, high = bounds(korn_graubard(proportion))
    assert 0 <= low <= proportion.value + 1e-12
    assert proportion.value - 1e-12 <= high <= 1
    narrow, wide = korn_graubard(proportion, 0.8), korn_graubard(proportion, 0.99)
    assert wide.low <= narrow.low and narrow.high <= wide.high
    order = random.sample(range(len(k)), len(k))
    assert korn_graubard(ratio(k[order], n[order])) == korn_graubard(proportion)
    assert bounds(korn_graubard(ratio(n - k, n))) == pytest.approx((1 - high, 1 - low), abs=1e-7)
