"""Counts by cluster, drawn by hypothesis, and statistics of one table."""

from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import ArrayLike

from annotation.stats.bootstrap import FixedResamples
from annotation.stats.comparisons import PairedDifference, compare_pairs
from annotation.stats.swap_tests import swap_ps


def k_of_n(most: int) -> st.SearchStrategy[tuple[int, int]]:
    return st.integers(1, most).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


def clustered(least: int = 2, most: int = 12) -> st.SearchStrategy[tuple[np.ndarray, ...]]:
    """Draw k and n."""
    return st.lists(k_of_n(15), min_size=least, max_size=most).map(lambda rows: tuple(np.array(rows).T))


def two_systems(most: int = 6) -> st.SearchStrategy[np.ndarray]:
    """Draw k_a, n_a, k_b, n_b on common clusters, of shape (4, clusters)."""
    rows = st.lists(st.tuples(k_of_n(6), k_of_n(6)), min_size=1, max_size=most)
    return rows.map(lambda drawn: np.array([(*a, *b) for a, b in drawn]).T)


def resamples_of(indices: ArrayLike, clusters: int) -> FixedResamples:
    """Return the resamples that cluster indices name, of shape (resamples, drawn)."""
    return FixedResamples(np.array([np.bincount(row, minlength=clusters) for row in np.asarray(indices)], dtype="f4"))


def swap_p(k_a: ArrayLike, n_a: ArrayLike, k_b: ArrayLike, n_b: ArrayLike, **options: Any) -> float | None:
    return swap_ps([np.array([k_a, n_a, k_b, n_b], dtype=np.int64)], **options)[0]


def paired_difference(
    k_a: ArrayLike, n_a: ArrayLike, k_b: ArrayLike, n_b: ArrayLike, **options: Any
) -> PairedDifference:
    return compare_pairs([k_a, k_b], [n_a, n_b], **options)[0]
