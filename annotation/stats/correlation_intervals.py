"""Correlation coefficients with intervals that allow for clusters: whole clusters are drawn with replacement.

Scores take few values, so the pairs of values that occur are few. A resample then is a table of how often each pair was
drawn, and every coefficient of every resample follows from these tables: ranks are computed within each resample. With
many pairs of values, ranks are computed from the responses (`rank_replicates`).
"""

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .bootstrap import FixedResamples, Floats, Resamples, bca
from .correlation import kendall_tau_b, pearson, spearman
from .intervals import MIN_CLUSTERS, BoundedFigure, Interval
from .rank_replicates import RankedResponses

# Kendall's coefficient compares each pair of values with each other one: with more pairs it has no interval. Above as
# many, tables take longer than the responses one by one.
MAX_PAIRS = 500
# Values are taken to this many halvings of one, so that their products add up exactly.
HALVINGS = 16
# Resamples × pairs in one table: 4 MB, of which there are a few.
CHUNK_SIZE = 500_000
NAMES = ("pearson", "spearman", "kendall_tau_b")
RANK_NAMES = ("spearman", "kendall_tau_b")
COEFFICIENTS = dict(zip(NAMES, (pearson, spearman, kendall_tau_b), strict=True))


@dataclass(frozen=True)
class _Pairs:
    """The different pairs of values: `x` and `y` of each (also as numbers of the different values in order), and how
    often each occurs in each cluster, shape (clusters, pairs)."""

    x: Floats
    y: Floats
    rank_x: NDArray[np.int64]
    rank_y: NDArray[np.int64]
    counts: Floats


def correlations(
    x: ArrayLike,
    y: ArrayLike,
    clusters: ArrayLike,
    *,
    resamples: Resamples | FixedResamples | None = None,
    level: float = 0.95,
    names: Collection[str] = NAMES,
) -> dict[str, BoundedFigure]:
    """Return Pearson's r, Spearman's rho and Kendall's tau-b of two series of shape (responses,), with BCa intervals.

    Pairs with an undefined value are left out. No intervals without resamples, or with fewer than ten clusters.
    `names`: the coefficients that are computed.
    """
    xs, ys = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    is_finite = np.isfinite(xs) & np.isfinite(ys)
    cluster = np.asarray(clusters, dtype=np.int64)[is_finite]
    return correlations_with_each(
        xs[is_finite], ys[None, is_finite], cluster, resamples=resamples, level=level, names=names
    )[0]


def correlations_with_each(
    x: Floats,
    ys: Floats,
    cluster: NDArray[np.int64],
    *,
    resamples: Resamples | FixedResamples | None = None,
    level: float = 0.95,
    names: Collection[str] = NAMES,
) -> list[dict[str, BoundedFigure]]:
    """Return `correlations` of x, shape (responses,), with each of ys, shape (others, responses), all defined.

    They take less time than one by one: x is ranked in every resample once.
    """
    values = [{name: COEFFICIENTS[name](x, y) for name in NAMES if name in names} for y in ys]
    bounds: list[dict[str, Interval]] = [{} for _ in ys]
    if resamples is not None and len(np.unique(cluster)) >= MIN_CLUSTERS:
        many = [len(np.unique(np.stack([x, y], axis=1), axis=0)) > MAX_PAIRS for y in ys]
        defined = [{name for name, value in each.items() if value is not None} for each in values]
        ranked = [n for n, each in enumerate(defined) if "spearman" in each and many[n]]
        if ranked:
            responses = RankedResponses.sort(x, ys[ranked], cluster)
            drawn = np.concatenate([responses.spearman(weights) for weights in resamples.blocks()], axis=1)
            rows = responses.without_each(resamples.clusters)
            left_out = np.concatenate([responses.spearman(weights) for weights in rows], axis=1)
            whole = responses.spearman(np.ones((1, resamples.clusters)))[:, 0].tolist()
            intervals = [bca(*each, level) for each in zip(drawn, whole, left_out, strict=True)]
            for n, interval in zip(ranked, intervals, strict=True):
                bounds[n]["spearman"] = interval
        for n, y in enumerate(ys):
            of_table = defined[n] - bounds[n].keys() - ({"kendall_tau_b"} if many[n] else set())
            if of_table:
                bounds[n] |= _bounds(of_table, _pairs(x, y, cluster, resamples.clusters), resamples, level)
    return [
        {name: BoundedFigure.of(value, bounds[n].get(name)) for name, value in each.items()}
        for n, each in enumerate(values)
    ]


def _pairs(x: Floats, y: Floats, cluster: NDArray[np.int64], clusters: int) -> _Pairs:
    pairs, number = np.unique(np.stack([x, y], axis=1), axis=0, return_inverse=True)
    number = number.reshape(-1)
    width = len(pairs)
    counts = np.bincount(cluster * width + number, minlength=clusters * width).reshape(clusters, width)
    rank_x, rank_y = (np.unique(pairs[:, side], return_inverse=True)[1].reshape(-1) for side in (0, 1))
    return _Pairs(pairs[:, 0], pairs[:, 1], rank_x, rank_y, counts.astype(np.float64))


def _bounds(
    names: Collection[str], pairs: _Pairs, resamples: Resamples | FixedResamples, level: float
) -> dict[str, Interval]:
    drawn: dict[str, list[Floats]] = {name: [] for name in names}
    # Some resamples at a time, so that memory stays flat.
    step = max(1, CHUNK_SIZE // max(1, len(pairs.x)))
    for weights in (
        block[start : start + step] for block in resamples.blocks() for start in range(0, len(block), step)
    ):
        for name, values_drawn in _replicates(weights.astype(np.float64) @ pairs.counts, pairs, names).items():
            drawn[name].append(values_drawn)
    occupied = pairs.counts.sum(axis=1) > 0
    left_out = _replicates(pairs.counts.sum(axis=0) - pairs.counts[occupied], pairs, names)
    whole = _replicates(pairs.counts.sum(axis=0, keepdims=True), pairs, names)
    return {
        # The estimate as the replicates compute it: one of the same counts must tie with it.
        name: bca(np.concatenate(values_drawn), float(whole[name][0]), left_out[name], level)
        for name, values_drawn in drawn.items()
    }


def _replicates(weights: Floats, pairs: _Pairs, names: Collection[str] = NAMES) -> dict[str, Floats]:
    """Return the coefficients under each row of weights, shape (resamples, pairs): NaN where a series is constant."""
    computed: dict[str, Floats] = {}
    if "pearson" in names:
        x, y = (np.broadcast_to(_in_units(values), weights.shape) for values in (pairs.x, pairs.y))
        computed["pearson"] = _pearson(weights, x, y)
    if "spearman" in names:
        computed["spearman"] = _pearson(weights, _ranks(weights, pairs.rank_x), _ranks(weights, pairs.rank_y))
    if "kendall_tau_b" in names:
        computed["kendall_tau_b"] = _tau_b(weights, pairs)
    return computed


def _in_units(values: Floats) -> Floats:
    """Return whole numbers, centered: a coefficient depends neither on the scale's origin nor on its unit."""
    span = float(np.ptp(values)) or 1.0
    return np.asarray(np.rint((values - values.min()) / span * 2**HALVINGS), dtype=np.float64)


def _pearson(weights: Floats, x: Floats, y: Floats) -> Floats:
    """Return weighted r of each row; all arrays have shape (resamples, pairs)."""
    n = weights.sum(axis=1, keepdims=True)
    with np.errstate(invalid="ignore", divide="ignore"):
        x_centered = x - (weights * x).sum(axis=1, keepdims=True) / n
        y_centered = y - (weights * y).sum(axis=1, keepdims=True) / n
        spread = (weights * x_centered * x_centered).sum(axis=1) * (weights * y_centered * y_centered).sum(axis=1)
        r = (weights * x_centered * y_centered).sum(axis=1) / np.sqrt(spread)
    tiny = 1e-9  # rounding error of a constant series
    return np.where(spread > tiny, np.clip(r, -1.0, 1.0), np.nan)


def _ranks(weights: Floats, number: NDArray[np.int64]) -> Floats:
    """Return the average rank of each pair's value within each resample; `number` is the value's position in order."""
    order = np.argsort(number, kind="stable")
    starts = np.flatnonzero(np.diff(number[order], prepend=-1))
    often = np.add.reduceat(weights[:, order], starts, axis=1)
    ranks = np.cumsum(often, axis=1) - (often - 1) / 2
    return np.asarray(ranks[:, number], dtype=np.float64)


def _tau_b(weights: Floats, pairs: _Pairs) -> Floats:
    """Return tau-b of each row: concordant less discordant, over the root of the pairs untied in either series."""
    x, y = pairs.rank_x, pairs.rank_y
    signs = np.sign(x[:, None] - x[None, :]) * np.sign(y[:, None] - y[None, :])
    concordant = ((weights @ signs.astype(np.float64)) * weights).sum(axis=1) / 2
    untied = [_untied(weights, number) for number in (x, y)]
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(untied[0] * untied[1] > 0, concordant / np.sqrt(untied[0] * untied[1]), np.nan))


def _untied(weights: Floats, number: NDArray[np.int64]) -> Floats:
    often = weights @ np.eye(int(number.max()) + 1)[number]
    n = weights.sum(axis=1)
    return np.asarray((n * n - (often * often).sum(axis=1)) / 2, dtype=np.float64)
