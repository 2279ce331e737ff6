"""Means over responses in clusters, and correlations with intervals: by hand, against SciPy, and at their edges."""

import math
from dataclasses import dataclass

import numpy as np
import pytest

from annotation.stats.bootstrap import Resamples
from annotation.stats.correlation import kendall_tau_b, pearson, spearman
from annotation.stats.correlation_intervals import correlations
from annotation.stats.means import clustered_mean
from annotation.stats.proportions import cluster_counts, ratio
from tests.stats.clusters import resamples_of


def test_a_mean_by_hand_and_of_zeros_and_ones_as_a_proportion():
    # two prompts with two responses each: cluster sums 1.5 and 0.5, m = 0.5
    mean = clustered_mean([1, 0.5, 0, 0.5], [0, 0, 1, 1])
    assert (mean.value, mean.n, mean.clusters, mean.method) == (0.5, 4, 2, "none")
    assert mean.se == pytest.approx(math.sqrt(2 * (0.5**2 + 0.5**2)) / 4)
    mean = clustered_mean([1, math.nan, 0], [0, 1, 2])
    assert (mean.value, mean.n, mean.clusters) == (0.5, 2, 2)
    assert clustered_mean([math.nan], [0]).value is None
    assert clustered_mean([], []).method == "none"
    generator = np.random.default_rng(4)
    values, clusters = generator.integers(0, 2, 300), generator.integers(0, 60, 300)
    mean, same = clustered_mean(values, clusters), ratio(*cluster_counts(clusters, values, 60))
    assert (mean.value, mean.se) == (same.value, pytest.approx(same.se))


def test_with_ten_clusters_the_interval_is_t_and_with_fifty_the_bootstraps():
    values = np.random.default_rng(5).random(60)
    for clusters, method in ((10, "t"), (60, "bca")):
        mean = clustered_mean(values[:clusters], range(clusters), resamples=Resamples(clusters, 200))
        assert mean.method == method and mean.low < mean.value < mean.high
    assert clustered_mean(values, range(60)).method == "t"


def test_bounds_of_values_from_0_to_1_can_be_on_the_logit_scale():
    """Ten prompts, m = .95 and se = √(10/9 Σ (x − m)²) / 10 = .05: logit(m) ± 2.262 · .05 / (.95 · .05)."""
    values = [1.0] * 9 + [0.5]
    plain, logit = clustered_mean(values, range(10)), clustered_mean(values, range(10), bounded=True)
    assert plain.se == logit.se == pytest.approx(0.05)
    assert (plain.high > 1, plain.method, logit.method) == (True, "t", "logit-t")
    half = 2.2621571628 * 0.05 / (0.95 * 0.05)
    expected = [1 / (1 + math.exp(-(math.log(19) + side * half))) for side in (-1, 1)]
    assert (logit.low, logit.high) == pytest.approx(expected)
    assert clustered_mean(np.ones(10), range(10), bounded=True).method == "none"


@pytest.mark.parametrize("prompts", [30, 60])
def test_means_that_are_alike_give_no_interval_of_no_width(prompts):
    resamples = Resamples(prompts, 200)
    mean = clustered_mean(np.tile([0.1, 0.2, 0.7], prompts), np.repeat(range(prompts), 3), resamples=resamples)
    assert (mean.value, mean.low, mean.high, mean.method) == (pytest.approx(1 / 3), None, None, "none")
    assert clustered_mean(np.ones(prompts), range(prompts), resamples=resamples).method == "none"


def test_bca_bounds_are_those_of_scipy_and_very_unequal_clusters_have_t():
    from scipy.stats import bootstrap

    values = np.random.default_rng(6).random(60)
    indices = np.random.default_rng(7).integers(0, 60, (4_000, 60))
    mean, drawn = clustered_mean(values, range(60), resamples=resamples_of(indices, 60)), values[indices]
    options = {"n_resamples": 0, "bootstrap_result": _Drawn(drawn.mean(axis=1)), "method": "BCa"}
    oracle = bootstrap((values,), np.mean, **options).confidence_interval
    assert (mean.low, mean.high) == pytest.approx((oracle.low, oracle.high), abs=2e-4)
    clusters = np.repeat(range(60), [300] + [1] * 59)
    mean = clustered_mean(np.resize([1, 0, 0.5], 359), clusters, resamples=Resamples(60))
    assert mean.method == "t"
    assert mean.high - mean.value == pytest.approx(12.7062 * mean.se, rel=1e-5)


@dataclass
class _Drawn:
    """What SciPy takes for an earlier result: the distribution that was drawn elsewhere."""

    bootstrap_distribution: np.ndarray


SCORES = np.random.default_rng(8)
X = SCORES.choice([0, 0.25, 0.5, 2 / 3, 1], 80)
Y = np.clip(np.round((X + SCORES.normal(0, 0.4, 80)) * 2) / 2, 0, 1)


def test_the_coefficients_are_those_of_the_two_series_and_whole_clusters_are_drawn():
    coefficients = correlations(X, Y, range(80), resamples=Resamples(80, 200))
    for name, measure in (("pearson", pearson), ("spearman", spearman), ("kendall_tau_b", kendall_tau_b)):
        each = coefficients[name]
        assert each.value == measure(X, Y)
        assert each.method == "bca" and each.low < each.value < each.high
    # forty prompts of two responses that are alike are worth no more than forty responses
    resamples = Resamples(40, 200)
    twice = correlations(*(np.repeat(series, 2) for series in (X[:40], Y[:40], range(40))), resamples=resamples)
    once = correlations(X[:40], Y[:40], range(40), resamples=resamples)["pearson"]
    assert (twice["pearson"].low, twice["pearson"].high) == pytest.approx((once.low, once.high), abs=1e-9)


def test_scipy_gives_the_same_coefficient_in_every_resample():
    from scipy import stats

    from annotation.stats import correlation_intervals as own

    indices = np.random.default_rng(9).integers(0, 80, (50, 80))
    pairs = own._pairs(X, Y, np.arange(80), 80)
    weights = np.asarray(resamples_of(indices, 80).weights, dtype=float)
    drawn = own._replicates(weights @ pairs.counts, pairs)
    oracles = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall_tau_b": stats.kendalltau}
    for name, oracle in oracles.items():
        assert drawn[name] == pytest.approx([oracle(X[row], Y[row])[0] for row in indices], abs=1e-4), name


def test_series_that_go_together_in_every_resample_few_clusters_and_constant_series_have_no_interval():
    for y in (1 - X, 0.3 * X + 0.1):
        coefficients = correlations(X, y, range(80), resamples=Resamples(80, 200))
        assert {(each.low, each.high, each.method) for each in coefficients.values()} == {(None, None, "none")}
    assert correlations(X[:9], Y[:9], range(9), resamples=Resamples(9))["pearson"].method == "none"
    assert correlations(np.ones(20), Y[:20], range(20), resamples=Resamples(20))["spearman"].value is None
    gaps = np.where(np.arange(80) % 2, X, math.nan)
    assert correlations(gaps, Y, range(80))["pearson"].value == pearson(X[1::2], Y[1::2])
    assert correlations([], [], [])["kendall_tau_b"].value is None
