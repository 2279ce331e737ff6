"""How alike ratings are, for plans: moment estimates from nested groups of unequal sizes.

A covariance is the mean product of residuals over all pairs of ratings that are together in one group but apart in the
next smaller one. Weighting every pair alike (Karlin, Cameron and Williams 1981; Ridout, Demétrio and Firth 1999) makes
the design effect of a plan agree with that of the linearized ratio in the same data, whatever the sizes.
"""

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .proportions import SPARSE, Counts, Floats
from .undefined import quotient


def nested_correlations(hits: ArrayLike, groups: Sequence[ArrayLike]) -> list[float | None]:
    """Return for each level of `groups`, coarse to fine, the correlation of two ratings that are in one group of this
    level but in different ones of the next.

    `hits` (0/1) and each level's group numbers have shape (ratings,); levels are nested. The mean product of pairs of
    different groups of the first level is subtracted, as residuals about an estimated p are negatively correlated.
    None where no pair is, or without variance.
    """
    labels = [np.asarray(level, dtype=np.int64) for level in groups]
    hit = np.asarray(hits, dtype=np.int64)
    if not len(hit):
        return [None for _ in labels]
    residuals = hit - hit.mean()
    single = np.arange(len(hit))
    sums = [_squares(residuals, level) for level in (np.zeros_like(single), *labels, single)]
    means = [quotient(outer[0] - inner[0], outer[1] - inner[1]) for outer, inner in pairwise(sums)]
    apart = means[0] or 0.0
    variance = sums[-1][0] / len(hit) - apart
    return [None if mean is None or variance <= 0 else (mean - apart) / variance for mean in means[1:]]


def rater_correlation(hits: ArrayLike, raters: ArrayLike, clusters: ArrayLike) -> float | None:
    """Return how much two ratings by one rater about different clusters (prompts) correlate: a moment estimate.

    All of shape (ratings,): 0/1, who rated, and the cluster. The mean product of e = hit - p over such pairs, over
    p(1-p); below 0 when raters differ less than chance makes them. None without such a pair or when p is 0 or 1.
    """
    hit, rater, cluster = (np.asarray(values, dtype=np.int64) for values in (hits, raters, clusters))
    n, k = len(hit), int(hit.sum())
    if not n or k in (0, n):
        return None
    p = k / n
    residuals = np.asarray(hit - p, dtype=np.float64)
    rater_in_cluster = rater * (int(cluster.max()) + 1) + cluster
    (all_products, all_pairs), (near_products, near_pairs) = (
        _squares(residuals, groups) for groups in (rater, rater_in_cluster)
    )
    covariance = quotient(all_products - near_products, all_pairs - near_pairs)
    return None if covariance is None else covariance / (p * (1 - p))


def unit_correlation(k_a: Counts, n_a: Counts, k_b: Counts, n_b: Counts) -> float | None:
    """Return the correlation of two systems' linearized results, k - p n by common unit; all of shape (units,).

    With it the variance of the difference of two ratios is V_a + V_b - 2 r sqrt(V_a V_b). None without variance.
    """
    common = (n_a > 0) & (n_b > 0)
    if not common.any():
        return None
    a, b = (k[common] - n[common] * (k[common].sum() / n[common].sum()) for k, n in ((k_a, n_a), (k_b, n_b)))
    return quotient(float(a @ b), math.sqrt(float(a @ a) * float(b @ b)))


def squared_variation(sizes: ArrayLike) -> float | None:
    """Return the squared coefficient of variation of group sizes: their variance over the squared mean."""
    size = np.asarray(sizes, dtype=np.float64)
    return quotient(float(size.var()), float(size.mean()) ** 2) if len(size) else None


def _squares(residuals: Floats, groups: NDArray[np.int64]) -> tuple[float, int]:
    """Return sums over groups: of the squared sums of residuals, and of the squared sizes."""
    if groups.max() > SPARSE * len(groups):
        groups = np.unique(groups, return_inverse=True)[1]
    sums, n = np.bincount(groups, residuals), np.bincount(groups)
    return float(sums @ sums), int(n @ n)
