"""Counts by cluster, drawn by hypothesis."""

import numpy as np
from hypothesis import strategies as st


def k_of_n(most: int) -> st.SearchStrategy[tuple[int, int]]:
    return st.integers(1, most).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


def clustered(least: int = 2, most: int = 12) -> st.SearchStrategy[tuple[np.ndarray, ...]]:
    """Draw k and n."""
    return st.lists(k_of_n(15), min_size=least, max_size=most).map(lambda rows: tuple(np.array(rows).T))


def two_systems(most: int = 6) -> st.SearchStrategy[np.ndarray]:
    """Draw k_a, n_a, k_b, n_b on common clusters, of shape (4, clusters)."""
    rows = st.lists(st.tuples(k_of_n(6), k_of_n(6)), min_size=1, max_size=most)
    return rows.map(lambda drawn: np.array([(*a, *b) for a, b in drawn]).T)
