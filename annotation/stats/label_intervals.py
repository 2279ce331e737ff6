"""Intervals by unit (prompt or document) of the figures that compare two sets of labels.

Accuracy, precision and recall are ratios over clusters and have Korn-Graubard's bounds; kappas, F1 and MCC have
percentile bounds of the cluster bootstrap (Field and Welsh 2007): confusion tables of whole units are drawn and summed.
Where items were drawn with unequal probabilities π, tables have sums of weights 1/π (Horvitz and Thompson 1952).
"""

from collections.abc import Callable, Collection

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .bootstrap import FixedResamples, Resamples, reliable_percentile
from .hybrid import weighted_share
from .intervals import MIN_CLUSTERS, BoundedFigure, Interval, closed_form
from .label_comparison import Table, detection, match, whole_or_float
from .proportions import Floats, ratio

Replicates = Callable[[Floats], dict[str, Floats]]


def match_intervals(
    tables: ArrayLike,
    squares: ArrayLike | None = None,
    counts: ArrayLike | None = None,
    *,
    resamples: int = 10_000,
    seed: int = 1,
    level: float = 0.95,
) -> dict[str, BoundedFigure]:
    """Return accuracy, both kappas and macro F1 of `label_comparison.match` with intervals.

    `tables` of shape (units, categories, categories): the confusion table of each unit, rows true labels, columns
    judged ones; units in an order that does not change, since the resamples depend on it. Units without a label are
    left out. No interval with fewer than 10 units; percentile ones neither where more than 5 % of the resamples are
    undefined or all are alike. With `squares` and `counts`, `tables` have sums of weights and these, of the same shape,
    sums of the squared weights and numbers of items. Raises ValueError for another shape, or counts that are negative
    or not whole.
    """
    sums, of_weights = _checked(tables, squares, counts)
    figures = match(sums.sum(axis=0))
    everything = np.ones(sums.shape[1:], dtype=bool)
    intervals = {"accuracy": _share(sums, of_weights, np.eye(len(everything), dtype=bool), everything, level)}
    intervals |= _percentiles(sums, _match_replicates, resamples, seed, level)
    return {name: BoundedFigure.of(getattr(figures, name), intervals[name]) for name in intervals}


def detection_intervals(
    tables: ArrayLike,
    positive: Collection[int],
    squares: ArrayLike | None = None,
    counts: ArrayLike | None = None,
    *,
    resamples: int = 10_000,
    seed: int = 1,
    level: float = 0.95,
) -> dict[str, BoundedFigure]:
    """Return precision, recall, F1, MCC and balanced accuracy of `label_comparison.detection` with intervals.

    `positive`: the categories to detect. Everything else as in `match_intervals`.
    """
    sums, of_weights = _checked(tables, squares, counts)
    fourfold, of_weights = _fourfold(sums, positive), tuple(_fourfold(each, positive) for each in of_weights)
    figures = detection(fourfold.sum(axis=0), {1})
    tp, judged, true = (np.array(mask, dtype=bool) for mask in ([[0, 0], [0, 1]], [[0, 1], [0, 1]], [[0, 0], [1, 1]]))
    intervals = {
        "precision": _share(fourfold, of_weights, tp, judged, level),
        "recall": _share(fourfold, of_weights, tp, true, level),
    }
    intervals |= _percentiles(fourfold, _detection_replicates, resamples, seed, level)
    return {name: BoundedFigure.of(getattr(figures, name), intervals[name]) for name in intervals}


def _checked(tables: ArrayLike, squares: ArrayLike | None, counts: ArrayLike | None) -> tuple[Table, tuple[Table, ...]]:
    """Return the tables of the units with a label; of weighted ones also those of squared weights and of counts."""
    numbers = whole_or_float(tables)
    if numbers.ndim != 3 or numbers.shape[1] != numbers.shape[2]:
        raise ValueError(f"confusion tables have shape {numbers.shape}: give units x categories x categories")
    if np.any(numbers < 0) or (squares is None and numbers.dtype.kind != "i"):
        raise ValueError("confusion tables hold numbers that are negative or not whole: give counts of items")
    used = numbers.sum(axis=(1, 2)) > 0
    if squares is None:
        return numbers[used], ()
    of_squares, of_counts = np.asarray(squares, dtype=np.float64), np.asarray(counts, dtype=np.float64)
    if not of_squares.shape == of_counts.shape == numbers.shape:
        raise ValueError(
            f"weights have shape {numbers.shape}, their squares {of_squares.shape}, the counts {of_counts.shape}: give "
            "all for each"
        )
    return numbers[used], (of_squares[used], of_counts[used])


def _share(
    tables: Table, of_weights: tuple[Table, ...], hits: NDArray[np.bool_], among: NDArray[np.bool_], level: float
) -> Interval:
    """Return the bounds of the share of some cells among others, both masks of shape (categories, categories).

    `of_weights`: the tables of squared weights and of counts; empty where all weights are equal.
    """
    k, n = tables[:, hits].sum(axis=1), tables[:, among].sum(axis=1)
    if not of_weights:
        return closed_form(ratio(k, n), level)
    squares, items = (float(each[:, among].sum()) for each in of_weights)
    estimate = weighted_share(k, n, squares, round(items), level)
    return Interval(estimate.low, estimate.high, "none" if estimate.low is None else "korn-graubard")


def _fourfold(counts: Table, positive: Collection[int]) -> Table:
    """Return tables of two categories, the positive ones last."""
    group = np.zeros((2, counts.shape[1]), dtype=np.int64)
    group[np.isin(np.arange(counts.shape[1]), list(positive)).astype(int), np.arange(counts.shape[1])] = 1
    return np.einsum("ai,uij,bj->uab", group, counts, group)


def _percentiles(counts: Table, figures: Replicates, resamples: int, seed: int, level: float) -> dict[str, Interval]:
    """Return percentile bounds of every figure that `figures` computes from tables (resamples, q, q)."""
    units, q = counts.shape[:2]
    # Without a resample the names of the figures remain, and none has bounds.
    drawn = Resamples(units, resamples, seed) if units >= MIN_CLUSTERS else FixedResamples(np.ones((1, units), "f4"))
    flat = counts.reshape(units, q * q).astype(np.float64)
    parts = [figures((weights.astype(np.float64) @ flat).reshape(-1, q, q)) for weights in drawn.blocks()]
    return {name: reliable_percentile(np.concatenate([part[name] for part in parts]), level) for name in parts[0]}


def _match_replicates(tables: Floats) -> dict[str, Floats]:
    q = tables.shape[1]
    true, judged, n = tables.sum(axis=2), tables.sum(axis=1), tables.sum(axis=(1, 2))
    squared = (np.arange(q)[:, None] - np.arange(q)) ** 2
    with np.errstate(divide="ignore", invalid="ignore"):
        f1 = 2 * np.diagonal(tables, axis1=1, axis2=2) / (true + judged)
        used = np.isfinite(f1)
        macro_f1 = np.where(used, f1, 0).sum(axis=1) / used.sum(axis=1)
        kappas = [
            1 - n * (tables * distance).sum(axis=(1, 2)) / np.einsum("ri,rj,ij->r", true, judged, distance)
            for distance in (1 - np.eye(q), squared)
        ]
    return {"cohen_kappa": kappas[0], "cohen_kappa_quadratic": kappas[1], "macro_f1": macro_f1}


def _detection_replicates(tables: Floats) -> dict[str, Floats]:
    tp, fp, fn, tn = tables[:, 1, 1], tables[:, 0, 1], tables[:, 1, 0], tables[:, 0, 0]
    with np.errstate(divide="ignore", invalid="ignore"):
        return {
            "f1": 2 * tp / (2 * tp + fp + fn),
            "mcc": (tp * tn - fp * fn) / np.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)),
            "balanced_accuracy": (tp / (tp + fn) + tn / (tn + fp)) / 2,
        }
