"""Swap tests of two systems: both are swapped within clusters, which would not matter if the systems were alike.

The studentized test compares the difference over its standard error, computed anew for every swap. It is exact where
the systems are exchangeable within a cluster, as every swap test is, and its size is still right with many clusters
where only the two proportions are equal and lengths or variances differ (Janssen 1997; Chung and Romano 2013; Hayes and
Moulton 2017 for trials of clusters).
"""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from .bootstrap import BLOCK, distinct_rows, weighted_sums
from .proportions import Counts
from .swap_statistics import Difference, Statistic, StudentizedDifference

# Up to this many common clusters every one of the 2^C swaps is tried.
MAX_EXACT = 16

# Pairs swapped together, and sums (rows x swaps) of one part: few enough to stay in the processor's cache.
PAIRS_PER_CHUNK = 64
SUMS_PER_PART = 40_000

Swaps = NDArray[np.uint8]


def swap_ps(
    tables: Sequence[Counts], draws: int = 10_000, seed: int = 1, *, studentized: bool = True
) -> list[float | None]:
    """Return two-sided p of swapping the systems within clusters, for each table of counts (k_a, n_a, k_b, n_b), shape
    (4, common clusters), n > 0 throughout; tables with equally many clusters share swaps.

    Exact to 16 clusters: the share of all 2^C assignments, identity included, with |T| at least as large as the
    observed one. Beyond that `draws` random assignments from a seeded generator, p = (b + 1) / (draws + 1) (Phipson and
    Smyth 2010). T is the difference of the two ratios over its linearized standard error: 0 where the difference is 0,
    so that p = 1, and infinite where only the standard error is 0. Without `studentized`, T is the difference itself.
    Near ties are compared in whole numbers, so that ties are ties. None without a cluster.
    """
    p_values: list[float | None] = [None] * len(tables)
    kind = StudentizedDifference if studentized else Difference
    for indices in _chunks(tables):
        chunk = np.stack([tables[index] for index in indices])
        clusters = chunk.shape[2]
        extreme = _count_extreme(kind(chunk), _swaps(clusters, draws, seed))
        for index, count in zip(indices, extreme, strict=True):
            p_values[index] = count / 2 ** (clusters - 1) if clusters <= MAX_EXACT else (count + 1) / (draws + 1)
    return p_values


def simulation_error(p: float, clusters: int, draws: int) -> float:
    """Return the standard error of a swap test's p that is due to drawing swaps at random; 0 where it is exact."""
    return 0.0 if clusters <= MAX_EXACT else math.sqrt(p * (1 - p) / draws)


def _chunks(tables: Sequence[Counts]) -> Iterator[list[int]]:
    """Yield the indices of tables with equally many clusters, some at a time; none of tables without a cluster."""
    groups: dict[int, list[int]] = {}
    for index, table in enumerate(tables):
        groups.setdefault(table.shape[1], []).append(index)
    for clusters, indices in groups.items():
        for start in range(0, len(indices) if clusters else 0, PAIRS_PER_CHUNK):
            yield indices[start : start + PAIRS_PER_CHUNK]


def _count_extreme(statistic: Statistic, blocks: Iterable[Swaps]) -> list[int]:
    """Return for each pair how many swaps have a statistic at least as large as the observed one."""
    pairs, rows, clusters = statistic.gains.shape
    gains, row_numbers = distinct_rows(statistic.gains.reshape(pairs * rows, clusters))
    numbers = np.array(row_numbers).reshape(pairs, rows).T
    counts = np.zeros(pairs, dtype=np.int64)
    size = max(1, SUMS_PER_PART // numbers.size)
    for swaps in (block[start : start + size] for block in blocks for start in range(0, len(block), size)):
        sums = np.concatenate([*weighted_sums(gains, swaps)], axis=1, dtype=np.float64)
        larger, tied = statistic.compare(sums[numbers])
        counts += np.count_nonzero(larger, axis=1) + _count_ties(statistic, tied, swaps)
    return counts.tolist()


def _count_ties(statistic: Statistic, tied: NDArray[np.bool_], swaps: Swaps) -> Counts:
    """Return for each pair how many of the swaps that are `tied`, of shape (pairs, swaps), are at least as large."""
    counts = np.zeros(len(tied), dtype=np.int64)
    for pair in np.flatnonzero(tied.any(axis=1)).tolist():
        moved = swaps[tied[pair]].astype(np.int64) @ statistic.gains[pair].T
        distinct = Counter(map(tuple, moved.tolist()))
        counts[pair] = sum(times for sums, times in distinct.items() if statistic.is_as_large(pair, sums))
    return counts


def _swaps(clusters: int, draws: int, seed: int) -> Iterator[Swaps]:
    """Yield blocks of swaps, 0 or 1 for each cluster: all of them to 16 clusters, else `draws` at random."""
    if clusters <= MAX_EXACT:
        # All that keep the first cluster: the others mirror them, with the same |T|.
        numbers = np.arange(2 ** (clusters - 1)) * 2
        yield ((numbers[:, None] >> np.arange(clusters)) & 1).astype(np.uint8)
    elif draws * clusters <= BLOCK:
        yield _one_block(clusters, draws, seed)
    else:
        yield from _drawn_swaps(clusters, draws, seed)


@lru_cache(maxsize=1)
def _one_block(clusters: int, draws: int, seed: int) -> Swaps:
    # Reports of one project, and the measures of one report, mostly have the same clusters in common; 2 MB are kept.
    return next(_drawn_swaps(clusters, draws, seed))


def _drawn_swaps(clusters: int, draws: int, seed: int) -> Iterator[Swaps]:
    generator = np.random.default_rng(seed)
    rows = max(1, BLOCK // clusters)
    for start in range(0, draws, rows):
        # Each bit that the generator draws is one swap.
        shape = (min(rows, draws - start), clusters)
        drawn = np.frombuffer(generator.bytes(math.ceil(shape[0] * shape[1] / 8)), dtype=np.uint8)
        yield np.unpackbits(drawn, count=shape[0] * shape[1]).reshape(shape)
