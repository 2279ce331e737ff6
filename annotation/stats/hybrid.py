"""Hybrid estimates: a proportion from people's ratings of a sample and a judge's verdicts on all items.

Prediction-powered inference for a ratio over clusters with unequal sampling probabilities. The judge's verdicts reduce
the variance and add no bias, however wrong they are: their weighted sum over the sample is compared with their sum over
all items. Sources: Angelopoulos, Duchi and Zrnic 2023 (PPI++, arXiv 2311.01453) for λ; Zrnic and Candès 2024 (active
inference, arXiv 2403.03208) and Fisch et al. 2024 (stratified, arXiv 2406.04291) for unequal probabilities; Horvitz and
Thompson 1952 for the weights. That the sums are over clusters, and the proportion a ratio, is as in `proportions`.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .intervals import MIN_CLUSTERS, Interval, bounds_at, degrees_of_freedom
from .proportions import Floats
from .quantiles import normal_quantile, t_quantile, two_sided
from .undefined import quotient

FEWEST_DIFFERENCES = 2
"""Sentences on which people and judge differ that the bounds assume at least: none among 30 do not show that all agree
(benchmarks/hybrid.py)."""


@dataclass(frozen=True)
class UnitSums:
    """Weighted sums of one system and measure by unit, each of shape (units,): all units, sampled or not.

    `hits` = Σ w y, `assessed` = Σ w a. What λ subtracts from them, by the judge's verdicts: `hits_correction` =
    Σ (w−v) f, `assessed_correction` = Σ (w−v) g. With w = ξ/π and v = 1 unless items tuned the judge's prompt
    (`verdict_weights`). `rated` = Σ ξ a. `weighted_n`: (Σ w a)² / Σ w² a, how many ratings of equal weight those of
    people are worth (Kish 1965); `weighted_items`: (Σ w a)² / Σ (w a)², that of items. `judge_items`: items with
    g > 0. `judge_value`: Σ f / Σ g over all items, which is no estimate.
    """

    hits: Floats
    assessed: Floats
    hits_correction: Floats
    assessed_correction: Floats
    rated: Floats
    weighted_n: float
    weighted_items: float
    judge_items: int
    judge_value: float | None


@dataclass(frozen=True, slots=True)
class HybridEstimate:
    """An estimate from people and judge, or from people alone (`lambda_` 0); None where a figure is not defined.

    `low`, `high`: Korn-Graubard's bounds on `effective_n` ratings, None with fewer than 10 rated units. `se`: √V.
    `units`: all of them; `rated_units`: those with an assessed human rating; `counted_units`: C in V; `n`: assessed
    human ratings; `n_judge`: items with a verdict that counts. `degrees`: degrees of freedom of the interval. `z`: z_c
    by unit, `denominator` Â and `added_variance`, by which `least_variance` is above V, for differences.
    """

    value: float | None
    low: float | None
    high: float | None
    se: float | None
    lambda_: float
    effective_n: float | None
    units: int
    rated_units: int
    counted_units: int
    n: int
    n_judge: int
    degrees: float | None
    z: tuple[float, ...]
    denominator: float
    added_variance: float


@dataclass(frozen=True, slots=True)
class HybridDifference:
    """The difference of two estimates over the same units, with t bounds; None where not defined."""

    difference: float | None
    low: float | None
    high: float | None
    se: float | None


def unit_sums(
    unit: ArrayLike,
    hits: ArrayLike,
    assessed: ArrayLike,
    judge_hits: ArrayLike,
    judge_assessed: ArrayLike,
    sampled: ArrayLike,
    probability: ArrayLike,
    verdict_weight: ArrayLike | None = None,
    *,
    units: int,
) -> UnitSums:
    """Return the sums by unit of arrays of shape (items,), one entry for every item of the system, sampled or not.

    `unit`: index of the item's unit, from 0 to before `units`; `hits` among `assessed` (y, a): sums over its human
    ratings, not read where `sampled` is false; `judge_hits` among `judge_assessed` (f, g): the judge's verdict, 0 or 1,
    times the overlap K; `probability`: the stored π with which the item was sampled; `verdict_weight`: v, 1 by default.
    Raises ValueError for a π that is
    not above 0 and at most 1, counts with hits above assessed, an index beyond the units, or lengths that differ.
    """
    index, drawn = np.asarray(unit, dtype=np.int64), np.asarray(sampled, dtype=bool)
    pi = np.asarray(probability, dtype=np.float64)
    y, a, f, g = (np.asarray(values, dtype=np.float64) for values in (hits, assessed, judge_hits, judge_assessed))
    v = np.ones(index.shape) if verdict_weight is None else np.asarray(verdict_weight, dtype=np.float64)
    if index.ndim != 1 or any(array.shape != index.shape for array in (y, a, f, g, drawn, pi, v)):
        raise ValueError("arrays of different lengths: give one entry of each for every item")
    if index.size and (index.min() < 0 or index.max() >= units):
        raise ValueError(f"an item has a unit that is not among the {units}, counted from 0")
    if not np.all((pi > 0) & (pi <= 1)):
        raise ValueError(
            "a sampling probability is not in (0, 1]: without a stored π > 0 for every item there is no hybrid"
        )
    y, a, w = np.where(drawn, y, 0.0), np.where(drawn, a, 0.0), drawn / pi
    if not (np.all((y >= 0) & (y <= a)) and np.all((f >= 0) & (f <= g))):
        raise ValueError("hits are not between 0 and the number assessed: count y among a, and f among g")
    total = float((w * a).sum())
    return UnitSums(
        hits=_by_unit(index, w * y, units),
        assessed=_by_unit(index, w * a, units),
        hits_correction=_by_unit(index, (w - v) * f, units),
        assessed_correction=_by_unit(index, (w - v) * g, units),
        rated=_by_unit(index, a, units),
        weighted_n=total**2 / float((w * w * a).sum()) if total else 0.0,
        weighted_items=total**2 / float(((w * a) ** 2).sum()) if total else 0.0,
        judge_items=int(np.count_nonzero(g)),
        judge_value=quotient(float(f.sum()), float(g.sum())),
    )


def group_shares(part: ArrayLike, whole: ArrayLike, group: ArrayLike) -> Floats:
    """Return for each item the share of its group's items in `whole` that are in `part` too; 0 where there are none.

    All of shape (items,): `part` and `whole` are masks, `group` is an index from 0.
    """
    index, within = np.asarray(group, dtype=np.int64), np.asarray(whole, dtype=bool)
    total = np.bincount(index, within)
    in_both = np.bincount(index, within & np.asarray(part, dtype=bool))
    return np.divide(in_both, total, out=np.zeros(len(total)), where=total > 0)[index]


def verdict_weights(tuned: ArrayLike, drawn: ArrayLike, probability: ArrayLike, group: ArrayLike) -> Floats:
    """Return v of each item: 0 if it tuned the judge's prompt, else 1 over the probability that it did not.

    A verdict on an item that tuned the prompt says nothing about others, so the sum of verdicts over all items is
    estimated from the other items (Horvitz and Thompson 1952). The tuning items are assumed to be a random part of the
    drawn items of their group, and of those not drawn: v = 1 / (1 − π r − (1−π) s) with r and s the shares of both.
    """
    is_tuned, is_drawn = np.asarray(tuned, dtype=bool), np.asarray(drawn, dtype=bool)
    pi = np.asarray(probability, dtype=np.float64)
    share = pi * group_shares(is_tuned, is_drawn, group) + (1 - pi) * group_shares(is_tuned, ~is_drawn, group)
    return np.divide(1.0, 1 - share, out=np.zeros(len(pi)), where=~is_tuned & (share < 1))


def hybrid(sums: UnitSums, level: float = 0.95) -> HybridEstimate:
    """Return the estimate with the λ̂ of `best_lambda`.

    Where that does not lie strictly between 0 and 1 (a few ratings of high weight), it is the one of people alone.
    """
    lambda_ = best_lambda(sums)
    value, denominator = _ratio(sums, lambda_)
    if value is None or not (denominator > 0 and 0 < value < 1):
        lambda_ = 0.0
    return estimate(sums, lambda_, level)


def people_alone(sums: UnitSums, level: float = 0.95) -> HybridEstimate:
    """Return the estimate without the judge (λ = 0).

    A unit without a rating is then not counted, as in `proportions.ratio`, whose estimate and Korn-Graubard bounds this
    has where π is constant.
    """
    return estimate(sums, 0.0, level)


def weighted_share(hits: Floats, among: Floats, squares: float, n: int, level: float = 0.95) -> HybridEstimate:
    """Return the share Σ hits / Σ among of weighted sums by unit, each of shape (units,), as `people_alone` does.

    `squares`: the sum of the squared weights of the `n` that are among. With equal weights the value and the bounds are
    those of `proportions.ratio` and Korn-Graubard. Else the effective number is at most `n`, not only what their
    weights are worth: a judge errs where it is unsure, so errors have small weights, and the share varies less than
    with weights that do not depend on it (benchmarks/weighted_accuracy.py).
    """
    nothing, total = np.zeros(len(among)), float(among.sum())
    weighted_n = total**2 / squares if squares else 0.0
    varies = 0 < float(hits.sum()) < total
    size = float(n) if varies else weighted_n
    return people_alone(UnitSums(hits, among, nothing, nothing, among, size, size, 0, None), level)


def best_lambda(sums: UnitSums) -> float:
    """Return λ̂ = Cov(u, v) / Var(v) over all units, at the estimate of people alone, cut off at 0 and 1.

    u_c = Σ w (y − θ̂ a), v_c = Σ (w−v) (f − θ̂ g). 0 where v does not vary, for example because all items were rated,
    and where all verdicts are alike: v then varies by the weights only, and says nothing of which items differ.
    """
    value, _ = _ratio(sums, 0.0)
    if value is None or sums.judge_value in (None, 0.0, 1.0):
        return 0.0
    u, v = sums.hits - value * sums.assessed, sums.hits_correction - value * sums.assessed_correction
    u, v = u - u.mean(), v - v.mean()
    variance = float(np.dot(v, v))
    scale = float(np.dot(sums.assessed_correction, sums.assessed_correction))
    return min(1.0, max(0.0, float(np.dot(u, v)) / variance)) if variance > 1e-24 * max(scale, 1.0) else 0.0


def estimate(sums: UnitSums, lambda_: float, level: float = 0.95) -> HybridEstimate:
    """Return the estimate with the judge's part multiplied by `lambda_` (λ, from 0 to 1)."""
    value, denominator = _ratio(sums, lambda_)
    units, rated_units = len(sums.hits), int(np.count_nonzero(sums.rated))
    units_of_se = units if lambda_ else rated_units
    z, se, size, degrees, added = np.zeros(units), None, None, None, 0.0
    if value is not None:
        z = (sums.hits - value * sums.assessed) - lambda_ * (sums.hits_correction - value * sums.assessed_correction)
    if value is not None and rated_units > 1:
        se = _se(z / denominator, units_of_se)
        # Of the rated units: the variance of the judge's part is known from all units, that of people's part from
        # these.
        sizes = sums.assessed[sums.rated > 0]
        degrees = degrees_of_freedom(len(sizes), float(sizes.sum() ** 2 / np.dot(sizes, sizes)))
        added = max(0.0, least_variance(sums, lambda_) - se**2)
        size = _effective_n(sums, value, se**2 + added, lambda_, degrees, level)
    bounds = Interval(None, None, "none")
    if value is not None and size is not None and rated_units >= MIN_CLUSTERS:
        bounds = bounds_at(value, size, level)
    return HybridEstimate(
        value=value,
        low=bounds.low,
        high=bounds.high,
        se=se,
        lambda_=lambda_,
        effective_n=size,
        units=units,
        rated_units=rated_units,
        counted_units=units_of_se,
        n=int(sums.rated.sum()),
        n_judge=sums.judge_items,
        degrees=degrees,
        z=tuple(z.tolist()),
        denominator=denominator,
        added_variance=added,
    )


def hybrid_difference(first: HybridEstimate, second: HybridEstimate, level: float = 0.95) -> HybridDifference:
    """Return first − second, from the differences of their z_c / Â, with t bounds that have the added variance of both.

    Both are over the same units in the same order (ValueError if their numbers differ). The degrees are the smaller
    ones of the two. No interval where one of the two has fewer than 10 rated units.
    """
    if first.units != second.units:
        raise ValueError(f"{first.units} units and {second.units}: give both estimates over the same units")
    if first.value is None or second.value is None:
        return HybridDifference(None, None, None, None)
    difference = first.value - second.value
    if first.degrees is None or second.degrees is None:
        return HybridDifference(difference, None, None, None)
    parts = np.array(first.z) / first.denominator - np.array(second.z) / second.denominator
    se = _se(parts, max(first.counted_units, second.counted_units))
    if min(first.rated_units, second.rated_units) < MIN_CLUSTERS:
        return HybridDifference(difference, None, None, se)
    half = t_quantile(two_sided(level), min(first.degrees, second.degrees))
    half *= math.sqrt(se**2 + first.added_variance + second.added_variance)
    return HybridDifference(difference, difference - half, difference + half, se)


def _ratio(sums: UnitSums, lambda_: float) -> tuple[float | None, float]:
    """Return θ̂ and its denominator Â; None where Â is not above 0, or nothing was rated."""
    numerator = float(sums.hits.sum()) - lambda_ * float(sums.hits_correction.sum())
    denominator = float(sums.assessed.sum()) - lambda_ * float(sums.assessed_correction.sum())
    if denominator <= 0 or not sums.rated.any():
        return None, denominator
    return numerator / denominator, denominator


def _se(parts: Floats, units: int) -> float:
    """Return √(C/(C−1) · Σ (z_c/Â)²); the z_c sum to 0 by the definition of θ̂, so their mean is not subtracted."""
    return math.sqrt(units / (units - 1) * float(np.dot(parts, parts)))


def least_variance(sums: UnitSums, lambda_: float) -> float:
    """Return the variance that bounds with the judge's part times `lambda_` assume at least; 0 without the judge.

    A judge that is nearly always right differs from people on few rated sentences or on none by chance, and V is then
    much too small. The least is `lambda_` times that of `FEWEST_DIFFERENCES` sentences of mean weight on which they
    differ, 1 / weighted_items² each, and at most the variance of people alone.
    """
    value, denominator = _ratio(sums, 0.0)
    rated_units = int(np.count_nonzero(sums.rated))
    if not lambda_ or value is None or rated_units < 2:
        return 0.0
    people = _se((sums.hits - value * sums.assessed) / denominator, rated_units) ** 2
    return min(people, FEWEST_DIFFERENCES * lambda_ / sums.weighted_items**2)


def _effective_n(sums: UnitSums, value: float, variance: float, lambda_: float, degrees: float, level: float) -> float:
    """Return n* = θ̂ (1 − θ̂) / V · (z/t)², before (z/t)² at most the ratings that there are.

    Without the judge these are people's, of equal weight, which caps the design effect at 1 as `intervals.effective_n`
    does; this is also n* where θ̂ is 0 or 1 and so has no design effect. With the judge they are all items.
    """
    upper = two_sided(level)
    largest = max(sums.weighted_n, float(sums.judge_items)) if lambda_ else sums.weighted_n
    spread = value * (1 - value)
    size = min(largest, spread / variance) if spread > 0 and variance > 0 else largest
    return size * (normal_quantile(upper) / t_quantile(upper, degrees)) ** 2


def _by_unit(index: NDArray[np.int64], values: Floats, units: int) -> Floats:
    return np.bincount(index, values, units).astype(np.float64, copy=False)
