"""Two systems compared on the prompts that both answered.

Every pair is made on common clusters: those where both systems have an assessed rating. The interval is that
of the linearised difference of two ratios; the p value comes from swapping the two systems within a cluster,
which assumes nothing but that the swap would not matter if the systems were alike.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
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

# Pairs whose swaps are summed in one product: 64 pairs of 10,000 swaps take 10 MB.
PAIRS_AT_ONCE = 64


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
    counts = [_on_common(hits, among, a, b) for a, b in pairs]
    found = [_compared(a, b, table, level) for (a, b), table in zip(pairs, counts, strict=True)]
    if resamples is not None and pairs:
        drawn = replicates(hits, among, resamples)
        found = [_with_bca(pair, hits, among, drawn, resamples, level) for pair in found]
    chance = _swap_ps(counts, draws, seed)
    return [replace(pair, p=p, p_holm=adjusted) for pair, p, adjusted in zip(found, chance, holm(chance), strict=True)]


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
    return _swap_ps([np.stack([np.asarray(part, dtype=np.int64) for part in (k_a, n_a, k_b, n_b)])], draws, seed)[0]


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


def _compared(a: int, b: int, counts: Counts, level: float) -> PairedDifference:
    """Rows a and b from their counts k_a, n_a, k_b, n_b on common clusters, shape (4, clusters); p is left open."""
    k_a, n_a, k_b, n_b = (int(part.sum()) for part in counts)
    clusters = counts.shape[1]
    difference = quotient(k_a * n_b - k_b * n_a, n_a * n_b)
    se = _linearised_se(*counts)
    bounds = t_bounds(difference, se, clusters, level)
    values = (quotient(k_a, n_a), quotient(k_b, n_b))
    return PairedDifference(a, b, clusters, *values, difference, se, bounds.low, bounds.high, "t", None, None)


def _on_common(k: Counts, n: Counts, a: int, b: int) -> Counts:
    common = common_clusters(n[a], n[b])
    return np.stack([k[a], n[a], k[b], n[b]])[:, common]


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


def _swap_ps(tables: Sequence[Counts], draws: int, seed: int) -> list[float | None]:
    """`swap_p` of each table of counts (4, clusters); tables with equally many clusters go through the same swaps."""
    found: list[float | None] = [None] * len(tables)
    groups: dict[int, list[int]] = {}
    for place, table in enumerate(tables):
        groups.setdefault(table.shape[1], []).append(place)
    for clusters, places in groups.items():
        for start in range(0, len(places) if clusters else 0, PAIRS_AT_ONCE):
            some = places[start : start + PAIRS_AT_ONCE]
            extreme = _count_extreme([tables[place] for place in some], _swaps(clusters, draws, seed))
            for place, count in zip(some, extreme, strict=True):
                found[place] = _p_of(count, clusters, draws)
    return found


def _p_of(extreme: int, clusters: int, draws: int) -> float:
    return extreme / 2 ** (clusters - 1) if clusters <= MOST_EXACT else (extreme + 1) / (draws + 1)


def _count_extreme(tables: Sequence[Counts], blocks: Iterable[Floats]) -> list[int]:
    """For each table, in how many swaps the difference is at least as large as the one seen."""
    gains = np.concatenate([table[:2] - table[2:] for table in tables]).T.astype(np.float64)
    counts = [0] * len(tables)
    for swaps in blocks:
        moved = (swaps @ gains).astype(np.int64)  # whole numbers below 2**53: exact
        for place, table in enumerate(tables):
            sums = table.sum(axis=1).tolist()
            counts[place] += int(_as_large(sums, moved[:, 2 * place], moved[:, 2 * place + 1]).sum())
    return counts


def _as_large(sums: list[int], hits: Counts, among: Counts) -> NDArray[np.bool_]:
    """|p_a* - p_b*| >= |p_a - p_b|, with `hits` and `among` moved from a to b; `sums` = K_a, N_a, K_b, N_b."""
    k_a, n_a, k_b, n_b = sums
    if n_a + n_b >= MOST_IN_64_BITS:
        hits, among = hits.astype(object), among.astype(object)
    size_a, size_b = n_a - among, n_b + among
    swapped = abs((k_a - hits) * size_b - (k_b + hits) * size_a)
    # both sides times all four sizes, so that whole numbers are compared
    return np.asarray(swapped * (n_a * n_b) >= abs(k_a * n_b - k_b * n_a) * (size_a * size_b), dtype=np.bool_)


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
