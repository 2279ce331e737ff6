"""Means over responses in clusters, such as the responses to one prompt.

A mean is a ratio of two random sums over clusters, as a proportion is: m = sum x_c / sum n_c, x_c the sum of the values
of a cluster and n_c their number. So its standard error is that of the linearized ratio estimator, and its resamples
are those of the proportions. With fifty clusters the interval is the cluster bootstrap's (BCa); with fewer, or with
very unequal ones, it is the linearized one with t; and with fewer than ten, or with equal means of all clusters, there
is none: the data do not show the error of the mean. Of values from 0 to 1 the linearized one can be computed on the
logit scale, so that it stays between them (Dean and Pagano 2015).
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .bootstrap import ALIKE, FixedResamples, Floats, Resamples, bca, weighted_sums
from .interval_choice import ENOUGH_CLUSTERS
from .intervals import MIN_CLUSTERS, Interval, are_very_unequal, logit_bounds, t_bounds
from .proportions import effective_clusters

Indices = NDArray[np.int64]

# Values are resampled as multiples of 2 to the power of minus this, or of fewer halvings if needed for exact sums.
FINEST = 30
MAX_SUM = 2**52


@dataclass(frozen=True, slots=True)
class MeanOf:
    """A mean of `n` values in `clusters` clusters; `method` is `bca`, `t`, `logit-t` or `none`. None where it is
    undefined.
    """

    value: float | None
    n: int
    clusters: int
    se: float | None
    low: float | None
    high: float | None
    method: str


def clustered_mean(
    values: ArrayLike,
    clusters: ArrayLike,
    *,
    weights: ArrayLike | None = None,
    resamples: Resamples | FixedResamples | None = None,
    level: float = 0.95,
    bounded: bool = False,
) -> MeanOf:
    """Return the mean of `values` of shape (responses,), those that are defined, with `clusters` the number of each
    one's cluster, below that of the `resamples`. Without resamples the interval is the linearized one, and so it is
    where clusters are very unequal, then with the degrees of freedom of their effective number. With `weights` above 0,
    one of each value, it is the weighted mean, whose interval is always the linearized one. `bounded`: the values are
    from 0 to 1, and so are the bounds of the linearized interval.
    """
    numbers, cluster = np.asarray(values, dtype=np.float64), np.asarray(clusters, dtype=np.int64)
    weight = np.ones(len(numbers), dtype=np.int64) if weights is None else np.asarray(weights, dtype=np.float64)
    is_finite = np.isfinite(numbers)
    numbers, cluster, weight = numbers[is_finite], cluster[is_finite], weight[is_finite]
    if not len(numbers):
        return MeanOf(None, 0, 0, None, None, None, "none")
    value = math.fsum((weight * numbers).tolist()) / math.fsum(weight.tolist())
    n_c = np.bincount(cluster, weights=None if weights is None else weight)
    x_c = np.bincount(cluster, weights=weight * numbers).astype(np.float64)
    clusters_used, se = int(np.count_nonzero(n_c)), None
    if clusters_used > 1:  # sqrt(C/(C-1) sum (x_c - m n_c)²) / N
        deviations = (x_c - value * n_c)[n_c > 0]
        squares = math.fsum((deviations * deviations).tolist())
        se = math.sqrt(clusters_used / (clusters_used - 1) * squares) / float(n_c.sum())
    effective = effective_clusters(n_c)
    bounds = Interval(None, None, "none")
    if clusters_used >= MIN_CLUSTERS and se is not None and se >= ALIKE:
        is_unequal = are_very_unequal(clusters_used, effective)
        if resamples is not None and weights is None and clusters_used >= ENOUGH_CLUSTERS and not is_unequal:
            bounds = _bca(numbers, cluster, resamples, level)
        if bounds.low is None:
            linearized = logit_bounds if bounded and 0 < value < 1 else t_bounds
            bounds = linearized(value, se, clusters_used, level, effective)
    return MeanOf(value, len(numbers), clusters_used, se, bounds.low, bounds.high, bounds.method)


def _bca(values: Floats, cluster: Indices, resamples: Resamples | FixedResamples, level: float) -> Interval:
    """Return BCa bounds from whole numbers, so that the sums are exact and the same on every machine."""
    unit = unit_of(values, resamples.clusters)
    whole = np.rint(values * unit).astype(np.int64)
    x_c = np.zeros(resamples.clusters, dtype=np.int64)
    np.add.at(x_c, cluster, whole)
    n_c = np.bincount(cluster, minlength=resamples.clusters)
    drawn = np.concatenate(
        [_quotients(sums) for weights in resamples.blocks() for sums in weighted_sums(np.stack([x_c, n_c]), weights)]
    )
    occupied = n_c > 0
    left_out = _quotients(np.stack([x_c.sum() - x_c[occupied], n_c.sum() - n_c[occupied]]).astype(np.float64))
    estimate = float(x_c.sum() / n_c.sum())
    return bca(drawn / unit, estimate / unit, left_out / unit, level)


def unit_of(values: Floats, clusters: int) -> float:
    """Return a power of two so that a resample's sum of `count` values in this unit is an exact whole number."""
    largest = max(1.0, float(np.abs(values).max())) * max(1, len(values)) * max(1, clusters)
    return float(2.0 ** max(0, min(FINEST, math.floor(math.log2(MAX_SUM / largest)))))


def _quotients(sums: NDArray[np.floating]) -> Floats:
    """Return x / n in double precision, as the estimate that it must tie with; NaN where n is 0."""
    x, n = sums.astype(np.float64)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(n > 0, x / n, np.nan)
