"""Rank correlation over systems, against SciPy on the means, and against resampling by hand."""

import numpy as np
import pytest
from scipy.stats import kendalltau, spearmanr

from annotation.stats.bootstrap import FixedResamples, Resamples, bca
from annotation.stats.system_correlations import system_correlations

SYSTEMS, PROMPTS = 5, 12


def study(seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return x, y, system and cluster of a response of each system to each prompt."""
    generator = np.random.default_rng(seed)
    system, cluster = np.tile(np.arange(SYSTEMS), PROMPTS), np.repeat(np.arange(PROMPTS), SYSTEMS)
    x = system + generator.normal(size=system.size)
    y = np.round(system / 3 + generator.normal(size=system.size))
    return x, y, system, cluster


def means_of(values: np.ndarray, system: np.ndarray, weights: np.ndarray) -> list[float]:
    return [np.average(values[system == each], weights=weights[system == each]) for each in np.unique(system)]


@pytest.mark.parametrize("seed", range(3))
def test_values_are_scipys_of_the_means_without_pairs_with_an_undefined_value(seed):
    x, y, system, cluster = study(seed)
    found = system_correlations(x, y, system, cluster)
    by_system = [means_of(values, system, np.ones(x.size)) for values in (x, y)]
    assert found["spearman"].value == pytest.approx(spearmanr(*by_system).statistic, abs=1e-12)
    assert found["kendall_tau_b"].value == pytest.approx(kendalltau(*by_system).statistic, abs=1e-12)
    assert found["spearman"].method == "none" and found["spearman"].low is None
    nothing = [[np.nan, 1.0], [1.0, np.nan], [0, 1], [0, 1]]
    columns = (x, y, system, cluster)
    assert system_correlations(*map(np.append, columns, nothing)) == found


def test_bounds_are_those_of_resampled_clusters():
    x, y, system, cluster = study(1)
    weights = np.random.default_rng(2).multinomial(PROMPTS, [1 / PROMPTS] * PROMPTS, size=150)
    found = system_correlations(x, y, system, cluster, resamples=FixedResamples(weights.astype(np.float32)))

    def coefficients(row: np.ndarray) -> tuple[float, float]:
        of_response = row[cluster]
        by_system = [means_of(values, system, of_response) for values in (x, y)]
        return spearmanr(*by_system).statistic, kendalltau(*by_system).statistic

    drawn = np.array([coefficients(row) for row in weights])
    left_out = np.array([coefficients(1.0 - np.eye(PROMPTS)[c]) for c in range(PROMPTS)])
    for number, name in enumerate(("spearman", "kendall_tau_b")):
        expected = bca(drawn[:, number], found[name].value, left_out[:, number])
        assert (found[name].low, found[name].high) == pytest.approx((expected.low, expected.high), abs=1e-9)
        assert found[name].method == "bca"


def test_two_systems_equal_means_and_few_clusters_leave_figures_undefined():
    x, _, system, cluster = columns = study(4)

    def found(*columns):
        return system_correlations(*columns, resamples=Resamples(PROMPTS, 100)).values()

    two_systems, few_clusters = ([column[rows] for column in columns] for rows in (system < 2, cluster < 9))
    assert [(each.value, each.method) for each in found(*two_systems)] == [(None, "none")] * 2
    assert [each.value for each in found([], [], [], [])] == [None, None]
    assert [each.value for each in found(x, np.full(x.size, 0.1), system, cluster)] == [None, None]
    assert all(each.value is not None and each.low is None for each in found(*few_clusters))
