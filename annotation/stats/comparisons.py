"""Two systems compared on the prompts that both answered.

Every pair is made on common clusters: those where both systems have an assessed rating. The interval is that
of the linearised difference of two ratios; the p value comes from swapping the two systems within a cluster,
which assumes nothing but that the swap would not matter if the systems were alike.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .bootstrap import BLOCK, Floats, GivenResamples, Resamples, bca, leave_one_out, replicates
from .headline import method_for
from .intervals import t_bounds
from .proportions import Counts, checked_counts
from .undefined import quotient

# Up to this many common clusters every one of the 2^C swaps is tried.
MOST_EXACT = 16

# The cross products of two sums stay below 2^63 as long as both systems together have fewer ratings than
# this.
MOST_IN_64_BITS = 100_000


@dataclass(frozen=True, slots=True)
class PairedDifference:
    """Row a against row b: `difference` = p_a - p_b over the `clusters` where both have a rating.

    `se`, `low`, `high`: linearised, t of clusters - 1 degrees; None with fewer than two clusters. `p`:
    two-sided swap permutation; `p_holm`: adjusted over all pairs compared at once (the same as `p` for a
    single pair).
    """

    a: int
    b: int
    clusters: int
    value_a: float | None
    value_b: float | None
    difference: float | None
    se: float | None
    low: float | None
    high: float | None
    method: str
    p: float | None
    p_holm: float | None


def compare_pairs(
    k: ArrayLike,
    n: ArrayLike,
    *,
    resamples: Resamples | GivenResamples | None = None,
    level: float = 0.95,
    draws: int = 10_000,
    seed: int = 1,
) -> list[PairedDifference]:
    """Every pair of rows a < b, with p adjusted by Holm over the pairs; k and n have shape (systems, clusters).

    The rows are systems by name, so that a < b by name. `resamples` of these clusters: intervals from the same
    resamples as the proportions, for pairs with 50 common clusters and 20 hits and misses on both sides; without them
    every interval is the linearised one. Pairs with equally many clusters in common share the same `draws` swaps.
    """
    hits, among = checked_counts(k, n)
    pairs = list(combinations(range(len(hits)), 2))
    found = [_compared(hits, among, a, b, level, draws, seed) for a, b in pairs]
    if resamples is not None and pairs:
        drawn = replicates(hits, among, resamples)
        found = [_with_bca(pair, hits, among, drawn, resamples, level) for pair in found]
    adjusted = holm([pair.p for pair in found])
    return [replace(pair, p_holm=p) for pair, p in zip(found, adjusted, strict=True)]


def paired_difference(
    k_a: ArrayLike,
    n_a: ArrayLike,
    k_b: ArrayLike,
    n_b: ArrayLike,
    *,
    level: float = 0.95,
    draws: int = 10_000,
    seed: int = 1,
) -> PairedDifference:
    """One pair of systems; all four arrays have shape (clusters,) and count the same clusters."""
    k = np.stack([np.asarray(k_a), np.asarray(k_b)])
    return compare_pairs(k, np.stack([np.asarray(n_a), np.asarray(n_b)]), level=level, draws=draws, seed=seed)[0]


def common_clusters(n_a: ArrayLike, n_b: ArrayLike) -> NDArray[np.bool_]:
    """Which clusters both systems have a rating in: shape (clusters,)."""
    return (np.asarray(n_a) > 0) & (np.asarray(n_b) > 0)


def swap_p(
    k_a: ArrayLike, n_a: ArrayLike, k_b: ArrayLike, n_b: ArrayLike, *, draws: int = 10_000, seed: int = 1
) -> float | None:
    """Two-sided p of swapping the systems within clusters; arrays of shape (common clusters,), n > 0
    throughout.

    Exact to 16 clusters: the share of all 2^C assignments, identity included, with a difference at least as
    large. Beyond that `draws` random assignments from a seeded generator, p = (b + 1) / (draws + 1) (Phipson
    and Smyth 2010). Differences are compared as fractions of whole numbers, so that ties are ties. None
    without a cluster.
    """
    counts = [np.asarray(part, dtype=np.int64) for part in (k_a, n_a, k_b, n_b)]
    clusters = len(counts[0])
    if not clusters:
        return None
    extreme = sum(_as_extreme(*counts, swaps=block) for block in _swaps(clusters, draws, seed))
    return extreme / 2 ** (clusters - 1) if clusters <= MOST_EXACT else (extreme + 1) / (draws + 1)


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Holm's step-down adjusted p values (Holm 1979), in the given order; undefined ones stay None and do not
    count.
    """
    return _adjusted(p_values, _step_down)


def benjamini_hochberg(p_values: Sequence[float | None]) -> list[float | None]:
    """Benjamini and Hochberg's (1995) adjusted p values, in the given order; undefined ones stay None,
    uncounted.
    """
    return _adjusted(p_values, _step_up)


def _compared(k: Counts, n: Counts, a: int, b: int, level: float, draws: int, seed: int) -> PairedDifference:
    common = common_clusters(n[a], n[b])
    counts = (k[a][common], n[a][common], k[b][common], n[b][common])
    k_a, n_a, k_b, n_b = (int(part.sum()) for part in counts)
    clusters = int(common.sum())
    difference = quotient(k_a * n_b - k_b * n_a, n_a * n_b)
    se = _linearised_se(*counts)
    bounds = t_bounds(difference, se, clusters, level)
    p = swap_p(*counts, draws=draws, seed=seed)
    values = (quotient(k_a, n_a), quotient(k_b, n_b))
    return PairedDifference(a, b, clusters, *values, difference, se, bounds.low, bounds.high, "t", p, None)


def _with_bca(
    pair: PairedDifference,
    k: Counts,
    n: Counts,
    drawn: Floats,
    resamples: Resamples | GivenResamples,
    level: float,
) -> PairedDifference:
    """The pair with BCa bounds of its difference, or as it was where there is too little to draw from.

    `drawn`: the replicates of all rows, used as they are when the pair has all its clusters in common.
    """
    rows = [pair.a, pair.b]
    common = common_clusters(*n[rows])
    hits, among = k[rows] * common, n[rows] * common
    methods = {method_for(pair.clusters, int(row.sum()), int(of.sum())) for row, of in zip(hits, among, strict=True)}
    if methods != {"bca"}:
        return pair
    of_both = drawn[rows] if np.array_equal(among, n[rows]) else replicates(hits, among, resamples)
    left_out = np.subtract(*(leave_one_out(row, of) for row, of in zip(hits, among, strict=True)))
    # Not `pair.difference`, which is rounded once: a replicate of the same counts must tie with the estimate.
    estimate = float(np.subtract(*(hits.sum(axis=1) / among.sum(axis=1))))
    bounds = bca(of_both[0] - of_both[1], estimate, left_out, level)
    return pair if bounds.low is None else replace(pair, low=bounds.low, high=bounds.high, method="bca")


def _linearised_se(k_a: Counts, n_a: Counts, k_b: Counts, n_b: Counts) -> float | None:
    """sqrt(C/(C-1) · sum d_c²), d_c = (k_ac - p_a n_ac)/N_a - (k_bc - p_b n_bc)/N_b."""
    clusters = len(k_a)
    if clusters < 2:
        return None
    influence = _influence(k_a, n_a) - _influence(k_b, n_b)
    return math.sqrt(clusters / (clusters - 1) * math.fsum(influence**2))


def _influence(k: Counts, n: Counts) -> Floats:
    """(k_c - p n_c) / N from whole numbers: rounded once at the end."""
    hits, among = int(k.sum()), int(n.sum())
    return (k * among - hits * n) / float(among) ** 2


def _swaps(clusters: int, draws: int, seed: int) -> Iterator[Floats]:
    """Blocks of swaps, 0 or 1 for each cluster: all of them to 16 clusters, else `draws` at random."""
    if clusters <= MOST_EXACT:
        yield _every_swap(clusters)
    elif draws * clusters <= BLOCK:
        yield _one_block(clusters, draws, seed)
    else:
        yield from _drawn_swaps(clusters, draws, seed)


def _every_swap(clusters: int) -> Floats:
    """All swaps that leave the first cluster alone, shape (2^(C-1), C): the others mirror them, with the same
    |T|.
    """
    numbers = np.arange(2 ** (clusters - 1)) * 2
    return ((numbers[:, None] >> np.arange(clusters)) & 1).astype(np.float64)


@lru_cache(maxsize=1)
def _one_block(clusters: int, draws: int, seed: int) -> Floats:
    # The pairs of a report mostly have the same clusters in common; the block in use is not drawn again for
    # each.
    return next(_drawn_swaps(clusters, draws, seed))


def _drawn_swaps(clusters: int, draws: int, seed: int) -> Iterator[Floats]:
    generator = np.random.default_rng(seed)
    rows = max(1, BLOCK // clusters)
    for start in range(0, draws, rows):
        size = (min(rows, draws - start), clusters)
        yield generator.integers(0, 2, size, dtype=np.uint8).astype(np.float64)


def _as_extreme(k_a: Counts, n_a: Counts, k_b: Counts, n_b: Counts, *, swaps: Floats) -> NDArray[np.bool_]:
    """For each row of swaps (0 or 1 a cluster): is |p_a* - p_b*| at least |p_a - p_b|?"""
    moved = (swaps @ np.stack([k_a - k_b, n_a - n_b], axis=1).astype(np.float64)).astype(np.int64)
    sums = [int(part.sum()) for part in (k_a, n_a, k_b, n_b)]
    wide = sums[1] + sums[3] >= MOST_IN_64_BITS
    hits, among = (column.astype(object) if wide else column for column in moved.T)
    a, size_a, b, size_b = (sums[0] - hits, sums[1] - among, sums[2] + hits, sums[3] + among)
    # |a/size_a - b/size_b| >= |sums' difference|, both sides times all four sizes, in whole numbers
    swapped = abs(a * size_b - b * size_a) * (sums[1] * sums[3])
    seen = abs(sums[0] * sums[3] - sums[2] * sums[1]) * (size_a * size_b)
    return int((swapped >= seen).sum())


def _adjusted(p_values: Sequence[float | None], rule: Callable[[Floats], Floats]) -> list[float | None]:
    known = [place for place, p in enumerate(p_values) if p is not None]
    adjusted = rule(np.array([p_values[place] for place in known], dtype=np.float64))
    result: list[float | None] = [None] * len(p_values)
    for place, p in zip(known, adjusted.tolist(), strict=True):
        result[place] = p
    return result


def _step_down(p: Floats) -> Floats:
    order = np.argsort(p, kind="stable")
    raised = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    return np.minimum(raised, 1.0)[np.argsort(order, kind="stable")]


def _step_up(p: Floats) -> Floats:
    order = np.argsort(-p, kind="stable")
    lowered = np.minimum.accumulate(p[order] * len(p) / np.arange(len(p), 0, -1))
    return np.minimum(lowered, 1.0)[np.argsort(order, kind="stable")]
