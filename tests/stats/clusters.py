"""Counts by cluster, drawn by hypothesis."""

from collections.abc import Callable
from typing import Any

import numpy as np
from hypothesis import strategies as st


@st.composite
def clustered(draw: Callable[..., Any], least: int = 2, most: int = 12) -> tuple[np.ndarray, np.ndarray]:
    n = np.array(draw(st.lists(st.integers(1, 15), min_size=least, max_size=most)))
    k = np.array([draw(st.integers(0, int(size))) for size in n])
    return k, n
