"""Spearman's coefficient in every resample, from responses in order, against SciPy and against tables of pairs."""

import numpy as np
import pytest
from scipy.stats import spearmanr

from annotation.stats import correlation_intervals as intervals
from annotation.stats.bootstrap import FixedResamples, Resamples, stored
from annotation.stats.rank_replicates import RankedResponses
from tests.stats.clusters import resamples_of

DRAWN = np.random.default_rng(3)
CLUSTERS = 40
CLUSTER = np.repeat(range(CLUSTERS), 3)
X = DRAWN.random(120)
YS = np.stack([np.round(X + DRAWN.normal(0, 0.3, 120), 1), DRAWN.random(120), DRAWN.integers(0, 2, 120)])
INDICES = DRAWN.integers(0, CLUSTERS, (60, CLUSTERS))


@pytest.mark.parametrize("x", [X, np.round(X, 1)], ids=["no ties", "ties"])
def test_scipy_and_tables_of_pairs_give_the_same_coefficients_and_intervals(x, monkeypatch):
    found = RankedResponses.sort(x, YS, CLUSTER).spearman(resamples_of(INDICES, CLUSTERS).weights)
    for row, y in zip(found, YS, strict=True):
        drawn = [np.concatenate([np.flatnonzero(cluster == CLUSTER) for cluster in indices]) for indices in INDICES]
        assert row == pytest.approx([spearmanr(x[each], y[each]).statistic for each in drawn], abs=1e-12)
    resamples = Resamples(CLUSTERS, 400)
    tables = [intervals.correlations(x, y, CLUSTER, resamples=resamples) for y in YS]
    monkeypatch.setattr(intervals, "MAX_PAIRS", 10)
    ranked = intervals.correlations_with_each(x, YS, CLUSTER, resamples=resamples)
    for own, table in zip(ranked, tables, strict=True):
        assert (own["pearson"], own["spearman"]) == (table["pearson"], table["spearman"])
        assert own["spearman"].low < own["spearman"].value < own["spearman"].high


def test_slices_of_few_resamples_give_the_same_and_a_series_that_is_constant_in_one_has_no_coefficient(monkeypatch):
    responses, weights = RankedResponses.sort(X, YS, CLUSTER), resamples_of(INDICES, CLUSTERS).weights
    whole = responses.spearman(weights)
    monkeypatch.setattr("annotation.stats.rank_replicates.MAX_SLICE", 7)
    assert np.array_equal(responses.spearman(weights), whole)
    without = np.concatenate(list(responses.without_each(CLUSTERS)))
    assert np.array_equal(without, 1 - np.eye(CLUSTERS))
    y = np.where(CLUSTER == 0, 1.0, 0.0)
    weights = np.stack([np.ones(CLUSTERS), np.arange(CLUSTERS) > 0]).astype(np.float32)
    assert np.isnan(RankedResponses.sort(X, y[None], CLUSTER).spearman(weights)).tolist() == [[False, True]]


def test_stored_resamples_are_those_that_are_drawn(monkeypatch):
    drawn = Resamples(30, 500, seed=5)
    weights = np.concatenate(list(drawn.blocks()))
    assert stored(drawn) is drawn
    monkeypatch.setattr("annotation.stats.bootstrap.BLOCK", 3_000)
    kept = stored(drawn)
    assert isinstance(kept, FixedResamples)
    assert kept.weights.dtype == np.uint8
    assert [len(block) for block in kept.blocks()] == [100] * 5
    assert np.array_equal(np.concatenate(list(kept.blocks())), weights)
    monkeypatch.setattr("annotation.stats.bootstrap.MAX_STORED", 10_000)
    assert stored(drawn) is drawn
