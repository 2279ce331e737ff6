"""Proportions of ratings in clusters.

Ratings of one prompt resemble each other, so a prompt and not a rating is the sampling unit. A proportion is therefore
a ratio of two random sums over clusters, p = sum k_c / sum n_c, and its standard error is that of the linearized
(Taylor) ratio estimator with clusters drawn with replacement. Clusters with n_c = 0 have no rating and are not counted.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .undefined import quotient

Counts = NDArray[np.int64]
Floats = NDArray[np.float64]

SPARSE = 8  # a table with more cells than this for each number in it is not worth its memory


@dataclass(frozen=True, slots=True)
class Ratio:
    """A proportion over clusters.

    `value` = k / n (None when n = 0). `se` is None with fewer than two clusters. `deff` = se² / (p(1-p)/n) is None when
    it is 0/0, that is when p is 0 or 1, or without `se`. `icc` is the ANOVA estimate and may be below 0.
    `effective_clusters`: see the function of that name.
    """

    value: float | None
    k: int
    n: int
    clusters: int
    se: float | None
    deff: float | None
    icc: float | None
    effective_clusters: float = 0.0


def by_observation(ratio: Ratio, unit: int) -> Ratio:
    """Return the ratio with counts and design effect for observations, each of which adds `unit` to n.

    k then sums values between 0 and 1 as whole multiples of 1 / `unit`, and the new k is that of so many whole hits,
    rounded down. Such a value varies at most as a hit or miss with the same mean, so an interval for hits and misses is
    wide enough.
    """
    if unit == 1:
        return ratio
    deff = None if ratio.deff is None else ratio.deff / unit
    return replace(ratio, k=ratio.k // unit, n=ratio.n // unit, deff=deff)


def count_table(rows: ArrayLike, columns: ArrayLike, shape: tuple[int, int], n: Counts | None = None) -> Counts:
    """Return how often each pair (row, column) occurs: an integer array of `shape`.

    `rows` and `columns` are index arrays of equal length, one entry a rating, or `n[i]` ratings an entry; entries with
    a negative row or column are left out, so -1 can stand for "missing".
    Raises ValueError when lengths differ or an index lies beyond `shape`.
    """
    row, column = np.asarray(rows, dtype=np.int64).ravel(), np.asarray(columns).ravel()
    column = column if column.dtype.kind == "i" else column.astype(np.int64)
    if row.shape != column.shape:
        raise ValueError(f"{row.size} rows but {column.size} columns: give one of each for every rating")
    if row.size and (row.min() < 0 or column.min() < 0):
        valid = (row >= 0) & (column >= 0)
        row, column, n = row[valid], column[valid], None if n is None else n[valid]
    if row.size and (row.max() >= shape[0] or column.max() >= shape[1]):
        raise ValueError(f"an index lies beyond the table of {shape[0]} x {shape[1]}: give a larger shape")
    table = np.bincount(row * shape[1] + column, weights=n, minlength=shape[0] * shape[1])
    return table.astype(np.int64, copy=False).reshape(shape)


def distinct_counts(codes: Counts, below: int) -> tuple[Counts, Counts]:
    """Return the distinct numbers among `codes`, in order, and how often each occurs; both of shape (distinct,).

    All lie from 0 to before `below`. Where that is not much more than there are codes they are counted in a table of
    this size, which takes a tenth of the time of sorting them.
    """
    if below > SPARSE * (len(codes) + 1):
        distinct, n = np.unique(codes, return_counts=True)
        return distinct, n.astype(np.int64)
    table = np.bincount(codes)
    distinct = np.flatnonzero(table)
    return distinct, table[distinct]


def cluster_counts(clusters: ArrayLike, hits: ArrayLike, count: int) -> tuple[Counts, Counts]:
    """Return k_c and n_c, each of shape (count,), from one entry per rating.

    `clusters`: cluster index of each rating; `hits`: whether the rating counts (True or 1) or not. Ratings outside the
    denominator must be removed before, or have cluster -1.
    """
    table = count_table(clusters, np.asarray(hits, dtype=np.int64), (count, 2))
    return table[:, 1], table.sum(axis=1)


def ratio(k: ArrayLike, n: ArrayLike) -> Ratio:
    """Return the proportion sum(k) / sum(n) with its linearized standard error; k and n have shape (clusters,).

    se = sqrt(C/(C-1) * sum((k_c - p n_c)²)) / N (Cochran 1977; Woodruff 1971), C = clusters with n_c > 0.
    Raises ValueError on shapes that differ, negative counts, or k_c > n_c.
    """
    return ratios(np.atleast_2d(np.asarray(k)), np.atleast_2d(np.asarray(n)))[0]


def ratios(k: ArrayLike, n: ArrayLike) -> list[Ratio]:
    """Return one `Ratio` for each row of k and n, both of shape (cells, clusters)."""
    hits, among = checked_counts(k, n)
    if hits.ndim != 2:
        raise ValueError(f"counts have {hits.ndim} dimensions: give cells x clusters, or use ratio() for one cell")
    squares = np.divide(hits * hits, among, out=np.zeros(hits.shape), where=among > 0)
    sums = zip(
        hits.sum(axis=1).tolist(),
        among.sum(axis=1).tolist(),
        np.count_nonzero(among, axis=1).tolist(),
        np.einsum("ij,ij->i", hits, hits).tolist(),
        np.einsum("ij,ij->i", hits, among).tolist(),
        np.einsum("ij,ij->i", among, among).tolist(),
        [math.fsum(row) for row in squares.tolist()],
        strict=True,
    )
    return [_ratio(*row) for row in sums]


def checked_counts(k: ArrayLike, n: ArrayLike) -> tuple[Counts, Counts]:
    """Return k and n as int64 arrays of equal shape with 0 <= k <= n everywhere, or ValueError."""
    hits, among = _whole_numbers(k, "k"), _whole_numbers(n, "n")
    if hits.shape != among.shape:
        raise ValueError(f"k has shape {hits.shape} and n has {among.shape}: give both for the same clusters")
    if np.any(hits < 0) or np.any(hits > among):
        index = np.argwhere((hits < 0) | (hits > among))[0].tolist()
        raise ValueError(f"k is not between 0 and n at position {index}: count k among the ratings of n")
    return hits, among


def effective_clusters(n: Counts | NDArray[np.float64]) -> float:
    """Return how many clusters of equal size those of sizes n are worth, (sum n)² / sum n² = C / (1 + CV²); 0 without
    ratings. Kish (1965); Carter, Schnepel and Steigerwald (2017). Sizes are counts, or sums of weights.
    """
    total = n.sum().item()
    return float(total * total / (n * n).sum().item()) if total else 0.0


def share(k: int, n: int) -> float | None:
    """Return k / n, or None when n = 0."""
    return quotient(int(k), int(n))


def shares(counts: Sequence[int]) -> list[float | None]:
    """Return each count over their sum; all None when the sum is 0."""
    total = int(sum(counts))
    return [share(count, total) for count in counts]


def _ratio(k: int, n: int, clusters: int, kk: int, kn: int, nn: int, share_sum: float) -> Ratio:
    """Return kk, kn, nn: sums over clusters of k², kn, n²; share_sum: of k²/n. Exact Python integers."""
    value = quotient(k, n)
    if clusters < 2:
        return Ratio(value, k, n, clusters, None, None, None, float(clusters))
    # N² times the sum of squared residuals (k_c - p n_c)²; not a difference of rounded numbers, so 0 is exactly 0.
    squares = n * n * kk - 2 * k * n * kn + k * k * nn
    variance = clusters * squares / ((clusters - 1) * n**4)  # of whole numbers, so rounded once
    deff = quotient(clusters * squares, (clusters - 1) * n * k * (n - k))
    return Ratio(
        value, k, n, clusters, math.sqrt(variance), deff, _anova_icc(k, n, clusters, nn, share_sum), n * n / nn
    )


def _anova_icc(k: int, n: int, clusters: int, nn: int, share_sum: float) -> float | None:
    """Return (MSB - MSW) / (MSB + (m0 - 1) MSW), m0 = (N - sum n²/N) / (C - 1) (Donner 1986; Ridout et al. 1999)."""
    if n == clusters or k in (0, n):
        return None
    between = (share_sum - k * k / n) / (clusters - 1)
    within = (k - share_sum) / (n - clusters)
    size = (n - nn / n) / (clusters - 1)
    return quotient(between - within, between + (size - 1) * within)


def _whole_numbers(values: ArrayLike, name: str) -> Counts:
    array = np.asarray(values)
    if array.size == 0:
        return np.zeros(array.shape, dtype=np.int64)
    if array.dtype.kind not in "iub" and not np.all(array == np.floor(array)):
        raise ValueError(f"{name} holds numbers that are not whole: give counts of ratings")
    return array.astype(np.int64)
