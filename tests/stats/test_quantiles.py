"""Quantiles of a sample: NumPy as an oracle, to the last digit."""

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from annotation.stats import quantiles
from annotation.stats.quantiles import quantile

SHARES = st.one_of(st.floats(0, 1), st.floats(0, 0.01), st.floats(0.99, 1), st.sampled_from([0.0, 0.025, 0.5, 1.0]))


@given(st.lists(st.floats(-1, 1), min_size=1, max_size=40), SHARES)
def test_numpy_gives_the_same_quantile_of_a_few(values, share):
    sample = np.array(values)
    assert quantile(sample, share) == float(np.quantile(sample, share))


@given(st.integers(0, 1000), st.integers(2_000, 6_000), st.sampled_from([None, 1, 2]), SHARES)
@example(0, 2_000, None, 0.025)
def test_numpy_gives_the_same_quantile_of_many(seed, size, digits, share):
    sample = np.random.default_rng(seed).beta(2, 1, size)
    sample = sample if digits is None else np.round(sample, digits)  # with many ties
    assert quantile(sample, share) == float(np.quantile(sample, share))


def test_a_part_that_misleads_changes_nothing_and_the_sample_is_left_as_it_was():
    # every 16th value, which the tail is read off, is the smallest or the largest of all
    for odd in (-5.0, 5.0):
        sample = np.random.default_rng(3).random(4_000)
        sample[:: quantiles.EVERY] = odd
        before = sample.copy()
        for share in (0.0, 0.02, 0.025, 0.5, 0.975, 1.0):
            assert quantile(sample, share) == float(np.quantile(sample, share))
        assert np.array_equal(sample, before)
