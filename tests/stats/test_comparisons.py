"""Paired comparisons: small tables by hand, libraries as oracles, properties."""

import dataclasses
import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.stats import comparisons
from annotation.stats.bootstrap import Resamples, percentile, replicates
from annotation.stats.comparisons import common_clusters, compare_measures, compare_pairs, holm
from annotation.stats.quantiles import t_quantile
from tests.stats.clusters import paired_difference, two_systems

P_VALUES = st.lists(st.floats(0, 1) | st.sampled_from([0.01, 0.02, 0.05]), min_size=1, max_size=12)


def test_a_worked_example_by_hand():
    # three prompts with two ratings of each system: a has 2, 2, 1 accurate, b has 0, 1, 1
    difference = paired_difference([2, 2, 1], [2, 2, 2], [0, 1, 1], [2, 2, 2])
    # 5/6 - 2/6 = 1/2; by prompt 2/6, 1/6, 0 around their mean 1/6: squares 2/36, times 3/2
    assert difference.difference == 0.5
    assert difference.se == pytest.approx(math.sqrt(3 / 2 * 2 / 36), abs=1e-15)
    # equal sizes: T grows with the difference; swaps of the first two prompts give 1/2 twice, 1/6 twice: 2 of 4
    assert difference.p == 0.5
    assert difference.p_holm == 0.5
    t2 = 0.95 * math.sqrt(2 / 0.0975)
    assert (difference.low, difference.high) == pytest.approx(
        (0.5 - t2 * difference.se, 0.5 + t2 * difference.se), abs=1e-12
    )


def test_only_common_prompts_are_compared_and_without_them_there_is_no_evidence():
    difference = paired_difference([2, 2, 1, 9], [2, 2, 2, 9], [0, 1, 1, 0], [2, 2, 2, 0])
    assert difference == paired_difference([2, 2, 1], [2, 2, 2], [0, 1, 1], [2, 2, 2])
    assert common_clusters([1, 0, 2], [1, 1, 0]).tolist() == [True, False, False]
    difference = paired_difference([1, 0], [1, 0], [0, 1], [0, 1])
    assert difference.clusters == 0
    assert {getattr(difference, name) for name in ("difference", "se", "low", "high", "p")} == {None}
    difference = paired_difference([1], [1], [0], [1])
    assert (difference.difference, difference.se, difference.low, difference.p) == (1.0, None, None, 1.0)
    k, n = np.array([1, 2, 0, 3]), np.array([2, 3, 1, 3])
    difference = paired_difference(k, n, k, n)
    assert (difference.difference, difference.se, difference.p) == (0.0, 0.0, 1.0)


def test_statsmodels_gives_the_same_error_of_a_difference():
    import statsmodels.api as sm

    generator = np.random.default_rng(4)
    prompt, system = generator.integers(0, 30, 500), generator.integers(0, 2, 500)
    hits = generator.random(500) < generator.random(30)[prompt] * (0.7 + 0.3 * system)
    k, n = np.zeros((2, 30), dtype=int), np.zeros((2, 30), dtype=int)
    np.add.at(n, (system, prompt), 1)
    np.add.at(k, (system, prompt), hits)
    difference = paired_difference(k[1], n[1], k[0], n[0])
    assert difference.clusters == 30
    # the same model with G/(G-1) only: statsmodels has (N-1)/(N-K) more, K = 2
    oracle = sm.OLS(hits.astype(float), sm.add_constant(system)).fit(cov_type="cluster", cov_kwds={"groups": prompt})
    assert difference.difference == pytest.approx(oracle.params[1], abs=1e-12)
    assert difference.se * math.sqrt(499 / 498) == pytest.approx(oracle.bse[1], abs=1e-12)


def test_all_pairs_are_adjusted_together_and_too_few_keep_the_closed_form():
    k = np.array([[1] * 8, [1] * 5 + [0] * 3, [0] * 8])
    n = np.ones((3, 8), dtype=int)
    differences = compare_pairs(k, n)
    assert [(pair.a, pair.b) for pair in differences] == [(0, 1), (0, 2), (1, 2)]
    # 3, 8 and 5 prompts differ, all in one direction: p = 1/4, 1/128, 1/16
    assert [pair.p for pair in differences] == [2 / 2**3, 2 / 2**8, 2 / 2**5]
    assert [pair.p_holm for pair in differences] == [1 / 4, 3 / 128, 2 / 16]
    for systems in (0, 1):
        assert compare_pairs(np.ones((systems, 4), dtype=int), np.ones((systems, 4), dtype=int)) == []
    k, n = many_prompts(49)
    assert {pair.method for pair in compare_pairs(k, n, resamples=Resamples(49, 100))} == {"t"}


def many_prompts(prompts=60):
    generator = np.random.default_rng(8)
    n = generator.integers(1, 9, (3, prompts))
    return generator.binomial(n, generator.beta(2, 2, prompts)), n


def test_intervals_of_differences_come_from_the_shared_resamples():
    k, n = many_prompts()
    resamples = Resamples(60, 2000)
    difference = compare_pairs(k, n, resamples=resamples)[0]
    drawn = replicates(k, n, resamples)
    rough = percentile(drawn[0] - drawn[1])
    assert difference.method == "bca"
    assert (difference.low, difference.high) == pytest.approx((rough.low, rough.high), abs=0.02)
    assert difference.p == compare_pairs(k, n)[0].p


def test_a_pair_with_prompts_of_its_own_is_drawn_on_the_common_ones():
    k, n = many_prompts(62)
    k[0, 0] = n[0, 0] = k[1, 1] = n[1, 1] = 0
    inside = n.copy()
    inside[:, :2] = 0
    resamples = Resamples(62, 500)
    first = compare_pairs(k, n, resamples=resamples)[0]
    assert first.method == "bca" and first.clusters == 60
    same = compare_pairs((k * (inside > 0))[:2], inside[:2], resamples=resamples)[0]
    assert (first.low, first.high) == (same.low, same.high)


def test_many_pairs_or_measures_at_once_are_the_same_as_few(monkeypatch):
    k, n = many_prompts()
    lacking = n.copy()
    lacking[1, :8] = 0
    tables = [(k, n), (n - k, n), (k * (lacking > 0), lacking), (k[:1], n[:1])]
    options = {"resamples": Resamples(60, 200), "draws": 300}
    together = compare_measures(tables, **options, seed=3)
    assert together == [compare_pairs(*table, **options, seed=3) for table in tables]
    assert [len(rows) for rows in together] == [3, 3, 3, 0]
    assert compare_measures([]) == []
    k, n = np.concatenate([k, k[::-1]]), np.concatenate([n, n[::-1]])
    whole = compare_pairs(k, n, **options)
    monkeypatch.setattr(comparisons, "PAIRS_PER_CHUNK", 4)
    assert compare_pairs(k, n, **options) == whole


@pytest.mark.parametrize("size", [3, 7])
def test_a_difference_that_no_draw_changes_is_not_resampled(size):
    """Shares vary from prompt to prompt, their difference does not: replicates differ by rounding only."""
    fewer = np.random.default_rng(3).integers(0, size, 60)
    pair = compare_pairs([fewer + 1, fewer], np.full((2, 60), size), resamples=Resamples(60, 500))[0]
    assert (pair.method, pair.se) == ("t", 0) and pair.low == pair.high == pytest.approx(1 / size)


def test_unequal_responses_have_fewer_degrees_and_holm_by_hand():
    k, n = many_prompts()
    n[0] = np.array([20] * 10 + [4] * 50)
    k[0] = n[0] // 2
    pair, _, equal = compare_pairs(k, n, resamples=Resamples(60, 100))
    half = t_quantile(0.975, 400**2 / 4800 - 1) * pair.se
    assert (pair.low, pair.high) == pytest.approx((pair.difference - half, pair.difference + half))
    assert (pair.method, equal.method) == ("t", "bca")
    p = [0.01, 0.04, 0.03]
    assert holm(p) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.02, None, 0.03]) == pytest.approx([0.04, None, 0.04])
    assert holm([None]) == [None]
    assert holm([]) == []


def test_statsmodels_gives_the_same_adjusted_p():
    from statsmodels.stats.multitest import multipletests  # before the property: Hypothesis traces what runs in it

    @given(P_VALUES)
    @settings(max_examples=50)
    def check(p):
        assert holm(p) == pytest.approx(multipletests(p, method="holm")[1].tolist(), abs=1e-12)

    check()


@given(two_systems(), st.randoms())
@settings(deadline=None, max_examples=60)
def test_neither_the_order_of_prompts_nor_of_systems_matters_and_results_go_to_json(table, random):
    difference = paired_difference(*table)
    order = random.sample(range(table.shape[1]), table.shape[1])
    assert paired_difference(*table[:, order]) == difference
    other = paired_difference(*table[[2, 3, 0, 1]])
    assert (other.difference, other.se, other.p) == (-difference.difference, difference.se, difference.p)
    fields = dataclasses.asdict(difference)
    assert json.loads(json.dumps(fields, allow_nan=False)) == fields
