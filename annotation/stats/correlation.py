"""Correlation of two series of numbers."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .proportions import Floats
from .quantiles import normal_quantile, two_sided
from .undefined import defined


def f1_of(precision: float | None, recall: float | None) -> float | None:
    """Return the harmonic mean of the two, 0 when both are 0, None when one is."""
    if precision is None or recall is None:
        return None
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def mean(values: Sequence[float | None]) -> float | None:
    """Return the mean of the values that are defined, or None."""
    defined_values = [value for value in values if value is not None]
    return math.fsum(defined_values) / len(defined_values) if defined_values else None


def pearson(x: ArrayLike, y: ArrayLike) -> float | None:
    """Return Pearson's r of two series (items,) without pairs with an undefined value; None when one is constant."""
    xs, ys = _pairs(x, y)
    if len(xs) < 2 or _constant(xs) or _constant(ys):
        return None
    xs, ys = xs - math.fsum(xs) / len(xs), ys - math.fsum(ys) / len(ys)
    r = math.fsum(xs * ys) / math.sqrt(math.fsum(xs**2) * math.fsum(ys**2))
    return defined(max(-1.0, min(1.0, r)))


def fisher_bounds(r: float | None, n: int, level: float = 0.95) -> tuple[float | None, float | None]:
    """Return bounds of Pearson's r of n pairs by Fisher's (1921) z: tanh(atanh r ± z / √(n - 3)).

    None without r, with fewer than four pairs, or if r is 1 or -1. Pairs count as independent, whatever their clusters.
    """
    if r is None or n < 4 or abs(r) >= 1:
        return None, None
    half = normal_quantile(two_sided(level)) / math.sqrt(n - 3)
    return math.tanh(math.atanh(r) - half), math.tanh(math.atanh(r) + half)


def spearman(x: ArrayLike, y: ArrayLike) -> float | None:
    """Return Spearman's rank correlation, ties given their average rank; None when one series is constant."""
    xs, ys = _pairs(x, y)
    return pearson(average_ranks(xs), average_ranks(ys))


def kendall_tau_b(x: ArrayLike, y: ArrayLike) -> float | None:
    """Return Kendall's (1945) tau-b, corrected for ties; None when a series is constant.

    Pairs of items in opposite order are counted as in Knight (1966), in O(items × log² items).
    """
    xs, ys = _pairs(x, y)
    order = np.lexsort((ys, xs))
    number_x, number_y = (np.unique(values[order], return_inverse=True)[1].reshape(-1) for values in (xs, ys))
    pairs = len(xs) * (len(xs) - 1) // 2
    tied_x, tied_y = _tied(number_x), _tied(number_y)
    if tied_x == pairs or tied_y == pairs:
        return None
    tied_both = _tied(number_x * (int(number_y.max()) + 1) + number_y)
    concordant_less_discordant = pairs - tied_x - tied_y + tied_both - 2 * _inversions(number_y)
    return concordant_less_discordant / math.sqrt((pairs - tied_x) * (pairs - tied_y))


def _tied(number: NDArray[np.int64]) -> int:
    """Return how many pairs of items have the same number."""
    sizes = np.unique(number, return_counts=True)[1]
    return int((sizes * (sizes - 1) // 2).sum())


def _inversions(number: NDArray[np.int64]) -> int:
    """Return how many pairs of items have the larger number first; numbers are from 0.

    Of such a pair, the highest binary digit that differs is 1 first: the pairs are counted digit by digit.
    """
    inversions = 0
    for digit in range(int(number.max()).bit_length()):
        group = number >> (digit + 1)
        order = np.argsort(group, kind="stable")
        has_digit = (number[order] >> digit) & 1
        ones = np.cumsum(has_digit)
        in_groups = group[order]
        first = np.searchsorted(in_groups, in_groups)
        before = ones - (ones[first] - has_digit[first])
        inversions += int(before[has_digit == 0].sum())
    return inversions


def average_ranks(values: ArrayLike) -> Floats:
    """Return ranks from 1, equal values sharing the average of theirs: shape (items,)."""
    array = np.asarray(values, dtype=np.float64)
    _, group, sizes = np.unique(array, return_inverse=True, return_counts=True)
    last = np.cumsum(sizes)
    return (last - (sizes - 1) / 2)[group]


def _pairs(x: ArrayLike, y: ArrayLike) -> tuple[Floats, Floats]:
    """Return both as floats (None becomes NaN), without the pairs that lack one."""
    xs, ys = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    if xs.shape != ys.shape:
        raise ValueError(f"{xs.size} and {ys.size} values: a correlation needs pairs")
    is_finite = np.isfinite(xs) & np.isfinite(ys)
    return xs[is_finite], ys[is_finite]


def _constant(values: Floats) -> bool:
    return bool(np.all(values == values[0]))
