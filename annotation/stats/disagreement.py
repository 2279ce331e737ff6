"""Disagreement between the raters of an item.

Two ratings of an item weigh 1 for each aspect in which they differ: a question, or a measure that counts one of them
and not the other. An item's score is the sum over all pairs of its ratings, divided by the number of pairs that would
differ if the raters were split evenly in two: 1 against 1 and 3 against 2 have equal scores, 4 against 1 a lower one,
and three different answers a higher one. `reviewing.disagreement_ranking` has the same rule in SQL, for lists with
pages; a test compares the two.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from .proportions import Counts

NONE = -1


@dataclass(frozen=True)
class Aspect:
    """One way in which answers differ: the number of its `value` in every distinct set of answers, or NONE.

    `none_differs`: a missing value differs from any value, as with a question that was not answered; otherwise a rating
    without a value differs from none, as with a measure whose denominator excludes it.
    """

    value: Counts
    none_differs: bool


def disagreement(counts: ArrayLike, aspects: Sequence[Aspect]) -> Counts:
    """Return each item's score in hundredths, rounded; `counts` are ratings by item and set of answers."""
    table = np.asarray(counts, dtype=np.float64)  # counts of raters: products of floats are exact, and quick
    raters = table.sum(axis=1).astype(np.int64)
    apart = sum((_pairs_that_differ(table, aspect) for aspect in aspects), start=np.zeros_like(raters))
    even = np.maximum(raters * raters // 4, 1)
    return np.asarray((200 * apart + even) // (2 * even), dtype=np.int64)


def _pairs_that_differ(table: np.ndarray, aspect: Aspect) -> Counts:
    """Return how many pairs of each item's ratings differ: of N ratings in groups of n, (N² − Σ n²) / 2."""
    values = np.arange(NONE if aspect.none_differs else 0, aspect.value.max(initial=NONE) + 1)
    groups = (table @ (aspect.value[:, None] == values)).astype(np.int64)
    return np.asarray((groups.sum(axis=1) ** 2 - (groups**2).sum(axis=1)) // 2, dtype=np.int64)
