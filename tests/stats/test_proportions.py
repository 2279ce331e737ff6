"""Proportions over clusters: small tables worked out by hand, statsmodels as an oracle, properties."""

import dataclasses
import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from annotation.stats.proportions import (
    Ratio,
    cluster_counts,
    count_table,
    effective_clusters,
    ratio,
    ratios,
    share,
    shares,
)

from .clusters import clustered

# Three prompts with 2, 4 and 4 assessed ratings, of which 2, 1 and 3 are Accurate: p = 6/10.
K, N = [2, 1, 3], [2, 4, 4]


def test_a_worked_example_and_its_intraclass_correlation_by_hand():
    proportion = ratio(K, N)
    # residuals k - p n: 2-1.2, 1-2.4, 3-2.4 = .8, -1.4, .6; squares .64 + 1.96 + .36 = 2.96
    # variance = 3/2 * 2.96 / 10² = .0444; deff = .0444 / (.6 * .4 / 10) = 1.85
    assert proportion.value == 0.6
    assert (proportion.k, proportion.n, proportion.clusters) == (6, 10, 3)
    assert proportion.se == pytest.approx(math.sqrt(0.0444), abs=1e-15)
    assert proportion.deff == pytest.approx(1.85, abs=1e-14)
    # sum k²/n = 4/2 + 1/4 + 9/4 = 4.5; between = (4.5 - 36/10)/2 = .45; within = (6 - 4.5)/7 = 3/14
    # m0 = (10 - (4+16+16)/10)/2 = 3.2; icc = (.45 - 3/14) / (.45 + 2.2 * 3/14)
    assert ratio(K, N).icc == pytest.approx((0.45 - 3 / 14) / (0.45 + 2.2 * 3 / 14), abs=1e-15)
    assert ratio([2, 0, 1, 3], [2, 0, 4, 4]) == ratio(K, N)


@pytest.mark.parametrize(
    ("k", "n", "expected"),
    [
        *((zeros, zeros, Ratio(None, 0, 0, 0, None, None, None)) for zeros in ([], [0], [0, 0])),
        ([3], [4], Ratio(0.75, 3, 4, 1, None, None, None, effective_clusters=1.0)),  # one prompt has no error
        ([0, 0, 0], N, Ratio(0.0, 0, 10, 3, 0.0, None, None, effective_clusters=100 / 36)),  # no spread: an error of 0
        ([2, 4, 4], N, Ratio(1.0, 10, 10, 3, 0.0, None, None, effective_clusters=100 / 36)),
    ],
)
def test_without_ratings_prompts_or_spread_some_figures_are_undefined(k, n, expected):
    assert ratio(k, n) == expected


def test_what_clusters_are_worth_how_alike_they_are_and_many_cells_at_once():
    assert effective_clusters(np.array([5, 5, 5, 5])) == 4
    assert effective_clusters(np.array([8, 2, 2, 0])) == 2
    assert effective_clusters(np.array([0, 0])) == 0
    assert ratio([1, 1, 1], [8, 2, 2]).effective_clusters == 2
    proportion = ratio([5, 0, 5, 0], [5, 5, 5, 5])
    assert proportion.icc == 1.0
    assert proportion.deff == pytest.approx(5 * 4 / 3)  # cluster size, times C/(C-1)
    k = np.array([K, [0, 0, 0], [1, 0, 2]])
    n = np.array([N, [0, 0, 0], [1, 0, 3]])
    assert ratios(k, n) == [ratio(a, b) for a, b in zip(k, n, strict=True)]


def test_statsmodels_gives_the_same_standard_errors():
    import statsmodels.api as sm

    generator = np.random.default_rng(3)
    prompt, rater = generator.integers(0, 25, 400), generator.integers(0, 8, 400)
    hits = (generator.random(400) < (generator.random(25)[prompt] + generator.random(8)[rater]) / 2).astype(int)
    model = sm.OLS(hits.astype(float), np.ones(400))
    proportion = ratio(*cluster_counts(prompt, hits, 25))
    # cov_type cluster has G/(G-1) * (N-1)/(N-K) for K = 1 constant, which is G/(G-1)
    oracle = model.fit(cov_type="cluster", cov_kwds={"groups": prompt})
    assert (proportion.value, proportion.se) == pytest.approx((oracle.params[0], oracle.bse[0]), abs=1e-12)


def test_what_is_missing_is_not_counted():
    assert count_table([0, 0, 1, -1, 1], [1, 1, 0, 0, -1], (2, 2)).tolist() == [[0, 2], [1, 0]]
    k, n = cluster_counts([0, 0, 2, -1], [True, False, True, True], 3)
    assert (k.tolist(), n.tolist()) == ([1, 0, 1], [2, 0, 1])
    assert shares([1, 3, 0]) == [0.25, 0.75, 0.0]
    assert shares([0, 0]) == [None, None]
    assert share(0, 0) is None


@pytest.mark.parametrize(
    ("function", "arguments", "words"),
    [
        (ratio, ([3], [2]), "not between 0 and n at position"),
        (ratio, ([-1], [2]), "not between 0 and n at position"),
        (ratio, ([0.5], [2]), "not whole"),
        (ratio, ([1, 2], [2]), "same clusters"),
        (ratios, ([1], [2]), "cells x clusters"),
        (count_table, ([0, 1], [0], (2, 2)), "one of each"),
        (count_table, ([2], [0], (2, 2)), "larger shape"),
    ],
)
def test_bad_counts_are_refused_with_the_reason(function, arguments, words):
    with pytest.raises(ValueError, match=words):
        function(*arguments)


@given(clustered(), st.randoms(), st.integers(2, 50))
def test_neither_order_nor_repetition_changes_a_proportion_nor_mirroring_its_error(table, random, factor):
    k, n = table
    once = ratio(k, n)
    order = random.sample(range(len(k)), len(k))
    assert ratio(k[order], n[order]) == once, "to the last digit"
    # the prompt is the unit of chance: ten times the ratings that say the same teach nothing new
    often = ratio(k * factor, n * factor)
    assert often.value == once.value
    assert [often.se, ratio(n - k, n).se] == pytest.approx([once.se] * 2, abs=1e-12)
    assert json.loads(json.dumps(dataclasses.asdict(once), allow_nan=False))["n"] == int(n.sum())


@given(arrays(np.int64, (3, 6), elements=st.integers(0, 10**6)))
@settings(max_examples=50)
def test_large_counts_stay_exact(n):
    k = n // 3
    for row, a, b in zip(ratios(k, n), k, n, strict=True):
        used = b > 0
        if used.sum() >= 2:
            residual = a[used] - a.sum() / b.sum() * b[used]
            expected = math.sqrt(used.sum() / (used.sum() - 1) * (residual**2).sum()) / b.sum()
            assert row.se == pytest.approx(expected, rel=1e-6, abs=1e-12)
