"""Intervals of proportions and means over clusters: closed forms, and the cluster bootstrap from the report's seed."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

import numpy as np

from .quantiles import NORMAL, beta_quantile, sample_quantile, t_quantile

MIN_CLUSTERS, ENOUGH_CLUSTERS, ENOUGH_EVENTS = 10, 50, 20
VERY_UNEQUAL = 1.5  # clusters for each effective one
BLOCK = 2_000_000
ALIKE = 1e-12

Bounds = tuple[float | None, float | None, str]
NO_INTERVAL: Bounds = (None, None, "none")


@dataclass(frozen=True)
class Inference:
    """Level, number of resamples, seed, and whether very unequal clusters have effective degrees of freedom."""

    level: float
    resamples: int
    seed: int
    effective: bool

    @property
    def upper(self) -> float:
        return (1 + self.level) / 2

    def weights(self, clusters: int) -> np.ndarray:
        """Return how often each cluster was drawn in each resample: shape (resamples, clusters)."""
        return resample_weights(clusters, self.resamples, self.seed)


@cache
def resample_weights(clusters: int, count: int, seed: int) -> np.ndarray:
    """Draw `count` times as many clusters as there are, with replacement (PCG64)."""
    drawn = np.random.default_rng(seed).integers(0, clusters, (count, clusters))
    cells = (drawn + np.arange(count)[:, None] * clusters).ravel()
    return np.bincount(cells, minlength=count * clusters).reshape(count, clusters).astype(np.float64)


def effective_clusters(n: np.ndarray) -> float:
    """Return how many clusters of equal size those with these sizes are worth: N² / Σ n²."""
    return float(n.sum()) ** 2 / float((n * n).sum()) if n.any() else 0.0


def degrees_of_freedom(clusters: int, worth: float, inference: Inference) -> float:
    """Return C - 1, or of very unequal clusters their effective number less 1."""
    return max(1.0, worth - 1) if are_very_unequal(clusters, worth, inference) else clusters - 1


def are_very_unequal(clusters: int, worth: float, inference: Inference) -> bool:
    return inference.effective and clusters > VERY_UNEQUAL * worth


@dataclass(frozen=True)
class Proportion:
    """k of n over clusters, with its design effect, ICC and interval."""

    value: float | None
    k: int
    n: int
    low: float | None
    high: float | None
    method: str
    deff: float | None
    icc: float | None


def proportion(k: np.ndarray, n: np.ndarray, inference: Inference, unit: int = 1) -> Proportion:
    """Return the proportion of one cell; k and n by cluster, those without a rating too; `unit`: what one observation
    adds to n."""
    hits, total, used = int(k.sum()), int(n.sum()), n > 0
    clusters = int(used.sum())
    if not total:
        return Proportion(None, 0, 0, *NO_INTERVAL, None, None)
    icc = anova_icc(k[used], n[used]) if clusters > 1 else None
    bounds = _bounds(k, n, clusters, inference, unit)
    return Proportion(hits / total, hits, total, *bounds, design_effect(k, n), icc)


def design_effect(k: np.ndarray, n: np.ndarray) -> float | None:
    """Return the linearized variance over that of independent ratings; None where it is 0/0."""
    hits, total, clusters = int(k.sum()), int(n.sum()), int(np.count_nonzero(n))
    if clusters < 2 or not 0 < hits < total:
        return None
    p = hits / total
    variance = clusters / (clusters - 1) * float(((k - p * n)[n > 0] ** 2).sum()) / total**2
    return variance / (p * (1 - p) / total)


def _bounds(k: np.ndarray, n: np.ndarray, clusters: int, inference: Inference, unit: int) -> Bounds:
    if clusters < MIN_CLUSTERS:
        return NO_INTERVAL
    if is_enough(k, n, inference, unit=unit):
        drawn = replicates(k, n, inference)
        interval = bca(drawn, k.sum() / n.sum(), leave_one_out(k, n), inference)
        if interval:
            return (*interval, "bca")
    return (*closed_form(k, n, inference, unit), "korn-graubard")


def closed_form(k: np.ndarray, n: np.ndarray, inference: Inference, unit: int) -> tuple[float, float]:
    """Return Korn and Graubard's bounds for as many hits and misses as observations, each of which adds `unit` to n."""
    deff = design_effect(k, n)
    return korn_graubard(k / unit, n / unit, None if deff is None else deff / unit, inference)


def is_enough(k: np.ndarray, n: np.ndarray, inference: Inference, worth: float | None = None, unit: int = 1) -> bool:
    """Return whether the bootstrap has enough clusters, not too unequal ones, and whole hits and misses; older reports
    compare means without this condition."""
    whole = unit if inference.effective else 1
    hits, total = int(k.sum()) // whole, int(n.sum()) // whole
    worth = effective_clusters(n) if worth is None else worth
    clusters = int(np.count_nonzero(n))
    enough = clusters >= ENOUGH_CLUSTERS and min(hits, total - hits) >= ENOUGH_EVENTS
    return bool(inference.resamples and enough and not are_very_unequal(clusters, worth, inference))


def korn_graubard(k: np.ndarray, n: np.ndarray, deff: float | None, inference: Inference) -> tuple[float, float]:
    """Return Clopper and Pearson's bounds on the effective number of ratings."""
    hits, total, clusters = float(k.sum()), float(n.sum()), int(np.count_nonzero(n))
    degrees = degrees_of_freedom(clusters, effective_clusters(n), inference)
    ratio = NORMAL.inv_cdf(inference.upper) / t_quantile(inference.upper, degrees)
    size = total / max(deff or 1.0, 1.0) * ratio**2
    events = size if hits == total else hits / total * size
    low = beta_quantile(1 - inference.upper, events, size - events + 1) if hits else 0.0
    high = beta_quantile(inference.upper, events + 1, size - events) if hits < total else 1.0
    return low, high


def exact_bounds(n: np.ndarray, inference: Inference, *, all_hit: bool) -> Bounds:
    """Return Korn and Graubard's bounds of a share of 0 or 1; none with fewer than 10 clusters."""
    if np.count_nonzero(n) < MIN_CLUSTERS:
        return NO_INTERVAL
    return (*korn_graubard(n if all_hit else np.zeros_like(n), n, None, inference), "korn-graubard")


def anova_icc(k: np.ndarray, n: np.ndarray) -> float | None:
    """Return the ANOVA estimate of the intraclass correlation of clusters that have a rating."""
    clusters, total, hits = len(n), float(n.sum()), float(k.sum())
    if clusters < 2 or total == clusters or hits in (0, total):
        return None
    between_squares = float((k * k / n).sum()) - hits * hits / total
    within_squares = hits - float((k * k / n).sum())
    between, within = between_squares / (clusters - 1), within_squares / (total - clusters)
    m = (total - float((n * n).sum()) / total) / (clusters - 1)
    divisor = between + (m - 1) * within
    return (between - within) / divisor if divisor else None


def replicates(k: np.ndarray, n: np.ndarray, inference: Inference) -> np.ndarray:
    """Return k / n in each resample; NaN where no rating was drawn."""
    weights = inference.weights(len(n))
    with np.errstate(invalid="ignore"):
        return (weights @ k) / (weights @ n)


def leave_one_out(k: np.ndarray, n: np.ndarray) -> np.ndarray:
    """Return the proportion without each cluster that has a rating."""
    used = n > 0
    with np.errstate(invalid="ignore"):
        return (k.sum() - k[used]) / (n.sum() - n[used])


def bca(drawn: np.ndarray, estimate: float, left_out: np.ndarray, inference: Inference) -> tuple[float, float] | None:
    """Return bias-corrected and accelerated bounds (Efron 1987); None where they are undefined."""
    finite = drawn[np.isfinite(drawn)]
    if not len(finite) or np.ptp(finite) < ALIKE:
        return None
    ties = abs(finite - estimate) <= ALIKE  # of the same counts
    below = (np.count_nonzero((finite < estimate) & ~ties) + np.count_nonzero(ties) / 2) / len(finite)
    if not 0 < below < 1:
        return None
    bias, z = NORMAL.inv_cdf(below), NORMAL.inv_cdf(inference.upper)
    left_out = left_out[np.isfinite(left_out)]
    d = left_out.mean() - left_out
    squares = float((d * d).sum())
    a = float((d**3).sum()) / (6 * squares**1.5) if squares > 0 else 0.0
    corrected = [NORMAL.cdf(bias + (bias + side) / (1 - a * (bias + side))) for side in (-z, z)]
    return sample_quantile(finite, corrected[0]), sample_quantile(finite, corrected[1])


def wilson(k: int, n: int, inference: Inference) -> tuple[float, float]:
    """Return Wilson's score interval of k in n independent ratings."""
    z2 = NORMAL.inv_cdf(inference.upper) ** 2
    p = k / n
    middle = (p + z2 / (2 * n)) / (1 + z2 / n)
    half = math.sqrt(z2 * (p * (1 - p) / n + z2 / (4 * n * n))) / (1 + z2 / n)
    return (0.0 if k == 0 else middle - half), (1.0 if k == n else middle + half)


@dataclass(frozen=True)
class Mean:
    """A mean over responses with its interval."""

    value: float | None
    n: int
    low: float | None
    high: float | None
    method: str


def mean(
    values: np.ndarray, cluster: np.ndarray, clusters: int, inference: Inference, *, bounded: bool = False
) -> Mean:
    """Return the mean of the values that are defined; `cluster` is the number of each one's cluster. `bounded`: bounds
    without resamples are on the logit scale, between 0 and 1.
    """
    defined = np.isfinite(values)
    values, cluster = values[defined], cluster[defined]
    if not len(values):
        return Mean(None, 0, *NO_INTERVAL)
    value = math.fsum(values) / len(values)
    x, n = np.bincount(cluster, _in_units(values, clusters), clusters), np.bincount(cluster, minlength=clusters)
    count = int(np.count_nonzero(n))
    if count < MIN_CLUSTERS:
        return Mean(value, len(values), *NO_INTERVAL)
    exact = np.bincount(cluster, values, clusters)
    se = math.sqrt(count / (count - 1) * float(((exact - value * n)[n > 0] ** 2).sum())) / len(values)
    if se < ALIKE:
        return Mean(value, len(values), *NO_INTERVAL)
    low, high, method = _mean_bounds(x, n, value, se, inference)
    if bounded and method == "t" and low is not None and high is not None:
        odds, factor = value / (1 - value), math.exp((high - low) / 2 / (value * (1 - value)))
        low, high, method = odds / (odds + factor), odds * factor / (1 + odds * factor), "logit-t"
    return Mean(value, len(values), low, high, method)


def _in_units(values: np.ndarray, clusters: int) -> np.ndarray:
    """Round the values to multiples of a power of two, at the finest 2^-30, so that sums of resamples are exact."""
    largest = max(1.0, float(np.abs(values).max())) * len(values) * clusters
    unit = 2.0 ** max(0, min(30, math.floor(math.log2(2**52 / largest))))
    return np.rint(values * unit) / unit


def _mean_bounds(x: np.ndarray, n: np.ndarray, value: float, se: float, inference: Inference) -> Bounds:
    count, worth = int(np.count_nonzero(n)), effective_clusters(n)
    if inference.resamples and count >= ENOUGH_CLUSTERS and not are_very_unequal(count, worth, inference):
        interval = bca(replicates(x, n, inference), float(x.sum() / n.sum()), leave_one_out(x, n), inference)
        if interval:
            return (*interval, "bca")
    half = t_quantile(inference.upper, degrees_of_freedom(count, worth, inference)) * se
    return value - half, value + half, "t"
