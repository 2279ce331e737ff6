"""The statistics of a swap test, as functions of a few sums over clusters that change by whole numbers with each swap.

`tables` has shape (pairs, 4, clusters): k_a, n_a, k_b, n_b. A swap moves what a cluster gives to the sums of a to
those of b: `gains` of shape (pairs, rows, clusters) holds the differences, and `moved` of shape (rows, pairs, swaps)
their sums over the swapped clusters. K_a + K_b and the like never change.
"""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from .bootstrap import Floats
from .proportions import Counts

Flags = NDArray[np.bool_]

# Statistics that lie nearer than this, relative to the observed one, are compared again in whole numbers.
NEARLY_TIED = 1e-9

# A variance below this part of its terms is computed again in whole numbers: too many digits of it are lost.
CANCELED = 1e-5

# Products of whole numbers up to here are exact in double precision, and all sums of squares must fit 64 bits.
EXACT, LARGEST = 2**53, 2**62

HUGE = 1e300  # in the place of an infinite T², which no finite one reaches


class Statistic(Protocol):
    """|T| of some pairs at once, compared with the observed one."""

    gains: Counts

    def compare(self, moved: Floats) -> tuple[Flags, Flags]:
        """Return which swaps have a clearly larger |T|, and which one to compare exactly; both (pairs, swaps)."""

    def is_as_large(self, pair: int, moved: Sequence[int]) -> bool:
        """Return whether |T| is at least as large as observed, in whole numbers of any size."""


class Difference:
    """The difference of two ratios, K_a / N_a - K_b / N_b."""

    def __init__(self, tables: Counts) -> None:
        self.gains = tables[:, :2] - tables[:, 2:]
        self.sums = tables.sum(axis=2)
        self.observed = [self._size(pair, (0, 0)) for pair in range(len(tables))]

    def compare(self, moved: Floats) -> tuple[Flags, Flags]:
        observed = _quotients(self.observed)
        k_a, n_a, k_b, n_b = self.sums.T[:, :, None].astype(np.float64)
        sizes = (n_a - moved[1]) * (n_b + moved[1])
        # K_a* N_b* - K_b* N_a* = K_a* N - K N_a*, as swaps leave K = K_a + K_b and N alone
        values = abs((k_a - moved[0]) * (n_a + n_b) - (k_a + k_b) * (n_a - moved[1])) / sizes
        # Each term of the difference is at most 1, and so is its rounding error in units of the last place.
        tied = abs(values - observed) <= NEARLY_TIED
        return (values > observed) & ~tied, tied

    def is_as_large(self, pair: int, moved: Sequence[int]) -> bool:
        (difference, sizes), (observed, sizes_observed) = self._size(pair, moved), self.observed[pair]
        return difference * sizes_observed >= observed * sizes

    def _size(self, pair: int, moved: Sequence[int]) -> tuple[int, int]:
        """Return numerator and denominator of |difference| after these moves."""
        k_a, n_a, k_b, n_b = self.sums[pair].tolist()
        k_a, n_a, k_b, n_b = k_a - moved[0], n_a - moved[1], k_b + moved[0], n_b + moved[1]
        return abs(k_a * n_b - k_b * n_a), n_a * n_b


class StudentizedDifference:
    """T² = D² / V up to a constant: D the difference, V = sum d_c², d_c = r_ac / N_a - r_bc / N_b, r = k - p n.

    V takes six sums of a and those of b: K, N, sum k², sum k n, sum n², and sum k_a n_b. T is 0 where D is 0, and
    infinite where only V is. Raises ValueError for counts whose squares do not fit 64 bits.
    """

    def __init__(self, tables: Counts) -> None:
        k_a, n_a, k_b, n_b = np.moveaxis(_in_lowest_terms(tables), 1, 0)
        a, b = _moments(k_a, n_a, n_b), _moments(k_b, n_b, n_a)
        self.gains = a - b
        self.a, self.b = a.sum(axis=2), b.sum(axis=2)
        self.kk, self.nn = (k_a * k_b).sum(axis=1)[:, None], (n_a * n_b).sum(axis=1)[:, None]
        self.k, self.n = (self.a + self.b).T[:2, :, None].astype(np.float64)
        terms = (self.a + self.b)[:, 2:3] / np.minimum(n_a, n_b).sum(axis=1)[:, None].astype(np.float64) ** 2
        self.uncertain = np.where(self.k * self.n < EXACT, CANCELED * terms, np.inf)
        self.observed = [self._square(pair, (0,) * 6) for pair in range(len(tables))]

    def compare(self, moved: Floats) -> tuple[Flags, Flags]:
        k_a, n_a, kk_a, kn_a, nn_a, kn_ab = self.a.T[:, :, None] - moved
        k_b, n_b, kk_b, kn_b, nn_b, kn_ba = self.b.T[:, :, None] + moved
        weight_a, weight_b = 1 / n_a, 1 / n_b
        p_a, p_b, product_weight = k_a * weight_a, k_b * weight_b, weight_a * weight_b
        variance = (kk_a + p_a * (p_a * nn_a - 2 * kn_a)) * (weight_a * weight_a)
        variance += (kk_b + p_b * (p_b * nn_b - 2 * kn_b)) * (weight_b * weight_b)
        variance -= 2 * (self.kk + p_a * (p_b * self.nn - kn_ba) - p_b * kn_ab) * product_weight
        difference = (k_a * self.n - self.k * n_a) * product_weight
        squares = difference * difference
        observed = np.minimum(_quotients(self.observed), HUGE) * variance
        tied = abs(squares - observed) <= NEARLY_TIED * observed
        tied |= variance <= self.uncertain
        return (squares > observed) & ~tied, tied

    def is_as_large(self, pair: int, moved: Sequence[int]) -> bool:
        (difference, variance), (observed, variance_observed) = self._square(pair, moved), self.observed[pair]
        if difference == 0 or variance == 0:
            return observed == 0 or (difference > 0 and variance == 0)
        return difference * variance_observed >= observed * variance

    def _square(self, pair: int, moved: Sequence[int]) -> tuple[int, int]:
        """Return numerator and denominator of T² after these moves: D² and V, both times (N_a N_b)⁴."""
        k_a, n_a, kk_a, kn_a, nn_a, kn_ab = (x - m for x, m in zip(self.a[pair].tolist(), moved, strict=True))
        k_b, n_b, kk_b, kn_b, nn_b, kn_ba = (x + m for x, m in zip(self.b[pair].tolist(), moved, strict=True))
        kk, nn = int(self.kk[pair, 0]), int(self.nn[pair, 0])
        square_a = n_a * n_a * kk_a - 2 * k_a * n_a * kn_a + k_a * k_a * nn_a
        square_b = n_b * n_b * kk_b - 2 * k_b * n_b * kn_b + k_b * k_b * nn_b
        product = n_a * n_b * kk - n_a * k_b * kn_ab - k_a * n_b * kn_ba + k_a * k_b * nn
        variance = n_b**4 * square_a + n_a**4 * square_b - 2 * (n_a * n_b) ** 2 * product
        return ((k_a * n_b - k_b * n_a) * n_a * n_b) ** 2, variance


def _moments(k: Counts, n: Counts, n_other: Counts) -> Counts:
    """Return what each cluster gives to the sums of one system: shape (pairs, 6, clusters)."""
    return np.stack([k, n, k * k, k * n, n * n, k * n_other], axis=1)


def _in_lowest_terms(tables: Counts) -> Counts:
    """Return counts with the same T: k and n of a pair each divided by their common divisor, the rarer of hit and miss
    for k, which keeps more digits.
    """
    rarer = tables.copy()
    common = 2 * tables[:, 0::2].sum(axis=(1, 2)) > tables[:, 1::2].sum(axis=(1, 2))
    rarer[common, 0::2] = tables[common, 1::2] - tables[common, 0::2]
    for part in (rarer[:, 0::2], rarer[:, 1::2]):
        part //= np.maximum(1, np.gcd.reduce(part.reshape(len(part), -1), axis=1))[:, None, None]
    if rarer.size and 2 * rarer.shape[2] * int(rarer.max()) ** 2 > LARGEST:
        raise ValueError(f"counts up to {int(rarer.max())} in a cluster are too large for a swap test")
    return rarer


def _quotients(observed: Sequence[tuple[int, int]]) -> Floats:
    """Return each square of T, or difference, as a column; infinite where only the denominator is 0."""
    values = [above / below if below else (np.inf if above else 0.0) for above, below in observed]
    return np.array(values, dtype=np.float64)[:, None]
