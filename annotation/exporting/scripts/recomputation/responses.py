"""Means over responses and their correlations, as the protocol defines them."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np

from .intervals import ENOUGH_CLUSTERS, MIN_CLUSTERS, Inference, bca
from .study import Figures, Row, Study, holds

MAX_PAIRS = 500
HALVINGS = 16
UNIT = 2**20
COEFFICIENTS = ("pearson", "spearman", "kendall_tau_b")
assert ENOUGH_CLUSTERS >= MIN_CLUSTERS


def values_of(study: Study, key: str, rows: Sequence[Row]) -> dict[tuple[str, str], float]:
    """Return {(response, against): value} of the responses with a value in the mean `key`."""
    mean = next(mean for mean in study.protocol["means"] if mean["key"] == key)
    if "question" in mean:
        return _averages(rows, lambda row: mean["values"].get(row[f"answers.{mean['question']}"]))
    means = [mean["key"] for mean in study.protocol["means"]]
    parts = [values_of(study, part, rows) if part in means else _shares(study, part, rows) for part in mean["of"]]
    common = set.intersection(*(set(part) for part in parts))
    return {response: _harmonic([part[response] for part in parts]) for response in common}


def _averages(rows: Sequence[Row], worth: Any) -> dict[tuple[str, str], float]:
    values: dict[tuple[str, str], list[float]] = defaultdict(list)
    for row in rows:
        if (value := worth(row)) is not None:
            values[row["response"], row["against"]].append(float(value))
    return {response: math.fsum(worths) / len(worths) for response, worths in values.items()}


def _shares(study: Study, key: str, rows: Sequence[Row]) -> dict[tuple[str, str], float]:
    measure = next(measure for measure in study.measures if measure.key == key)
    return _averages(rows, lambda row: holds(measure.counts, row) if holds(measure.among, row) else None)


def _harmonic(shares: Sequence[float]) -> float:
    """Return the share, or the harmonic mean of two; that of two zeros is 0."""
    total = sum(shares)
    if len(shares) == 1:
        return shares[0]
    return 2 * shares[0] * shares[1] / total if total else 0.0


def correlation(
    x: np.ndarray, y: np.ndarray, cluster: np.ndarray, clusters: int, inference: Inference
) -> dict[str, Figures]:
    """Return Pearson's r, Spearman's rho and Kendall's tau-b with their BCa intervals."""
    pairs, counts = _distinct(x, y, cluster, clusters)
    values = _coefficients(counts.sum(axis=0, keepdims=True), pairs, exact=True)
    rounded = _coefficients(counts.sum(axis=0, keepdims=True), pairs)
    used = counts.sum(axis=1) > 0
    intervals: dict[str, tuple[float, float] | None] = {}
    if inference.resamples and used.sum() >= MIN_CLUSTERS:
        drawn = _coefficients(inference.weights(clusters) @ counts, pairs)
        left_out = _coefficients(counts.sum(axis=0) - counts[used], pairs)
        for name, replicates in drawn.items():
            if np.isfinite(values[name][0]):
                intervals[name] = bca(replicates, float(rounded[name][0]), left_out[name], inference)
    return {name: _coefficient(values, name, intervals.get(name)) for name in COEFFICIENTS}


def _coefficient(values: dict[str, np.ndarray], name: str, bounds: tuple[float, float] | None) -> Figures:
    value = float(values[name][0]) if name in values and np.isfinite(values[name][0]) else None
    low, high = bounds or (None, None)
    return {"value": value, "low": low, "high": high, "method": "bca" if bounds else "none"}


def _distinct(x: np.ndarray, y: np.ndarray, cluster: np.ndarray, clusters: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the different pairs of values, and how often each occurs in each cluster."""
    pairs, number = np.unique(np.stack([x, y], axis=1), axis=0, return_inverse=True)
    counts = np.zeros((clusters, len(pairs)))
    np.add.at(counts, (cluster, number.reshape(-1)), 1)
    return pairs, counts


def _coefficients(weights: np.ndarray, pairs: np.ndarray, *, exact: bool = False) -> dict[str, np.ndarray]:
    """Return each coefficient under each row of weights; values are rounded to 2^-16 of their span, unless exact."""
    orders = [np.unique(column, return_inverse=True)[1].reshape(-1) for column in pairs.T]
    scaled = pairs.T if exact else [_rounded(column) for column in pairs.T]
    ranked = [_ranks(weights, order) for order in orders]
    coefficients = {
        "pearson": _pearson(weights, *(np.broadcast_to(column, weights.shape) for column in scaled), exact=exact),
        "spearman": _pearson(weights, *ranked, exact=exact),
    }
    if len(pairs) <= MAX_PAIRS or exact:
        coefficients["kendall_tau_b"] = _tau_b(weights, orders)
    return coefficients


def _rounded(values: np.ndarray) -> np.ndarray:
    return np.rint((values - values.min()) / (float(np.ptp(values)) or 1.0) * 2**HALVINGS)


def _pearson(weights: np.ndarray, x: np.ndarray, y: np.ndarray, *, exact: bool) -> np.ndarray:
    n = weights.sum(axis=1, keepdims=True)
    with np.errstate(invalid="ignore", divide="ignore"):
        dx, dy = x - (weights * x).sum(axis=1, keepdims=True) / n, y - (weights * y).sum(axis=1, keepdims=True) / n
        spread = (weights * dx * dx).sum(axis=1) * (weights * dy * dy).sum(axis=1)
        r = (weights * dx * dy).sum(axis=1) / np.sqrt(spread)
    return np.where(spread > (1e-24 if exact else 1e-9), np.clip(r, -1, 1), np.nan)


def _ranks(weights: np.ndarray, order: np.ndarray) -> np.ndarray:
    """Return the average rank of each pair's value within each row of weights."""
    often = np.stack(
        [weights[:, order == value_number].sum(axis=1) for value_number in range(int(order.max()) + 1)], axis=1
    )
    return (np.cumsum(often, axis=1) - (often - 1) / 2)[:, order]


def _tau_b(weights: np.ndarray, orders: Sequence[np.ndarray]) -> np.ndarray:
    signs = np.prod([np.sign(order[:, None] - order[None, :]) for order in orders], axis=0)
    concordant = ((weights @ signs) * weights).sum(axis=1) / 2
    untied = [_untied(weights, order) for order in orders]
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(untied[0] * untied[1] > 0, concordant / np.sqrt(untied[0] * untied[1]), np.nan)


def _untied(weights: np.ndarray, order: np.ndarray) -> np.ndarray:
    ties = sum(weights[:, order == value].sum(axis=1) ** 2 for value in range(int(order.max()) + 1))
    return (weights.sum(axis=1) ** 2 - ties) / 2
