"""The cluster bootstrap of Dawid and Skene's class shares."""

import numpy as np
import pytest

from annotation.stats.bootstrap import FixedResamples, Resamples, percentile
from annotation.stats.dawid_skene import dawid_skene
from annotation.stats.dawid_skene_bootstrap import (
    MAX_RESAMPLES,
    MIN_RESAMPLES,
    affordable_resamples,
    answer_patterns,
    class_share_replicates,
)
from tests.stats.clusters import resamples_of

CLUSTERS, PER_CLUSTER, RATERS = 40, 6, 4


def study(seed: int = 3) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return items, raters, labels and the cluster of each item: two labels, the last rater often wrong."""
    rng = np.random.default_rng(seed)
    cluster = np.repeat(np.arange(CLUSTERS), PER_CLUSTER)
    true = (rng.random(len(cluster)) < rng.beta(3, 2, CLUSTERS)[cluster]).astype(int)
    item = np.repeat(np.arange(len(cluster)), RATERS)
    rater = np.tile(np.arange(RATERS), len(cluster))
    wrong = rng.random(len(item)) < np.array([0.05, 0.1, 0.1, 0.4])[rater]
    return item, rater, np.where(wrong, 1 - true[item], true[item]), cluster


SHAPE = (CLUSTERS * PER_CLUSTER, RATERS, 2)


def test_items_with_the_same_answers_are_one_pattern():
    """Items 0 and 2 have label 1 by rater 0 and label 0 by rater 1: codes 1 and 2; item 1 has label 1 by rater 1."""
    patterns = answer_patterns([0, 0, 1, 2, 2], [0, 1, 1, 1, 0], [1, 0, 1, 0, 1], (3, 2, 2))
    assert patterns.of_item.tolist() == [0, 1, 0]
    assert [column.tolist() for column in patterns.codes] == [[1, 3], [2]]
    assert (len(patterns), patterns.answers) == (2, 3)


def test_a_resample_without_an_item_is_undefined():
    start = dawid_skene([0, 0], [0, 1], [0, 1], (1, 2, 2))
    only_the_other = resamples_of([[1, 1]], 2)
    patterns = answer_patterns([0, 0], [0, 1], [0, 1], (1, 2, 2))
    assert np.isnan(class_share_replicates(patterns, (1, 2, 2), [0], start, only_the_other)).all()


def test_a_resample_is_the_model_of_the_items_that_it_draws():
    """Clusters drawn twice give each of their items twice; EM from the votes of these items gives the same shares."""
    item, rater, label, cluster = study()
    start, patterns = dawid_skene(item, rater, label, SHAPE), answer_patterns(item, rater, label, SHAPE)
    indices = np.random.default_rng(5).integers(0, CLUSTERS, CLUSTERS)
    resamples = resamples_of([range(CLUSTERS), indices], CLUSTERS)
    drawn = class_share_replicates(patterns, SHAPE, cluster, start, resamples)
    assert drawn[:, 0] == pytest.approx(start.class_shares, abs=1e-6), "every cluster once"
    rows = [np.flatnonzero(cluster[item] == each) for each in indices]
    copies = np.concatenate([item[row] % PER_CLUSTER + place * PER_CLUSTER for place, row in enumerate(rows)])
    answers = np.concatenate(rows)
    again = dawid_skene(copies, rater[answers], label[answers], SHAPE, iterations=500)
    assert drawn[:, 1] == pytest.approx(again.class_shares, abs=1e-4)


def test_the_interval_is_as_wide_as_that_of_true_shares_and_many_answers_do_not_vanish():
    item, rater, label, cluster = study()
    start, patterns = dawid_skene(item, rater, label, SHAPE), answer_patterns(item, rater, label, SHAPE)
    drawn = class_share_replicates(patterns, SHAPE, cluster, start, Resamples(CLUSTERS, 200, 1))
    bounds = percentile(drawn[1])
    assert bounds.low < start.class_shares[1] < bounds.high
    assert 0.05 < bounds.high - bounds.low < 0.25
    assert drawn.sum(axis=0) == pytest.approx(np.ones(200))
    item, rater, label = np.repeat([0, 1], 40), np.tile(np.arange(40), 2), np.repeat([0, 1], 40)
    shape = (2, 40, 2)
    start = dawid_skene(item, rater, label, shape)
    once = FixedResamples(np.ones((1, 2), dtype=np.float32))
    drawn = class_share_replicates(answer_patterns(item, rater, label, shape), shape, [0, 1], start, once)
    assert drawn[:, 0] == pytest.approx([0.5, 0.5])


def test_large_studies_have_fewer_resamples_and_very_large_ones_none():
    item, rater, label, _ = study()
    patterns = answer_patterns(item, rater, label, SHAPE)
    assert affordable_resamples(patterns, 2, 10_000) == MAX_RESAMPLES
    assert affordable_resamples(patterns, 2, 300) == 300
    distinct = answer_patterns(np.arange(40_000), np.arange(40_000) % 9_000, np.arange(40_000) % 2, (40_000, 9_000, 2))
    assert affordable_resamples(distinct, 2, 10_000) == 200_000_000 // (distinct.answers * 2 * 40)
    assert affordable_resamples(distinct, 50, 10_000) == MIN_RESAMPLES
    assert affordable_resamples(distinct, 1000, 10_000) == 0
