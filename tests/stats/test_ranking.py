"""Ranks of systems: small tables by hand, every resample counted one by one, properties."""

import dataclasses
import json
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.stats.bootstrap import Resamples, replicates
from annotation.stats.ranking import RankInterval, rank_intervals
from tests.stats.clusters import resamples_of


def systems(count=4, prompts=60, seed=1):
    generator = np.random.default_rng(seed)
    n = generator.integers(1, 9, (count, prompts))
    return generator.binomial(n, generator.beta(3, 2, (count, prompts))), n


def test_the_highest_value_is_first_and_equal_ones_share_the_rank_or_have_either():
    k = np.repeat([[1], [2], [1], [0]], 12, axis=1)
    assert [each.rank for each in rank_intervals(k, np.full((4, 12), 2))] == [2, 1, 2, 4]
    assert [each.rank for each in rank_intervals([[1, 1], [2, 1]], [[3, 3], [6, 3]])] == [1, 1]
    for rows, expected in (
        ([1, 0], [RankInterval(1, 1, 1), RankInterval(2, 2, 2)]),
        ([0, 2], [RankInterval(1, 1, 2)] * 2),
    ):
        assert rank_intervals(k[rows], np.full((2, 12), 2), Resamples(12, 200)) == expected


def test_bounds_are_those_of_counting_every_resample_where_there_are_enough():
    k, n = systems(3, 12)
    resamples = resamples_of(list(product(range(12), repeat=3)), 12)
    drawn = replicates(k, n, resamples).T.tolist()
    for row, rank in enumerate(rank_intervals(k, n, resamples, level=0.8)):
        best = sorted(1 + sum(value > each[row] for value in each) for each in drawn)
        worst = sorted(sum(value >= each[row] for value in each) for each in drawn)
        assert rank.low == next(r for r in (1, 2, 3) if sum(b <= r for b in best) >= 0.1 * len(drawn))
        assert rank.high == next(r for r in (1, 2, 3) if sum(w <= r for w in worst) >= 0.9 * len(drawn))
    k, n = systems(2, 9)
    assert {rank.low for rank in rank_intervals(k, n, Resamples(9, 100))} == {None}
    k, n = systems(1)
    assert rank_intervals(k, n, Resamples(60, 100)) == [RankInterval(1, None, None)]
    k, n = systems(3)
    assert {(rank.low, rank.high) for rank in rank_intervals(k, n)} == {(None, None)}


def test_a_system_without_a_rating_or_draw_takes_no_rank():
    k, n = systems(3)
    k[1] = n[1] = 0
    estimated = rank_intervals(k, n, Resamples(60, 200))
    assert estimated[1] == RankInterval(None, None, None)
    assert [estimated[0], estimated[2]] == rank_intervals(k[[0, 2]], n[[0, 2]], Resamples(60, 200))
    k, n = np.ones((2, 12), dtype=int), np.ones((2, 12), dtype=int) * 2
    k[0, 1:] = n[0, 1:] = 0
    estimated = rank_intervals(k, n, Resamples(12, 400))
    assert estimated[0] == RankInterval(1, None, None)  # one prompt only
    assert estimated[1] == RankInterval(1, 1, 2)


@given(st.integers(2, 6), st.integers(0, 50), st.randoms())
@settings(max_examples=30)
def test_a_rank_lies_within_its_interval_and_the_order_of_the_systems_does_not_matter(count, seed, random):
    (k, n), resamples = systems(count, 30, seed), Resamples(30, 300, seed)
    estimated = rank_intervals(k, n, resamples)
    for rank in estimated:
        assert 1 <= rank.low <= rank.rank <= rank.high <= count
    order = random.sample(range(count), count)
    assert rank_intervals(k[order], n[order], resamples) == [estimated[system] for system in order]
    fields = [dataclasses.asdict(each) for each in estimated]
    assert json.loads(json.dumps(fields, allow_nan=False)) == fields


@pytest.mark.parametrize("level", [0.0, 1.0])
def test_a_level_beyond_zero_and_one_is_refused(level):
    with pytest.raises(ValueError, match="level"):
        rank_intervals(*systems(), Resamples(60, 100), level)
