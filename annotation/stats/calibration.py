"""Calibration of a judge: whether its confidence is how often it is right.

Confidence is between 0 and 1; a verdict is right or not by people's answer. Sources: Brier (1950) for the score,
Murphy and Winkler (1977) for the reliability curve, Naeini, Cooper and Hauskrecht (2015) for the calibration error.
"""

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from .undefined import quotient


@dataclass(frozen=True, slots=True)
class CalibrationBin:
    """Verdicts with a confidence from `low` to below `high` (the last bin has `high` too).

    `confidence` and `accuracy` are means over its `n` verdicts, None without one; `right` is a count.
    """

    low: float
    high: float
    n: int
    right: int
    confidence: float | None
    accuracy: float | None


@dataclass(frozen=True, slots=True)
class Calibration:
    """`ece`: expected calibration error, Σ n_b/n · |accuracy − confidence|; `largest_error`: the largest |accuracy −
    confidence| of a bin; `brier`: mean of (confidence − right)². None without a verdict.
    """

    n: int
    bins: tuple[CalibrationBin, ...]
    ece: float | None
    largest_error: float | None
    brier: float | None


def calibration(
    confidence: ArrayLike, right: ArrayLike, weights: ArrayLike | None = None, *, bins: int = 10
) -> Calibration:
    """Return the reliability curve in `bins` bins of equal width, and its errors.

    `confidence` and `right` (0 or 1) have shape (verdicts,), and so have the `weights` of means and errors. Raises
    ValueError for a confidence that is not between 0 and 1, lengths that differ, `right` that is neither 0 nor 1, or
    fewer than one bin.
    """
    share, hit = np.asarray(confidence, dtype=np.float64).ravel(), np.asarray(right, dtype=np.float64).ravel()
    if share.shape != hit.shape:
        raise ValueError(f"{share.size} confidences but {hit.size} verdicts: give one of each")
    if bins < 1:
        raise ValueError(f"{bins} bins: give one at least")
    if not np.all((share >= 0) & (share <= 1)):
        raise ValueError("a confidence is not between 0 and 1: leave out verdicts without one")
    if not np.all((hit == 0) | (hit == 1)):
        raise ValueError("a verdict is neither right (1) nor wrong (0)")
    weight = np.ones(share.size) if weights is None else np.asarray(weights, dtype=np.float64).ravel()
    edges = np.arange(bins + 1) / bins
    index = np.minimum(np.searchsorted(edges, share, side="right") - 1, bins - 1)
    total = math.fsum(weight.tolist())
    curve: list[CalibrationBin] = []
    errors: list[tuple[float, float]] = []
    for number, (low, high) in enumerate(pairwise(edges.tolist())):
        w, right_here = weight[index == number], hit[index == number]
        size = math.fsum(w.tolist())
        mean, accuracy = (quotient(math.fsum((w * x).tolist()), size) for x in (share[index == number], right_here))
        curve.append(CalibrationBin(low, high, len(w), int(right_here.sum()), mean, accuracy))
        if accuracy is not None and mean is not None:
            errors.append((size, abs(accuracy - mean)))
    return Calibration(
        n=share.size,
        bins=tuple(curve),
        ece=quotient(math.fsum(size * error for size, error in errors), total),
        largest_error=max((error for _, error in errors), default=None),
        brier=quotient(math.fsum((weight * (share - hit) ** 2).tolist()), total),
    )
