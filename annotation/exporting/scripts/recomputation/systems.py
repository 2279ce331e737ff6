"""Comparisons and ranks of systems."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np

from .intervals import (
    ALIKE,
    MIN_CLUSTERS,
    Inference,
    are_very_unequal,
    bca,
    closed_form,
    degrees_of_freedom,
    effective_clusters,
    is_enough,
    leave_one_out,
    replicates,
)
from .quantiles import t_quantile
from .study import Figures

MAX_EXACT = 16
BLOCK = 2_000_000
NEARLY_TIED = 1e-9
STUDENTIZED, BARE = "studentized", "difference"
SIGNIFICANCE_LEVEL, NEAR, MORE, MAX_SWAPS = 0.05, 4, 10, 50_000_000
HUGE = 1e300  # in the place of an infinite statistic

Table = tuple[np.ndarray, np.ndarray]  # k and n by system and prompt
Pair = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]  # k_a, n_a, k_b, n_b by cluster


def compare(
    table: Table,
    cluster_of_prompt: np.ndarray,
    clusters: int,
    inference: Inference,
    statistic: str | None,
    unit: int = 1,
) -> list[Figures]:
    """Return the figures of every pair of systems for one measure; `statistic`: of the swap test, None for no test;
    `unit`: what one observation adds to n."""
    pairs, rows = [], []
    for a, b in combinations(range(len(table[0])), 2):
        common = (table[1][[a, b]] > 0).all(axis=0)
        sums = [np.bincount(cluster_of_prompt, side * common, clusters) for side in _sides(table, a, b)]
        pairs.append((sums[0], sums[1], sums[2], sums[3]))
        low, high, method, difference = bounds(pairs[-1], inference, unit)
        estimate = {"difference": difference, "low": low, "high": high, "method": method}
        degrees = _effective_degrees(pairs[-1], method, inference)
        rows.append({"prompts": int(common.sum()), "clusters": int(np.count_nonzero(sums[1])), **estimate, **degrees})
    tests = _test(pairs, inference, statistic) if statistic else [{}] * len(rows)
    return [row | test for row, test in zip(rows, tests, strict=True)]


def _test(pairs: Sequence[Pair], inference: Inference, statistic: str) -> list[Figures]:
    """Return p, adjusted p and the number of random swaps of each pair.

    Pairs whose adjusted p lies near .05 in units of the simulation error are tested again with more swaps.
    """
    clusters = [int(np.count_nonzero(pair[1])) for pair in pairs]
    swaps = [None if count <= MAX_EXACT else inference.resamples for count in clusters]
    ps = [_p(pair, inference.resamples, inference.seed, statistic) for pair in pairs]
    draws = MORE * inference.resamples
    for i, (p, adjusted) in enumerate(zip(list(ps), holm(ps), strict=True)):
        if p and adjusted is not None and swaps[i] and draws * clusters[i] <= MAX_SWAPS:
            error = math.sqrt(p * (1 - p) / inference.resamples) * adjusted / p
            if abs(adjusted - SIGNIFICANCE_LEVEL) < NEAR * error:
                ps[i], swaps[i] = _p(pairs[i], draws, inference.seed, statistic), draws
    adjusted_ps = holm(ps)
    return [{"p": p, "p_holm": q, "swaps": n} for p, q, n in zip(ps, adjusted_ps, swaps, strict=True)]


def _p(pair: Pair, draws: int, seed: int, statistic: str) -> float | None:
    common = [part[pair[1] > 0] for part in pair]
    return swap_p(*common, draws=draws, seed=seed, studentized=statistic == STUDENTIZED)


def _sides(table: Table, a: int, b: int) -> Iterator[np.ndarray]:
    for system in (a, b):
        yield table[0][system]
        yield table[1][system]


def bounds(pair: Pair, inference: Inference, unit: int = 1) -> tuple[float | None, float | None, str, float | None]:
    """Return low, high and method of the difference of two ratios, and the difference."""
    k_a, n_a, k_b, n_b = pair
    clusters = int(np.count_nonzero(n_a))
    if not clusters:
        return None, None, "t", None
    if needs_mover(pair, inference):
        return mover(pair, inference, unit)
    worth = min(effective_clusters(n_a), effective_clusters(n_b))
    shares = k_a.sum() / n_a.sum(), k_b.sum() / n_b.sum()
    difference = float(k_a.sum() * n_b.sum() - k_b.sum() * n_a.sum()) / float(n_a.sum() * n_b.sum())
    if is_enough(k_a, n_a, inference, worth, unit) and is_enough(k_b, n_b, inference, worth, unit):
        drawn = replicates(k_a, n_a, inference) - replicates(k_b, n_b, inference)
        interval = bca(drawn, shares[0] - shares[1], leave_one_out(k_a, n_a) - leave_one_out(k_b, n_b), inference)
        if interval:
            return (*interval, "bca", difference)
    if clusters < 2:
        return None, None, "t", difference
    half = t_quantile(inference.upper, degrees_of_freedom(clusters, worth, inference)) * standard_error(pair)
    return difference - half, difference + half, "t", difference


def _effective_degrees(pair: Pair, method: str, inference: Inference) -> Figures:
    """Return the degrees of freedom of a t interval over very unequal clusters; {} where they are clusters - 1."""
    clusters, worth = int(np.count_nonzero(pair[1])), min(effective_clusters(n) for n in pair[1::2])
    if method != "t" or clusters < 2 or not are_very_unequal(clusters, worth, inference):
        return {}
    return {"degrees_of_freedom": degrees_of_freedom(clusters, worth, inference)}


def needs_mover(pair: Pair, inference: Inference) -> bool:
    """Return whether the difference does not vary, or one share is 0 or 1; older reports have t bounds then."""
    k_a, n_a, k_b, n_b = pair
    if not inference.effective or np.count_nonzero(n_a) < MIN_CLUSTERS:
        return False
    one_sided = any(k.sum() in (0, n.sum()) for k, n in ((k_a, n_a), (k_b, n_b)))
    return bool(one_sided or standard_error(pair) < ALIKE)


def mover(pair: Pair, inference: Inference, unit: int) -> tuple[float, float, str, float]:
    """Return MOVER's bounds of the difference (Zou and Donner 2008) from Korn and Graubard's of the two shares."""
    (a, low_a, high_a), (b, low_b, high_b) = (_closed_form(*side, inference, unit) for side in (pair[:2], pair[2:]))
    below, above = math.hypot(a - low_a, high_b - b), math.hypot(high_a - a, b - low_b)
    return a - b - below, a - b + above, "mover", a - b


def _closed_form(k: np.ndarray, n: np.ndarray, inference: Inference, unit: int) -> tuple[float, float, float]:
    """Return a proportion with Korn and Graubard's bounds for as many hits and misses as observations."""
    return float(k.sum() / n.sum()), *closed_form(k, n, inference, unit)


def standard_error(pair: Pair) -> float:
    """Return the linearized standard error of the difference of two ratios over the common clusters."""
    k_a, n_a, k_b, n_b = pair
    clusters = int(np.count_nonzero(n_a))
    d = (k_a - k_a.sum() / n_a.sum() * n_a) / n_a.sum() - (k_b - k_b.sum() / n_b.sum() * n_b) / n_b.sum()
    return math.sqrt(clusters / (clusters - 1) * float((d * d).sum()))


def swap_p(
    k_a: np.ndarray, n_a: np.ndarray, k_b: np.ndarray, n_b: np.ndarray, *, draws: int, seed: int, studentized: bool
) -> float | None:
    """Return p of swapping the systems within clusters: exact to 16 clusters, else over random swaps."""
    clusters = len(n_a)
    if not clusters:
        return None
    observed = float(_statistic(k_a, n_a, k_b, n_b, np.zeros((1, clusters)), studentized)[0])
    extreme = 0
    for swaps in swaps_of(clusters, draws, seed):
        drawn = _statistic(k_a, n_a, k_b, n_b, swaps, studentized)
        extreme += int(np.count_nonzero(drawn >= observed * (1 - NEARLY_TIED) - 1e-15))
    return extreme / 2 ** (clusters - 1) if clusters <= MAX_EXACT else (extreme + 1) / (draws + 1)


def _statistic(
    k_a: np.ndarray, n_a: np.ndarray, k_b: np.ndarray, n_b: np.ndarray, swaps: np.ndarray, studentized: bool
) -> np.ndarray:
    """Return |D|, or D² / Σ d² if it is studentized, under each row of swaps (0 or 1 for each cluster)."""
    first_k, second_k = k_a + swaps * (k_b - k_a), k_b + swaps * (k_a - k_b)
    first_n, second_n = n_a + swaps * (n_b - n_a), n_b + swaps * (n_a - n_b)
    total_a, total_b = first_n.sum(axis=1, keepdims=True), second_n.sum(axis=1, keepdims=True)
    hits_a, hits_b = first_k.sum(axis=1, keepdims=True), second_k.sum(axis=1, keepdims=True)
    # Of whole numbers, so that a difference of 0 is exactly 0.
    difference = ((hits_a * total_b - hits_b * total_a) / (total_a * total_b))[:, 0]
    if not studentized:
        return np.abs(difference)
    d = (first_k - hits_a / total_a * first_n) / total_a - (second_k - hits_b / total_b * second_n) / total_b
    variance = (d * d).sum(axis=1)
    tiny = variance <= 1e-24 * (1 + difference * difference)
    squares = difference * difference
    return np.where(squares == 0, 0.0, np.where(tiny, HUGE, squares / np.where(tiny, 1.0, variance)))


def swaps_of(clusters: int, draws: int, seed: int) -> Iterator[np.ndarray]:
    """Yield blocks of swaps: all that keep the first cluster, to 16 clusters, else random bits (PCG64)."""
    if clusters <= MAX_EXACT:
        numbers = np.arange(2 ** (clusters - 1)) * 2
        yield ((numbers[:, None] >> np.arange(clusters)) & 1).astype(np.float64)
        return
    generator = np.random.default_rng(seed)
    rows = max(1, BLOCK // clusters)
    for start in range(0, draws, rows):
        count = min(rows, draws - start)
        bits = np.frombuffer(generator.bytes(math.ceil(count * clusters / 8)), dtype=np.uint8)
        yield np.unpackbits(bits, count=count * clusters).reshape(count, clusters).astype(np.float64)


def holm(ps: Sequence[float | None]) -> list[float | None]:
    """Return Holm's adjusted p values in the given order; undefined ones stay None."""
    order = sorted((p, i) for i, p in enumerate(ps) if p is not None)
    adjusted: list[float | None] = [None] * len(ps)
    highest = 0.0
    for rank, (p, i) in enumerate(order):
        highest = max(highest, min(1.0, p * (len(order) - rank)))
        adjusted[i] = highest
    return adjusted


def ranks(k: np.ndarray, n: np.ndarray, inference: Inference) -> list[dict[str, int | None]]:
    """Return the rank of each system, 1 the highest, and the percentile interval of its rank in the resamples."""
    with np.errstate(invalid="ignore"):
        values = k.sum(axis=1) / n.sum(axis=1)
    defined = [row for row in range(len(values)) if np.isfinite(values[row])]
    drawn = {row: replicates(k[row], n[row], inference) for row in defined} if inference.resamples else {}
    return [_rank(row, values, n, drawn, inference) for row in range(len(values))]


def _rank(
    row: int, values: np.ndarray, n: np.ndarray, drawn: dict[int, np.ndarray], inference: Inference
) -> dict[str, int | None]:
    if not np.isfinite(values[row]):
        return {"rank": None, "low": None, "high": None}
    rank = 1 + int((values > values[row]).sum())
    if len(drawn) < 2 or np.count_nonzero(n[row]) < MIN_CLUSTERS or not np.isfinite(drawn[row]).any():
        return {"rank": rank, "low": None, "high": None}
    others = [drawn[other] for other in drawn if other != row]
    ahead = np.sum([other > drawn[row] for other in others], axis=0)
    level_with = np.sum([other == drawn[row] for other in others], axis=0)
    finite = np.isfinite(drawn[row])
    best, worst = np.sort((1 + ahead)[finite]), np.sort((1 + ahead + level_with)[finite])
    low, high = (_at(ordered, p) for ordered, p in ((best, 1 - inference.upper), (worst, inference.upper)))
    return {"rank": rank, "low": low, "high": high}


def _at(ordered: np.ndarray, probability: float) -> int:
    """Return the type-1 quantile of sorted ranks."""
    return int(ordered[max(0, math.ceil(probability * len(ordered) - 1e-9) - 1)])
