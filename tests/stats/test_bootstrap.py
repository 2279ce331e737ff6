"""The cluster bootstrap: resamples counted by hand, SciPy as an oracle, the same draws for everyone."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from annotation.stats import bootstrap
from annotation.stats.bootstrap import (
    Resamples,
    acceleration,
    bca,
    bias_correction,
    cache_sums,
    left_out,
    percentile,
    replicates,
)
from annotation.stats.interval_choice import headlines
from annotation.stats.proportions import ratio

from .clusters import clustered, resamples_of

K, N = np.array([2, 1, 3]), np.array([2, 4, 4])


def test_a_resample_takes_whole_prompts_as_often_as_they_were_drawn():
    # first prompt three times: 6/6; first, second, second: 4/10; each once: 6/10
    drawn = replicates(K, N, resamples_of([[0, 0, 0], [0, 1, 1], [2, 1, 0]], 3))
    assert drawn.tolist() == [[1.0, 0.4, 0.6]]
    drawn = replicates([[0, 1]], [[0, 2]], resamples_of([[0, 0], [0, 1]], 2))[0]
    assert np.isnan(drawn[0]) and drawn[1] == 0.5
    assert percentile(drawn) == percentile(drawn[1:])
    # of two systems, the second mirrors the first, so in every resample their proportions sum to one
    drawn = replicates([K, N - K], [N, N], Resamples(3, 500))
    assert np.allclose(drawn.sum(axis=0), 1.0)


def test_the_same_seed_gives_the_resamples_of_numpys_indices_and_another_seed_others(monkeypatch):
    first, again, other = (next(Resamples(5, 100, seed).blocks()) for seed in (3, 3, 4))
    assert np.array_equal(first, again) and not np.array_equal(first, other)
    assert first.shape == (100, 5) and np.all(first.sum(axis=1) == 5)
    indices = np.random.default_rng(7).integers(0, 158, (1000, 158))
    drawn = next(Resamples(158, 1000, 7).blocks())
    assert np.array_equal(drawn, resamples_of(indices, 158).weights)
    with pytest.raises(ValueError, match="read-only"):
        drawn[0, 0] = 7
    monkeypatch.setattr(bootstrap, "BLOCK", 70)
    blocks = list(Resamples(5, 100, 3).blocks())
    assert [len(block) for block in blocks] == [14] * 7 + [2]
    assert np.array_equal(np.concatenate(blocks), first)


def test_what_was_drawn_before_is_what_would_be_drawn_anew():
    bootstrap._one_block.cache_clear()
    first = replicates(K, N, Resamples(3, 200, seed=4))
    for seed in (4, 5, 4):
        assert np.array_equal(replicates(K, N, Resamples(3, 200, seed=seed)), first) == (seed == 4)


def test_leaving_each_prompt_out_acceleration_and_bias_by_hand():
    assert left_out(K, N).tolist() == [4 / 8, 5 / 6, 3 / 6]
    assert left_out(np.array([2, 0, 1, 3]), np.array([2, 0, 4, 4])).tolist() == [4 / 8, 5 / 6, 3 / 6]
    assert np.isnan(left_out(np.array([1]), np.array([2]))).all()
    # leave-one-out 1/2, 5/6, 1/2: mean 11/18, differences 1/9, -2/9, 1/9
    squares, cubes = 6 / 81, -6 / 729
    assert acceleration(left_out(K, N)) == pytest.approx(cubes / (6 * squares**1.5), abs=1e-15)
    assert acceleration(np.array([0.5, 0.5])) == 0.0
    # one below, two at, one above: half
    assert bias_correction(np.array([0.1, 0.2, 0.2, 0.3]), 0.2) == pytest.approx(0.0, abs=1e-15)


@pytest.mark.parametrize("drawn, estimate", [([0.1, 0.2], 0.3), ([], 0.3), ([0.5], None)])
def test_bca_is_undefined_when_every_replicate_lies_on_one_side(drawn, estimate):
    interval = bca(np.array(drawn), estimate, left_out(K, N))
    assert (interval.low, interval.high, interval.method) == (None, None, "bca")


def test_scipy_gives_the_same_bounds_from_the_complete_distribution():
    from scipy.stats import bootstrap as scipy_bootstrap

    def share(a, b, axis):
        return a.sum(axis=axis) / b.sum(axis=axis)

    k, n, draws = np.array([3, 1, 4, 2, 5, 6, 0, 2]), np.array([4, 4, 5, 5, 6, 6, 3, 4]), 60_000
    oracle = scipy_bootstrap((k, n), share, paired=True, n_resamples=draws, rng=np.random.default_rng(0))
    drawn = replicates(k, n, Resamples(8, draws))[0]
    interval = bca(drawn, ratio(k, n).value, left_out(k, n))
    assert (interval.low, interval.high) == pytest.approx(tuple(oracle.confidence_interval), abs=0.012)
    assert drawn.std(ddof=1) == pytest.approx(oracle.standard_error, rel=0.02)


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: Resamples(0), "at least 1"),
        (lambda: replicates(K, N, Resamples(4)), "same clusters"),
    ],
)
def test_bad_resamples_are_refused_with_the_reason(call, words):
    with pytest.raises(ValueError, match=words):
        call()


@given(clustered(least=1), st.integers(0, 5))
def test_bounds_stay_within_zero_and_one(table, seed):
    k, n = table
    drawn = replicates(k, n, Resamples(len(k), 200, seed))[0]
    for bounds in (percentile(drawn), bca(drawn, ratio(k, n).value, left_out(k, n))):
        if bounds.low is not None:
            assert 0 <= bounds.low <= bounds.high <= 1


@given(clustered())
@example((np.array([2**26, 2**26 + 1, 2**25]), np.array([2**27 + 1, 2**27 + 3, 2**26 + 1])))
def test_every_replicate_is_the_exact_fraction_it_stands_for(table):
    """Ties with the estimate are found by ==. Odd numbers above 2**24, as in the example, have no single precision."""
    k, n = table
    resamples = Resamples(len(k), 50)
    weights = next(resamples.blocks()).astype(int)
    assert replicates(k, n, resamples)[0].tolist() == [int(row @ k) / int(row @ n) for row in weights]


def cells():
    generator = np.random.default_rng(5)
    n = generator.integers(0, 5, (6, 20))
    return generator.binomial(n, 0.5), n


def test_sums_in_slices_are_those_made_at_once(monkeypatch):
    k, n = cells()
    whole = replicates(k, n, Resamples(20, 300))
    monkeypatch.setattr(bootstrap, "SUMS_PER_CHUNK", 100)
    monkeypatch.setattr(bootstrap, "COUNTS_PER_CHUNK", 60)
    monkeypatch.setattr(bootstrap, "SINGLE_THREADED", 200)
    monkeypatch.setattr(bootstrap, "ROWS_OF_A_PIECE", 5)
    assert np.array_equal(replicates(k, n, Resamples(20, 300)), whole, equal_nan=True)


@pytest.mark.parametrize("block", [2_000_000, 600])
def test_cells_that_are_kept_have_the_same_replicates_as_cells_that_are_not_up_to_the_most(monkeypatch, block):
    monkeypatch.setattr(bootstrap, "BLOCK", block)
    k, n = cells()
    caching = Resamples(20, 300)
    cache_sums(k[2:5], n[2:5], caching)
    assert len(caching.cache) == 6
    assert np.array_equal(replicates(k, n, caching), replicates(k, n, Resamples(20, 300)), equal_nan=True)
    monkeypatch.setattr(bootstrap, "MAX_CACHED", 1000)
    resamples = Resamples(3, 500)
    cache_sums([K, N - K], [N, N], resamples)
    assert not resamples.cache


def test_neither_many_cells_nor_many_prompts_take_much_memory():
    """At once the weights of 5,000 prompts would take 80 MB, and their indices as much again."""
    generator = np.random.default_rng(2)
    n, ones = generator.integers(5, 40, (1000, 158)), np.ones(5_000, dtype=np.int64)
    k = generator.binomial(n, 0.7)
    for act, most in (
        (lambda: headlines(k, n, resamples=Resamples(158, 10_000)), 60e6),
        (lambda: replicates(ones, 2 * ones, Resamples(5_000, 2_000)), 100e6),
    ):
        tracemalloc.start()
        act()
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < most
