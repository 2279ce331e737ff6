"""Rank correlation of two figures over systems, with intervals that allow for clusters.

A system's figure is the mean over its responses. Whole clusters, such as prompts with the responses of all systems, are
drawn with replacement; the systems are fixed, so the interval is about these systems and other prompts.
"""

import numpy as np
from numpy.typing import ArrayLike

from .bootstrap import FixedResamples, Floats, Resamples, bca
from .intervals import MIN_CLUSTERS, BoundedFigure, Interval
from .undefined import defined

MIN_SYSTEMS = 3
"""Two systems always agree or disagree entirely."""
MAX_UNDEFINED = 0.1
"""There is no interval if a larger share of the resamples has no coefficient: it lacks a system, or all systems tie."""
NAMES = ("spearman", "kendall_tau_b")


def system_correlations(
    x: ArrayLike,
    y: ArrayLike,
    systems: ArrayLike,
    clusters: ArrayLike,
    *,
    resamples: Resamples | FixedResamples | None = None,
    level: float = 0.95,
) -> dict[str, BoundedFigure]:
    """Return Spearman's rho and Kendall's tau-b of the means of `x` and `y` by system, with BCa intervals.

    All arrays have shape (responses,); `systems` and `clusters` are numbers from 0, the clusters' below that of the
    `resamples`. Responses with an undefined value are left out. Undefined with fewer than MIN_SYSTEMS systems; no
    interval without resamples or with fewer than ten clusters.
    """
    values = np.stack([np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)])
    used = np.isfinite(values).all(axis=0)
    system = np.unique(np.asarray(systems, dtype=np.int64)[used], return_inverse=True)[1]
    cluster, count = np.asarray(clusters, dtype=np.int64)[used], int(system.max(initial=-1)) + 1
    if count < MIN_SYSTEMS:
        return {name: BoundedFigure(None, None, None, "none") for name in NAMES}
    size = resamples.clusters if resamples else int(cluster.max()) + 1
    cell = cluster * count + system
    parts = [np.bincount(cell, part, size * count) for part in (*values[:, used], np.ones(used.sum()))]
    sums: Floats = np.asarray(np.stack(parts).reshape(3, size, count), dtype=np.float64)
    whole = _coefficients(sums.sum(axis=1, keepdims=True))
    bounds: dict[str, Interval] = {}
    if resamples is not None and len(np.unique(cluster)) >= MIN_CLUSTERS:
        bounds = _bounds(sums, {name: float(value[0]) for name, value in whole.items()}, resamples, level)
    return {name: BoundedFigure.of(defined(whole[name][0]), bounds.get(name)) for name in NAMES}


def _bounds(
    sums: Floats, estimates: dict[str, float], resamples: Resamples | FixedResamples, level: float
) -> dict[str, Interval]:
    blocks = [
        _coefficients(np.stack([np.asarray(weights, dtype=np.float64) @ part for part in sums]))
        for weights in resamples.blocks()
    ]
    occupied = sums[2].sum(axis=1) > 0
    left_out = _coefficients(sums.sum(axis=1, keepdims=True) - sums[:, occupied])
    bounds = {}
    for name, estimate in estimates.items():
        drawn = np.concatenate([block[name] for block in blocks])
        if np.isfinite(estimate) and np.isnan(drawn).mean() <= MAX_UNDEFINED:
            bounds[name] = bca(drawn, estimate, left_out[name], level)
    return bounds


def _coefficients(sums: Floats) -> dict[str, Floats]:
    """Return the coefficients of each row of sums of x, of y and of responses, shape (3, rows, systems)."""
    with np.errstate(invalid="ignore", divide="ignore"):
        # Rounded, so that systems with the same values tie whatever the order in which they were added.
        x, y = (np.round(part / sums[2], 12) for part in sums[:2])
    size, spearman, kendall = x.shape[1], np.zeros(len(x)), np.zeros(len(x))
    rank_x, rank_y = (np.full(part.shape, (size + 1) / 2) for part in (x, y))
    untied_x, untied_y = np.zeros(len(x)), np.zeros(len(x))
    for i in range(size):
        for j in range(i + 1, size):
            first, second = np.sign(x[:, i] - x[:, j]), np.sign(y[:, i] - y[:, j])
            kendall += first * second
            untied_x, untied_y = untied_x + abs(first), untied_y + abs(second)
            for ranks, sign in ((rank_x, first), (rank_y, second)):
                ranks[:, i] += sign / 2
                ranks[:, j] -= sign / 2
    centered_x, centered_y = rank_x - (size + 1) / 2, rank_y - (size + 1) / 2
    with np.errstate(invalid="ignore", divide="ignore"):
        spread = (centered_x**2).sum(axis=1) * (centered_y**2).sum(axis=1)
        spearman = np.clip((centered_x * centered_y).sum(axis=1) / np.sqrt(spread), -1.0, 1.0)
        kendall = kendall / np.sqrt(untied_x * untied_y)
    return {"spearman": spearman, "kendall_tau_b": kendall}
