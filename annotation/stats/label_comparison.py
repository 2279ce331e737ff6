"""Comparison of two sets of labels for the same items: a model judge or a rater against people or gold.

Everything is computed from the confusion table: rows are true labels, columns judged ones. It has counts of items, or
where items were drawn with unequal probabilities π, sums of their weights 1/π: then all figures are weighted.
"""

import math
from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .proportions import Counts, count_table
from .undefined import quotient

Table = NDArray[np.int64] | NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class LabelMatch:
    """How two sets of labels match. `cohen_kappa_quadratic` takes the categories in order. None where 0/0."""

    n: float
    accuracy: float | None
    cohen_kappa: float | None
    cohen_kappa_quadratic: float | None
    macro_f1: float | None


@dataclass(frozen=True, slots=True)
class Detection:
    """Detection of the positive categories; each figure is None if it is 0/0."""

    tp: float
    fp: float
    fn: float
    tn: float
    precision: float | None
    recall: float | None
    f1: float | None
    mcc: float | None
    balanced_accuracy: float | None


def confusion(truth: ArrayLike, judged: ArrayLike, categories: int) -> Counts:
    """Count of (true, judged), shape (categories, categories), from two index arrays (items,); -1 = missing."""
    return count_table(truth, judged, (categories, categories))


def match(table: ArrayLike) -> LabelMatch:
    """Return Accuracy, Cohen's (1960) kappa, plain and with quadratic weights (Cohen 1968), and macro F1 of a confusion
    table.

    Macro F1 averages the F1 of the categories that occur on either side; one that neither side used has none.
    """
    counts = _square(table)
    n = _sum(counts)
    squared = (np.arange(len(counts))[:, None] - np.arange(len(counts))) ** 2
    f1_scores = [_f1(counts, {c}) for c in range(len(counts))]
    used = [f1 for f1 in f1_scores if f1 is not None]
    return LabelMatch(
        n=n,
        accuracy=quotient(_sum(counts.diagonal()), n),
        cohen_kappa=_weighted_kappa(counts, 1 - np.eye(len(counts), dtype=np.int64)),
        cohen_kappa_quadratic=_weighted_kappa(counts, squared),
        macro_f1=quotient(math.fsum(used), len(used)),
    )


def detection(table: ArrayLike, positive: Collection[int]) -> Detection:
    """Return precision, recall, F1, Matthews' (1975) correlation and balanced accuracy, `positive` against the rest."""
    tp, fp, fn, tn = _fourfold(_square(table), positive)
    recall, specificity = quotient(tp, tp + fn), quotient(tn, tn + fp)
    margins = (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)
    return Detection(
        tp=tp,
        fp=fp,
        fn=fn,
        tn=tn,
        precision=quotient(tp, tp + fp),
        recall=recall,
        f1=quotient(2 * tp, 2 * tp + fp + fn),
        mcc=(tp * tn - fp * fn) / math.sqrt(margins) if margins else None,
        balanced_accuracy=None if recall is None or specificity is None else (recall + specificity) / 2,
    )


def whole_or_float(table: ArrayLike) -> Table:
    """Return numbers as int64 where all are whole, so that they are added exactly, else as float64."""
    numbers = np.asarray(table)
    whole = numbers.astype(np.int64)
    return whole if np.array_equal(whole, numbers) else numbers.astype(np.float64)


def _square(table: ArrayLike) -> Table:
    counts = whole_or_float(table)
    if counts.ndim != 2 or counts.shape[0] != counts.shape[1]:
        raise ValueError(f"a confusion table has as many rows as columns, this one has shape {counts.shape}")
    return counts


def _sum(numbers: NDArray[np.integer] | NDArray[np.floating]) -> float:
    """Return the sum: an int of counts; of weights the exact sum, rounded once, whatever their order."""
    return int(numbers.sum()) if numbers.dtype.kind == "i" else math.fsum(numbers.ravel().tolist())


def _weighted_kappa(counts: Table, distance: NDArray[np.int64]) -> float | None:
    """Return 1 - observed over expected disagreement: n sum(w o) / sum(w row column), of counts in whole numbers."""
    observed = _sum(counts) * _sum(counts * distance)
    expected = _sum(np.outer(counts.sum(axis=1), counts.sum(axis=0)) * distance)
    disagreement = quotient(observed, expected)
    return None if disagreement is None else 1 - disagreement


def _fourfold(counts: Table, positive: Collection[int]) -> tuple[float, float, float, float]:
    """Return tp, fp, fn, tn."""
    is_positive = np.isin(np.arange(len(counts)), list(positive))
    true, others = counts[is_positive], counts[~is_positive]
    return (
        _sum(true[:, is_positive]),
        _sum(others[:, is_positive]),
        _sum(true[:, ~is_positive]),
        _sum(others[:, ~is_positive]),
    )


def _f1(counts: Table, positive: Collection[int]) -> float | None:
    tp, fp, fn, _ = _fourfold(counts, positive)
    return quotient(2 * tp, 2 * tp + fp + fn)
