"""What further human ratings would add to a hybrid estimate, and how many the judge is worth.

For items sampled on their own with probability n/N, the variance of `hybrid` has two parts: that between units, which
remains if people rate everything, and that of the items not rated, which the judge reduces. With r = y − θ a and
s = f − θ g of an item, V(n) = [B + (N/n − 1) Σ (r − λ s)²] / A², B = Σ_c (Σ r)², A = Σ a, sums over all items (Särndal,
Swensson and Wretman 1992 for difference estimators; λ is the best one, Σ r s / Σ s²).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .hybrid import hybrid, unit_sums
from .intervals import MIN_CLUSTERS, clopper_pearson, degrees_of_freedom
from .quantiles import normal_quantile, t_quantile, two_sided


@dataclass(frozen=True, slots=True)
class HybridComponents:
    """Estimates for all items: `between` B, `human` Σ r², `remaining` Σ (r − λ s)², `assessed` A, `sizes` items a unit.

    `remaining` is at most `human`: equal if the judge tells nothing.
    """

    value: float
    between: float
    human: float
    remaining: float
    assessed: float
    sizes: tuple[int, ...]

    @property
    def items(self) -> int:
        return sum(self.sizes)


@dataclass(frozen=True, slots=True)
class HybridPlan:
    """The plan for `items` rated ones in all: mean half-widths of the intervals, with the judge and of people alone;
    None with fewer than 10 rated units. `worth`: how many rated items give people alone the width with the judge.
    """

    items: int
    with_judge: float | None
    people_alone: float | None
    worth: float


def hybrid_components(
    unit: ArrayLike,
    hits: ArrayLike,
    assessed: ArrayLike,
    judge_hits: ArrayLike,
    judge_assessed: ArrayLike,
    sampled: ArrayLike,
    probability: ArrayLike,
    *,
    units: int,
) -> HybridComponents | None:
    """Return the components, from the arrays of `hybrid.unit_sums`; None without an estimate or its standard error.

    Items must have been sampled on their own, not with others of their unit: for entire prompts B would be too large.
    B is at least Σ r², as if sentences of a unit were independent. Raises ValueError as `unit_sums` does.
    """
    sums = unit_sums(unit, hits, assessed, judge_hits, judge_assessed, sampled, probability, units=units)
    current = hybrid(sums)
    if current.value is None or current.se is None:
        return None
    w = np.asarray(sampled, dtype=bool) / np.asarray(probability, dtype=np.float64)
    r = _residuals(hits, assessed, current.value)
    s = _residuals(judge_hits, judge_assessed, current.value)
    human, common, judge = float((w * r * r).sum()), float((w * r * s).sum()), float((s * s).sum())
    weight = min(1.0, max(0.0, common / judge)) if judge else 0.0
    sampling_part = float((w * (w - 1) * (r - current.lambda_ * s) ** 2).sum())
    return HybridComponents(
        value=current.value,
        between=max(human, (current.se * current.denominator) ** 2 - sampling_part),
        human=human,
        remaining=max(0.0, human - 2 * weight * common + weight * weight * judge),
        assessed=current.denominator,
        sizes=tuple(np.bincount(np.asarray(unit, dtype=np.int64), minlength=units).tolist()),
    )


def hybrid_plan(components: HybridComponents, items: int, level: float = 0.95) -> HybridPlan:
    """Return the plan for `items` rated ones in all, those already rated included, spread uniformly over all items.

    Raises ValueError for less than one item; more than there are count as all.
    """
    if items < 1:
        raise ValueError(f"a plan for {items} items: give one at least")
    number = min(items, components.items)
    unrated_per_rated = components.items / number - 1
    share = components.remaining / components.human if components.human else 1.0
    return HybridPlan(
        items=number,
        with_judge=_half_width(components, number, components.remaining, level),
        people_alone=_half_width(components, number, components.human, level),
        worth=components.items / (1 + unrated_per_rated * share),
    )


def _residuals(hits: ArrayLike, assessed: ArrayLike, value: float) -> NDArray[np.float64]:
    return np.asarray(hits, dtype=np.float64) - value * np.asarray(assessed, dtype=np.float64)


def _half_width(components: HybridComponents, items: int, item_part: float, level: float) -> float | None:
    """Return half the width of Korn-Graubard's interval with the expected number of rated units."""
    p, share = components.value, items / components.items
    variance = (components.between + (1 / share - 1) * item_part) / components.assessed**2
    sizes = np.array(components.sizes, dtype=np.float64)
    rated_units = round(float((1 - (1 - share) ** sizes).sum()))
    if rated_units < MIN_CLUSTERS or not variance or not 0 < p < 1:
        return None
    squares = float((sizes * share * (1 - share) + (sizes * share) ** 2).sum())
    degrees = degrees_of_freedom(rated_units, items * items / squares)
    upper = two_sided(level)
    size = p * (1 - p) / variance * (normal_quantile(upper) / t_quantile(upper, degrees)) ** 2
    bounds = clopper_pearson(p * size, size, level)
    return None if bounds.low is None or bounds.high is None else (bounds.high - bounds.low) / 2
