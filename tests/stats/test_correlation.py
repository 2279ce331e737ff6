"""Correlations: by hand and against SciPy."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.stats.correlation import average_ranks, f1_of, kendall_tau_b, mean, pearson, spearman

SERIES = st.lists(st.tuples(st.integers(-5, 5), st.integers(-5, 5)), min_size=2, max_size=20)


def test_f1_and_means_by_hand_and_of_undefined_values():
    assert f1_of(0.5, 0.25) == pytest.approx(2 * 0.5 * 0.25 / 0.75)
    assert (mean([0.5, None, 0.0]), mean([None]), mean([])) == (0.25, None, None)
    assert f1_of(0.0, 0.0) == 0.0
    assert f1_of(None, 0.5) is None


@given(SERIES)
def test_scipy_gives_the_same_correlations(pairs):
    from scipy import stats

    x, y = zip(*pairs, strict=True)
    if len(set(x)) == 1 or len(set(y)) == 1:
        assert pearson(x, y) is spearman(x, y) is kendall_tau_b(x, y) is None
        return
    assert pearson(x, y) == pytest.approx(stats.pearsonr(x, y).statistic, abs=1e-9)
    assert spearman(x, y) == pytest.approx(stats.spearmanr(x, y).statistic, abs=1e-9)
    assert kendall_tau_b(x, y) == pytest.approx(stats.kendalltau(x, y).statistic, abs=1e-9)


def test_pairs_with_an_undefined_value_are_left_out_and_fewer_than_two_have_no_correlation():
    assert average_ranks([10, 20, 10, 30]).tolist() == [1.5, 3.0, 1.5, 4.0]
    assert pearson([1, None, 2, 4], [1, 5, 3, None]) == 1.0
    assert [measure(*pair) for measure in (pearson, spearman, kendall_tau_b) for pair in (([], []), ([1], [2]))] == [
        None
    ] * 6
    with pytest.raises(ValueError, match="needs pairs"):
        pearson([1, 2], [1])
