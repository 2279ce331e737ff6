"""Comparison of two systems on the prompts that both answered.

Every pair is compared on common clusters: those where both systems have an assessed rating. The interval is that of the
linearized difference of two ratios; the p value is that of the swap test (`swap_tests`), whose statistic is this
difference over its standard error, so that interval and p rest on the same variance.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, combinations, repeat

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .bootstrap import FixedResamples, Floats, Resamples, bca, distinct_rows, left_out, replicates
from .interval_choice import method_for
from .intervals import Interval, degrees_of_freedom, t_bounds
from .proportions import Counts, checked_counts, effective_clusters
from .swap_tests import swap_ps
from .undefined import quotient

# Pairs resampled in one product: those of 64 with 10,000 resamples take 10 MB.
PAIRS_PER_CHUNK = 64


@dataclass(frozen=True, slots=True)
class PairedDifference:
    """Row a against row b: `difference` = p_a - p_b over the `clusters` where both have a rating.

    `se`, `low`, `high`: linearized, with t of `degrees` degrees of freedom; None with fewer than two clusters. `p`:
    two-sided, of the swap test; `p_holm`: adjusted over all pairs compared at once (the same as `p` for a single pair).
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
    degrees: float | None


@dataclass(frozen=True, slots=True)
class _Pair:
    """Rows a and b: k_a, n_a, k_b, n_b in every cluster, shape (4, clusters), 0 where one has no rating.

    An observation adds `unit` to n.
    """

    a: int
    b: int
    counts: Counts
    unit: int

    def on_common(self) -> Counts:
        """Return the counts of the common clusters only."""
        return self.counts[:, self.counts[1] > 0]


def compare_pairs(
    k: ArrayLike,
    n: ArrayLike,
    *,
    resamples: Resamples | FixedResamples | None = None,
    level: float = 0.95,
    draws: int = 10_000,
    seed: int = 1,
    studentized: bool = True,
) -> list[PairedDifference]:
    """Return every pair of rows a < b, with p adjusted by Holm over the pairs; k and n have shape (systems, clusters).

    The rows are systems by name, so that a < b by name. `resamples` of these clusters: intervals from the same
    resamples as the proportions, for pairs with 50 common clusters and 20 hits and misses on both sides; without them
    every interval is the linearized one. Pairs with equally many clusters in common share the same `draws` swaps.
    """
    return compare_measures(
        [(k, n)], resamples=resamples, level=level, draws=draws, seed=seed, studentized=studentized
    )[0]


def compare_measures(
    tables: Iterable[tuple[ArrayLike, ArrayLike]],
    *,
    resamples: Resamples | FixedResamples | None = None,
    level: float = 0.95,
    draws: int = 10_000,
    seed: int = 1,
    studentized: bool = True,
    units: Sequence[int] | None = None,
) -> list[list[PairedDifference]]:
    """Return `compare_pairs` of each measure's k and n, with one set of swaps for all; Holm within a measure.

    `units`: for each measure what one observation adds to n, by default 1. Where it is more, k sums values between 0
    and 1, and bootstrap intervals need the sum of 20 whole hits and misses.
    """
    each_unit = repeat(1) if units is None else units
    pairs = [_pairs(*checked_counts(k, n), unit) for (k, n), unit in zip(tables, each_unit, strict=False)]
    all_pairs = [pair for group in pairs for pair in group]
    bounds = _bca_bounds(all_pairs, resamples, level) if resamples is not None else {}
    p_values = swap_ps([pair.on_common() for pair in all_pairs], draws, seed, studentized=studentized)
    ends = list(accumulate(len(group) for group in pairs))
    adjusted = [p for end, group in zip(ends, pairs, strict=True) for p in holm(p_values[end - len(group) : end])]
    differences = [
        _compared(pair, bounds.get(index), p_values[index], adjusted[index], level)
        for index, pair in enumerate(all_pairs)
    ]
    return [differences[end - len(group) : end] for end, group in zip(ends, pairs, strict=True)]


def common_clusters(n_a: ArrayLike, n_b: ArrayLike) -> NDArray[np.bool_]:
    """Return which clusters both systems have a rating in: shape (clusters,)."""
    return (np.asarray(n_a) > 0) & (np.asarray(n_b) > 0)


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Return Holm's step-down adjusted p values (Holm 1979) in the given order.

    Undefined p values stay None and do not count.
    """
    defined = [index for index, p in enumerate(p_values) if p is not None]
    p = np.array([p_values[index] for index in defined], dtype=np.float64)
    order = np.argsort(p, kind="stable")
    raised = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    adjusted: list[float | None] = [None] * len(p_values)
    for index, value in zip(defined, np.minimum(raised, 1.0)[np.argsort(order, kind="stable")].tolist(), strict=True):
        adjusted[index] = value
    return adjusted


def _pairs(k: Counts, n: Counts, unit: int) -> list[_Pair]:
    return [
        _Pair(a, b, np.stack([k[a], n[a], k[b], n[b]]) * common_clusters(n[a], n[b]), unit)
        for a, b in combinations(range(len(k)), 2)
    ]


def _compared(
    pair: _Pair, bounds: Interval | None, p: float | None, p_holm: float | None, level: float
) -> PairedDifference:
    """Return the linearized difference, with these bounds or by default its own."""
    k_a, n_a, k_b, n_b = pair.counts.sum(axis=1).tolist()
    clusters = int(np.count_nonzero(pair.counts[1]))
    difference = quotient(k_a * n_b - k_b * n_a, n_a * n_b)
    se = None
    if clusters > 1:  # sqrt(C/(C-1) · sum d_c²), d_c = (k_ac - p_a n_ac)/N_a - (k_bc - p_b n_bc)/N_b
        of_a, of_b = (_influence(k, n) for k, n in (pair.counts[:2], pair.counts[2:]))
        squares = math.fsum(((of_a - of_b) * (of_a - of_b)).tolist())
        se = math.sqrt(clusters / (clusters - 1) * squares)
    effective = _effective(pair)
    interval = bounds or t_bounds(difference, se, clusters, level, effective)
    return PairedDifference(
        a=pair.a,
        b=pair.b,
        clusters=clusters,
        value_a=quotient(k_a, n_a),
        value_b=quotient(k_b, n_b),
        difference=difference,
        se=se,
        low=interval.low,
        high=interval.high,
        method=interval.method,
        p=p,
        p_holm=p_holm,
        degrees=None if se is None else degrees_of_freedom(clusters, effective),
    )


def _bca_bounds(pairs: list[_Pair], resamples: Resamples | FixedResamples, level: float) -> dict[int, Interval]:
    """Return {index of the pair: BCa bounds of the difference}, without the pairs that have too few observations."""
    enough = [index for index, pair in enumerate(pairs) if _enough(pair)]
    bounds = {}
    for start in range(0, len(enough), PAIRS_PER_CHUNK):
        chunk = enough[start : start + PAIRS_PER_CHUNK]
        # Mostly the pairs have all clusters in common, and a system is the same row in each of its pairs.
        rows, row_numbers = distinct_rows(np.concatenate([pairs[index].counts.reshape(2, -1) for index in chunk]))
        hits, among = np.split(rows, 2, axis=1)
        drawn = replicates(hits, among, resamples)
        without = [left_out(k, n) for k, n in zip(hits, among, strict=True)]
        # Not the exact differences, which are rounded once: a replicate of the same counts must tie with the estimate.
        values = hits.sum(axis=1) / among.sum(axis=1)
        for index, a, b in zip(chunk, row_numbers[::2], row_numbers[1::2], strict=True):
            interval = bca(drawn[a] - drawn[b], float(values[a] - values[b]), without[a] - without[b], level)
            if interval.low is not None:
                bounds[index] = interval
    return bounds


def _enough(pair: _Pair) -> bool:
    k_a, n_a, k_b, n_b = (total // pair.unit for total in pair.counts.sum(axis=1).tolist())
    clusters, effective = int(np.count_nonzero(pair.counts[1])), _effective(pair)
    return method_for(clusters, k_a, n_a, effective) == method_for(clusters, k_b, n_b, effective) == "bca"


def _effective(pair: _Pair) -> float:
    """Return how many clusters of equal size the common ones are worth, for the system with the less equal ones."""
    return min(effective_clusters(n) for n in pair.counts[1::2])


def _influence(k: Counts, n: Counts) -> Floats:
    """Return (k_c - p n_c) / N from whole numbers: rounded once at the end."""
    hits, among = int(k.sum()), int(n.sum())
    return np.asarray((k * among - hits * n) / float(among) ** 2, dtype=np.float64)
