"""Random tables of two systems on common clusters."""

import numpy as np
from hypothesis import strategies as st


@st.composite
def two_systems(draw, least=1, most=6):
    """Return k_a, n_a, k_b, n_b of shape (4, clusters)."""
    row = st.tuples(st.integers(1, 6), st.integers(1, 6)).flatmap(
        lambda sizes: st.tuples(
            st.integers(0, sizes[0]), st.just(sizes[0]), st.integers(0, sizes[1]), st.just(sizes[1])
        )
    )
    return np.array(draw(st.lists(row, min_size=least, max_size=most)), dtype=np.int64).T
