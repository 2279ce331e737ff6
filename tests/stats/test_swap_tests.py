"""Swap tests: a table by hand, enumeration in fractions as the oracle, ties, degenerate tables, size."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from annotation.stats import swap_tests
from annotation.stats.swap_tests import simulation_error, swap_ps
from tests.stats.clusters import swap_p, two_systems

KINDS = pytest.mark.parametrize("studentized", [True, False])
INFINITE = Fraction(10**30)
WORKED = np.array([[1, 1, 0], [1, 1, 1], [2, 0, 0], [3, 1, 1]])
UNEQUAL = np.array([[1, 5, 4, 0, 7, 3], [2, 12, 12, 2, 12, 3], [1, 1, 0, 4, 2, 0], [3, 2, 3, 12, 2, 2]])
INFINITE_WHEN_SWAPPED = np.array([[2, 1, 0], [2, 1, 3], [0, 0, 2], [1, 2, 2]])
MILLION = np.array([[3, 1, 2, 5], [5, 5, 4, 6], [2, 2, 2, 1], [5, 5, 3, 6]]) * 1_000_000 + [[0], [1], [-1], [0]]


def sizes_of(rows: list[tuple[int, ...]], studentized: bool) -> Fraction:
    """Return the size of the difference, or T², straight from the definition."""
    k_a, n_a, k_b, n_b = (Fraction(sum(column)) for column in zip(*rows, strict=True))
    p_a, p_b = k_a / n_a, k_b / n_b
    if not studentized or p_a == p_b:
        return abs(p_a - p_b)
    linearized = [(k - p_a * n) / n_a - (j - p_b * m) / n_b for k, n, j, m in rows]
    clusters = len(rows)
    variance = sum(d * d for d in linearized) * Fraction(clusters, max(1, clusters - 1))
    return (p_a - p_b) ** 2 / variance if variance else INFINITE


def enumerated_p(table: np.ndarray, studentized: bool) -> float:
    """Return p by its definition, one assignment at a time."""
    rows = [tuple(row) for row in table.T.tolist()]
    swapped = [(b, n, a, m) for a, m, b, n in rows]
    sizes = [
        sizes_of([pair[swap] for swap, pair in zip(swaps, zip(rows, swapped, strict=True), strict=True)], studentized)
        for swaps in product((0, 1), repeat=len(rows))
    ]
    return sum(size >= sizes[0] for size in sizes) / len(sizes)


def rated(seed: int, prompts: int, sizes: int = 9) -> np.ndarray:
    generator = np.random.default_rng(seed)
    n = generator.integers(1, sizes, (2, prompts))
    k = generator.binomial(n, generator.beta(2, 2, prompts))
    return np.stack([k[0], n[0], k[1], n[1]])


def test_a_worked_example_by_hand_and_lengths_that_tell_the_studentized_test_from_the_bare_one():
    """Three prompts, a: 1/1, 1/1, 0/1, b: 2/3, 0/1, 0/1, so p_a = 2/3, p_b = 2/5 and the difference is 4/15.

    The parts of a are 1/9, 1/9, -2/9 and those of b 4/25, -2/25, -2/25; their differences, in units of 1/225, are -11,
    43, -32, so T² = 3600 / (3/2 · 2994) = .80. The first prompt stays, which leaves out the mirror images only.

    The second swapped: a 1/1, 0/1, 0/1, b 2/3, 1/1, 0/1. The difference is 1/3 - 3/5 = -4/15 again, parts in units of
    1/225: a 50, -25, -25, b 9, 18, -27, differences 41, -43, 2, and T² = 3600 / (3/2 · 3534) = .68: as large a
    difference, but a smaller T. Swapping the third prompt changes nothing. So 2 of 4 have as large a T, and all have as
    large a difference.
    """
    rows = list(zip(*WORKED.tolist(), strict=True))
    assert sizes_of(rows, True) == Fraction(3600) / (Fraction(3, 2) * 2994)
    assert sizes_of([rows[0], (0, 1, 1, 1), rows[2]], True) == Fraction(3600) / (Fraction(3, 2) * 3534)
    assert (swap_p(*WORKED), swap_p(*WORKED, studentized=False)) == (0.5, 1.0)
    # The difference is large in many swaps, and there its error is large too.
    assert (swap_p(*UNEQUAL), swap_p(*UNEQUAL, studentized=False)) == (2 / 2**6, 10 / 2**6)
    # The third prompt swapped, a is right throughout and b never: T is infinite, and that observed is not.
    assert sizes_of([(2, 2, 0, 1), (1, 1, 0, 2), (2, 2, 0, 3)], True) == INFINITE


@KINDS
@given(table=two_systems(), times=st.sampled_from([1, 1, 1_000_003, 10**8]))
@example(table=WORKED, times=1)
@example(table=UNEQUAL, times=1)
@example(table=INFINITE_WHEN_SWAPPED, times=1)
@example(table=np.array([[3], [4], [1], [9]]), times=1)
@example(table=MILLION, times=1)
@settings(max_examples=40)
def test_the_exact_p_is_that_of_every_swap_in_fractions_for_counts_of_any_size(studentized, table, times):
    p = swap_p(*(table * times), studentized=studentized)
    assert p == enumerated_p(table, studentized)
    k_a, n_a, k_b, n_b = table * times
    assert swap_p(n_a - k_a, n_a, n_b - k_b, n_b, studentized=studentized) == p, "for misses"
    assert swap_p(k_b, n_b, k_a, n_a, studentized=studentized) == p, "for the systems exchanged"
    # With equal sizes the sum of (k_a - k_b)² does not change, so that T grows with the difference.
    equal = np.full_like(table[0], table.max())
    assert swap_p(table[0], equal, table[2], equal) == swap_p(table[0], equal, table[2], equal, studentized=False)


def test_no_prompt_has_no_p_and_counts_whose_squares_do_not_fit_are_refused():
    assert swap_ps([np.zeros((4, 0), dtype=np.int64)]) == [None]
    assert swap_ps([]) == []
    with pytest.raises(ValueError, match="too large"):
        swap_p([3 * 10**9 + 1, 1], [4 * 10**9, 5], [2, 2], [5, 7])


@KINDS
def test_no_difference_has_p_1(studentized):
    """Also where the standard error is 0, as of ones: T is 0, and not 0/0."""
    for prompts in (1, 5, 40):
        for same in ([[1] * prompts] * 2, rated(3, prompts)[:2]):
            assert swap_p(*same, *same, studentized=studentized) == 1.0


@KINDS
def test_a_difference_without_error_is_as_extreme_as_any(studentized):
    """T is infinite for the table and its mirror image only: 2 of 2^10, and none of the random swaps."""
    assert swap_p([1] * 10, [1] * 10, [0] * 10, [1] * 10, studentized=studentized) == 2 / 2**10
    assert swap_p([5] * 40, [5] * 40, [0] * 40, [5] * 40, draws=999, studentized=studentized) == 1 / 1000
    constant = np.arange(40) % 3
    assert swap_p(constant + 1, [5] * 40, constant, [5] * 40, draws=999, studentized=studentized) == 1 / 1000


@KINDS
def test_sixteen_prompts_are_exact_and_seventeen_are_drawn(studentized):
    k = np.array([1] * 12 + [0] * 5)
    n = np.ones(17, dtype=int)
    exact = swap_p(k[1:], n[1:], 1 - k[1:], n[1:], studentized=studentized)
    drawn = swap_p(k, n, 1 - k, n, studentized=studentized)
    # 11 of 16 or more on one side, doubled
    assert exact == 2 * sum(math.comb(16, i) for i in range(11, 17)) / 2**16
    whole = 2 * sum(math.comb(17, i) for i in range(12, 18)) / 2**17
    assert drawn != whole
    assert drawn == pytest.approx(whole, abs=3 * math.sqrt(whole * (1 - whole) / 10_000))
    assert round(drawn * 10_001, 6) == round(drawn * 10_001)  # (b + 1) / (B + 1)


@KINDS
def test_random_swaps_come_near_the_exact_p(monkeypatch, studentized):
    table = rated(5, 12)
    exact = swap_p(*table, studentized=studentized)
    assert exact == enumerated_p(table, studentized)
    monkeypatch.setattr(swap_tests, "MAX_EXACT", 0)
    drawn = swap_p(*table, studentized=studentized)
    assert drawn == pytest.approx(exact, abs=4 * simulation_error(exact, 12, 10_000))


@KINDS
def test_swaps_in_blocks_and_many_tables_at_once_give_the_same_p_by_the_seed_only(monkeypatch, studentized):
    table = rated(1, 30)
    whole, again, other = (swap_p(*table, draws=1000, seed=seed, studentized=studentized) for seed in (9, 9, 2))
    assert whole == again != other
    monkeypatch.setattr(swap_tests, "BLOCK", 30 * 128)
    assert swap_p(*table, draws=1000, seed=9, studentized=studentized) == whole
    tables = [rated(seed, prompts) for seed in range(6) for prompts in (5, 30)]
    monkeypatch.setattr(swap_tests, "PAIRS_PER_CHUNK", 4)
    together = swap_ps(tables, 500, studentized=studentized)
    assert together == [swap_p(*table, draws=500, studentized=studentized) for table in tables]


@KINDS
def test_a_difference_that_is_nearly_the_one_seen_is_told_from_it_in_fractions(studentized):
    # by swapping the last prompt the difference changes by 1 part in 10^13, downwards; floats near 1 say "equal"
    big = 10_000_000
    for last, expected in ((0, 0.5), (1, 1.0)):
        table = np.array([[big, 1], [big, big], [0, last], [big, big]])
        assert swap_p(*table, studentized=studentized) == enumerated_p(table, studentized) == expected


def test_the_studentized_test_keeps_its_level_where_the_systems_differ_in_length():
    """The same proportion of .7 (ICC .2), but responses of b are four times as long: 1,000 studies of 20 documents.

    Random swaps add to what lengths do; the band holds five standard errors of 1,000 studies around 5 %.
    """
    generator = np.random.default_rng(11)
    n = np.stack([generator.geometric(0.3, (1_000, 20)), generator.geometric(0.075, (1_000, 20))])
    k = generator.binomial(n, generator.beta(2.8, 1.2, n.shape))
    tables = [np.stack([k[0, i], n[0, i], k[1, i], n[1, i]]) for i in range(1_000)]
    significant = np.mean([p < 0.05 for p in swap_ps(tables, 999)])
    assert 0.015 < significant < 0.085
