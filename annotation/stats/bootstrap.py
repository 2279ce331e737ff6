"""The cluster bootstrap: whole clusters are drawn with replacement, with all their ratings.

A resample is stored as weights, how often each cluster was drawn, so that the replicates of every cell are one matrix
product, and one set of resamples serves all systems: a difference between two systems is then a difference within
resamples. Counts and weights are whole numbers small enough for their float type, so the product is exact and the same
on every machine.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .intervals import Interval
from .proportions import Counts, Floats, checked_counts
from .quantiles import normal_cdf, normal_quantile, quantile, two_sided
from .undefined import defined

Sums = NDArray[np.floating]
Weights = NDArray[np.float32]

# Cells of one block of weights: 2 million, so that a block takes 8 MB however many clusters there are.
BLOCK = 2_000_000

# Weights counted together: few enough to stay in the processor's cache.
COUNTS_PER_CHUNK = 80_000

# Whole numbers up to here are exact in single precision, whose products take half the time and memory.
MAX_SINGLE_PRECISION = 2**24

# OpenBLAS gives a product of more multiplications than this to several threads. On a machine that has other work these
# wait for each other, and ten milliseconds become a hundred.
SINGLE_THREADED = 2**18
ROWS_OF_A_PIECE = 16

# Sums (rows x resamples) of one product: few enough to stay in the processor's cache.
SUMS_PER_CHUNK = 100_000

# Replicates that lie nearer together than this are all alike: they differ by rounding.
ALIKE = 1e-12

# An interval is omitted when more than this share of the resamples leaves the figure undefined.
MAX_UNDEFINED = 0.05

# Cells of resamples that are stored, a byte each: 64 MB.
MAX_STORED = 64_000_000

# Sums cached with their resamples: 16 MB at the most.
MAX_CACHED = 2_000_000


class _SumCache:
    """Resamples that cache the sums of rows which several figures use."""

    @cached_property
    def cache(self) -> dict[bytes, Sums]:
        """Return the sums of a row of counts in every resample, by the bytes of the row."""
        return {}


@dataclass(frozen=True)
class Resamples(_SumCache):
    """`count` resamples of `clusters` clusters from a seeded generator (PCG64), or those of given indices.

    `blocks()` yields them in order as weights of shape (some resamples, clusters), always the same for the same three
    numbers. The last set is cached if it fits one block.
    """

    clusters: int
    count: int = 10_000
    seed: int = 1

    def __post_init__(self) -> None:
        if self.clusters < 1 or self.count < 1:
            raise ValueError(f"{self.count} resamples of {self.clusters} clusters: both must be at least 1")

    def blocks(self) -> Iterator[Weights]:
        if self.count * self.clusters <= BLOCK:
            yield _one_block(self.clusters, self.count, self.seed)
        else:
            yield from _draw_blocks(self.clusters, self.count, self.seed)


@lru_cache(maxsize=2)
def _one_block(clusters: int, count: int, seed: int) -> Weights:
    # The resamples of one report, of documents and of prompts, serve the next one too; at most 16 MB are cached.
    weights = next(_draw_blocks(clusters, count, seed))
    weights.flags.writeable = False
    return weights


def _draw_blocks(clusters: int, count: int, seed: int) -> Iterator[Weights]:
    """Yield blocks of resamples; the stream of indices does not depend on the size of the blocks."""
    generator = np.random.default_rng(seed)
    rows = max(1, BLOCK // clusters)
    chunk_size = max(1, COUNTS_PER_CHUNK // clusters)
    for first in range(0, count, rows):
        weights = np.empty((min(rows, count - first), clusters), dtype=np.float32)
        for start in range(0, len(weights), chunk_size):
            part = weights[start : start + chunk_size]
            part[:] = _counted(generator.integers(0, clusters, part.shape), clusters)
        yield weights


@dataclass(frozen=True)
class FixedResamples(_SumCache):
    """Given resamples: `weights` of shape (resamples, clusters)."""

    weights: Weights | NDArray[np.uint8]

    @property
    def clusters(self) -> int:
        return int(self.weights.shape[1])

    @property
    def count(self) -> int:
        return int(self.weights.shape[0])

    def blocks(self) -> Iterator[Weights]:
        rows = max(1, BLOCK // max(self.clusters, 1))
        for start in range(0, self.count, rows):
            yield self.weights[start : start + rows].astype(np.float32, copy=False)


def stored(resamples: Resamples) -> Resamples | FixedResamples:
    """Return the same resamples, drawn once for many figures, unless they are cached anyway or are more than
    MAX_STORED cells.
    """
    cells = resamples.count * resamples.clusters
    if not BLOCK < cells <= MAX_STORED:
        return resamples
    weights = np.empty((resamples.count, resamples.clusters), dtype=np.uint8)
    start = 0
    for block in resamples.blocks():
        if block.max() > np.iinfo(np.uint8).max:
            return resamples
        weights[start : start + len(block)] = block
        start += len(block)
    return FixedResamples(weights)


def _counted(indices: NDArray[np.int64], clusters: int) -> Counts:
    cells = indices + (np.arange(len(indices)) * clusters)[:, None]
    return np.bincount(cells.ravel(), minlength=len(indices) * clusters).reshape(len(indices), clusters)


def replicates(k: ArrayLike, n: ArrayLike, resamples: Resamples | FixedResamples) -> Floats:
    """Return the proportion of every cell in every resample: k, n of shape (cells, clusters) give (cells,
    resamples).

    NaN where a resample drew no rating of the cell.
    """
    return np.array([*replicates_in_turn(k, n, resamples)]).reshape(-1, resamples.count)


def replicates_in_turn(k: ArrayLike, n: ArrayLike, resamples: Resamples | FixedResamples) -> Iterator[Floats]:
    """Yield the same rows one after the other, for callers that need only one at a time."""
    hits, among = _counts_for(resamples, k, n)
    rows, row_numbers = distinct_rows(np.concatenate([hits, among]))
    sums = _row_sums(rows, resamples)
    for hit, size in zip(row_numbers[: len(hits)], row_numbers[len(hits) :], strict=True):
        yield _shares(sums[hit], sums[size])


def cache_sums(k: ArrayLike, n: ArrayLike, resamples: Resamples | FixedResamples) -> None:
    """Sum these cells in every resample once for all figures that use them: `replicates` finds the sums."""
    rows, _ = distinct_rows(np.concatenate(_counts_for(resamples, k, n)))
    if (len(resamples.cache) + len(rows)) * resamples.count <= MAX_CACHED:
        keys = (row.tobytes() for row in rows)
        resamples.cache.update(zip(keys, _row_sums(rows, resamples), strict=True))


def _counts_for(resamples: Resamples | FixedResamples, k: ArrayLike, n: ArrayLike) -> tuple[Counts, Counts]:
    hits, among = checked_counts(np.atleast_2d(np.asarray(k)), np.atleast_2d(np.asarray(n)))
    if hits.shape[1] != resamples.clusters:
        raise ValueError(f"{hits.shape[1]} clusters, but resamples of {resamples.clusters}: draw for the same clusters")
    return hits, among


def _row_sums(rows: Counts, resamples: Resamples | FixedResamples) -> list[Sums]:
    """Return the sum of every row in every resample; missing ones are computed together and cached."""
    cached = [resamples.cache.get(row.tobytes()) for row in rows]
    new = rows[[row_sum is None for row_sum in cached]]
    parts = [part for weights in resamples.blocks() for part in weighted_sums(new, weights)] if len(new) else []
    summed = iter(np.concatenate(parts, axis=1) if parts else ())
    return [next(summed) if row_sum is None else row_sum for row_sum in cached]


def _shares(hits: Sums, among: Sums) -> Floats:
    with np.errstate(invalid="ignore"):  # 0/0 is NaN
        return np.divide(hits, among, dtype=np.float64)


def distinct_rows(rows: Counts) -> tuple[Counts, list[int]]:
    """Return the different rows of a table, and which of them each row is: the measures of a system share their n."""
    number_of: dict[bytes, int] = {}
    row_numbers = [number_of.setdefault(row.tobytes(), len(number_of)) for row in rows]
    return rows[np.unique(row_numbers, return_index=True)[1]], row_numbers


def weighted_sums(rows: Counts, weights: Weights | NDArray[np.uint8]) -> Iterator[Sums]:
    """Yield the sum of every row under every row of weights: shape (rows, some of the weights), a slice at a time.

    Exact, in single precision where that is enough: no row of weights adds up to more than the number of clusters, so
    no sum is larger than that many times the largest count.
    """
    largest = int(np.abs(rows).max(initial=0)) * weights.shape[1]
    kind = np.dtype("f4" if largest < MAX_SINGLE_PRECISION else "f8")
    columns: Sums = rows.astype(kind)
    chunk_size = max(1, SUMS_PER_CHUNK // max(1, len(rows)))
    for start in range(0, len(weights), chunk_size):
        some: Sums = weights[start : start + chunk_size].astype(kind, copy=False)
        yield _product(columns, some)


def _product(rows: Sums, weights: Sums) -> Sums:
    """Return rows @ weights.T, piece by piece: each small enough for one thread."""
    product = np.empty((len(rows), len(weights)), dtype=rows.dtype)
    for first in range(0, len(rows), ROWS_OF_A_PIECE):
        columns = np.ascontiguousarray(rows[first : first + ROWS_OF_A_PIECE].T)
        sums = np.empty((len(weights), columns.shape[1]), dtype=rows.dtype)
        step = max(ROWS_OF_A_PIECE, SINGLE_THREADED // columns.size)
        for start in range(0, len(weights), step):
            np.matmul(weights[start : start + step], columns, out=sums[start : start + step])
        product[first : first + ROWS_OF_A_PIECE] = sums.T
    return product


def percentile(drawn: Floats, level: float = 0.95) -> Interval:
    """Return the middle `level` of one cell's replicates, shape (resamples,): type-7 quantiles (Hyndman, Fan 1996)."""
    upper, finite = two_sided(level), _finite(drawn)
    if not len(finite):
        return Interval(None, None, "percentile")
    return Interval(quantile(finite, 1 - upper), quantile(finite, upper), "percentile")


def reliable_percentile(drawn: Floats, level: float = 0.95) -> Interval:
    """Return `percentile`; method `none` where more than MAX_UNDEFINED of the replicates are undefined, or all are
    alike: bounds without width would claim certainty about the next item."""
    finite = _finite(drawn)
    if len(finite) < (1 - MAX_UNDEFINED) * len(drawn) or np.ptp(finite) < ALIKE:
        return Interval(None, None, "none")
    return percentile(finite, level)


def bca(drawn: Floats, estimate: float | None, left_out: Floats, level: float = 0.95) -> Interval:
    """Return bias-corrected and accelerated bounds (Efron 1987; Efron and Tibshirani 1993, section 14.3).

    `drawn`: replicates, shape (resamples,); `left_out`: the estimate without each cluster in turn, shape
    (clusters,). Replicates equal to the estimate count half in the bias. Undefined, with method `bca`, when
    there is no estimate, when all replicates lie on one side of it, so that its bias correction is infinite, or when
    they are all alike: the clusters are equal then, and do not show the variation.
    """
    finite = _finite(drawn)
    bias = bias_correction(finite, estimate)
    if bias is None or np.ptp(finite) < ALIKE:
        return Interval(None, None, "bca")
    acceleration_constant, z = acceleration(left_out), normal_quantile(two_sided(level))
    low, high = (
        quantile(finite, normal_cdf(bias + (bias + side) / (1 - acceleration_constant * (bias + side))))
        for side in (-z, z)
    )
    return Interval(low, high, "bca")


def bias_correction(drawn: Floats, estimate: float | None) -> float | None:
    """Return z0: the normal quantile of the share of replicates below the estimate, ties by half; None if infinite."""
    if estimate is None or not len(drawn):
        return None
    tied = np.abs(drawn - estimate) <= ALIKE  # of the same counts, up to rounding
    below = np.count_nonzero((drawn < estimate) & ~tied) + np.count_nonzero(tied) / 2
    return defined(normal_quantile(below / len(drawn)))


def acceleration(left_out: Floats) -> float:
    """Return a = sum d³ / (6 (sum d²)^1.5), d = mean of the leave-one-out estimates less each; 0 if all are equal."""
    finite = _finite(left_out)
    deviations = finite.mean() - finite if len(finite) else finite
    square = deviations * deviations
    squares = math.fsum(square.tolist())
    # Multiplied out: the last digit of NumPy's power depends on the processor.
    return math.fsum((square * deviations).tolist()) / (6 * squares**1.5) if squares > 0 else 0.0


def left_out(hits: Counts, among: Counts) -> Floats:
    """Return the proportion without each cluster in turn, for clusters that have a rating; NaN when nothing is left."""
    hits, among = hits[among > 0], among[among > 0]
    sizes = among.sum() - among
    with np.errstate(invalid="ignore"):  # 0/0 is NaN
        return np.asarray((hits.sum() - hits) / sizes, dtype=np.float64)


def _finite(values: Floats) -> Floats:
    is_finite = np.isfinite(values)
    return values if is_finite.all() else values[is_finite]
