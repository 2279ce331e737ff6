"""Comparison of two sets of labels for the same items: a model judge or a rater against people or gold.

Everything is computed from the confusion table: rows are true labels, columns judged ones.
"""

import math
from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .intervals import wilson
from .proportions import Counts, count_table, share
from .undefined import quotient


@dataclass(frozen=True, slots=True)
class LabelMatch:
    """How two sets of labels match. `cohen_kappa_quadratic` takes the categories in order. None where 0/0."""

    n: int
    accuracy: float | None
    cohen_kappa: float | None
    cohen_kappa_quadratic: float | None
    macro_f1: float | None


@dataclass(frozen=True, slots=True)
class Detection:
    """Detection of the positive categories; each figure is None if it is 0/0."""

    tp: int
    fp: int
    fn: int
    tn: int
    precision: float | None
    recall: float | None
    f1: float | None
    mcc: float | None
    balanced_accuracy: float | None


@dataclass(frozen=True, slots=True)
class GoldScore:
    """One rater against gold answers: `low`, `high` are Wilson bounds of `accuracy`."""

    answered: int
    correct: int
    accuracy: float | None
    low: float | None
    high: float | None
    accuracy_binary: float | None
    cohen_kappa: float | None


def confusion(truth: ArrayLike, judged: ArrayLike, categories: int) -> Counts:
    """Count of (true, judged), shape (categories, categories), from two index arrays (items,); -1 = missing."""
    return count_table(truth, judged, (categories, categories))


def match(table: ArrayLike) -> LabelMatch:
    """Return Accuracy, Cohen's (1960) kappa, plain and with quadratic weights (Cohen 1968), and macro F1 of a confusion
    table.

    Macro F1 averages the F1 of the categories that occur on either side; one that neither side used has none.
    """
    counts = _square(table)
    n = int(counts.sum())
    squared = (np.arange(len(counts))[:, None] - np.arange(len(counts))) ** 2
    f1_scores = [_f1(counts, {c}) for c in range(len(counts))]
    used = [f1 for f1 in f1_scores if f1 is not None]
    return LabelMatch(
        n=n,
        accuracy=share(int(np.trace(counts)), n),
        cohen_kappa=_weighted_kappa(counts, 1 - np.eye(len(counts), dtype=np.int64)),
        cohen_kappa_quadratic=_weighted_kappa(counts, squared),
        macro_f1=quotient(math.fsum(used), len(used)),
    )


def detection(table: ArrayLike, positive: Collection[int]) -> Detection:
    """Return precision, recall, F1, Matthews' (1975) correlation and balanced accuracy, `positive` against the rest."""
    tp, fp, fn, tn = _fourfold(_square(table), positive)
    recall, specificity = share(tp, tp + fn), share(tn, tn + fp)
    margins = (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)
    return Detection(
        tp=tp,
        fp=fp,
        fn=fn,
        tn=tn,
        precision=share(tp, tp + fp),
        recall=recall,
        f1=share(2 * tp, 2 * tp + fp + fn),
        mcc=(tp * tn - fp * fn) / math.sqrt(margins) if margins else None,
        balanced_accuracy=None if recall is None or specificity is None else (recall + specificity) / 2,
    )


def against_gold(
    gold: ArrayLike, answers: ArrayLike, categories: int, *, accurate: int = 0, level: float = 0.95
) -> GoldScore:
    """Return one rater's answers against gold, index arrays of shape (items,); -1 = not answered, excluded.

    `accuracy`: the same of all categories; `accuracy_binary`: both `accurate` or both not. An answer such as "can't
    assess" is a separate category and so is wrong unless it is the gold answer.
    """
    table = confusion(gold, answers, categories)
    answered, correct = int(table.sum()), int(np.trace(table))
    bounds = wilson(correct, answered, level)
    tp, _, _, tn = _fourfold(table, {accurate})
    return GoldScore(
        answered=answered,
        correct=correct,
        accuracy=share(correct, answered),
        low=bounds.low,
        high=bounds.high,
        accuracy_binary=share(tp + tn, answered),
        cohen_kappa=match(table).cohen_kappa,
    )


def _square(table: ArrayLike) -> Counts:
    counts = np.asarray(table, dtype=np.int64)
    if counts.ndim != 2 or counts.shape[0] != counts.shape[1]:
        raise ValueError(f"a confusion table has as many rows as columns, this one has shape {counts.shape}")
    return counts


def _weighted_kappa(counts: Counts, distance: NDArray[np.int64]) -> float | None:
    """Return 1 - observed over expected disagreement, in whole numbers: n sum(w o) / sum(w row column)."""
    observed = int(counts.sum()) * int((counts * distance).sum())
    expected = int((np.outer(counts.sum(axis=1), counts.sum(axis=0)) * distance).sum())
    disagreement = quotient(observed, expected)
    return None if disagreement is None else 1 - disagreement


def _fourfold(counts: Counts, positive: Collection[int]) -> tuple[int, int, int, int]:
    """Return tp, fp, fn, tn."""
    is_positive = np.isin(np.arange(len(counts)), list(positive))
    true, judged = counts[is_positive], counts[:, is_positive]
    tp = int(true[:, is_positive].sum())
    fp, fn = int(judged.sum()) - tp, int(true.sum()) - tp
    return tp, fp, fn, int(counts.sum()) - tp - fp - fn


def _f1(counts: Counts, positive: Collection[int]) -> float | None:
    tp, fp, fn, _ = _fourfold(counts, positive)
    return share(2 * tp, 2 * tp + fp + fn)
