"""What further human ratings would add to a hybrid estimate, and how many ratings the judge is worth.

With r = y − θ a and s = f − θ g of an item, and weights w = ξ/q of the items that people rate with probability q, the
variance of `hybrid` is Σ_c z_c² / A², z_c = Σ_c w r − λ (w − 1) s. Over samples of a design,
E z_c² = (Σ_c r)² + Σ_ij Δ_ij (r_i − λ s_i)(r_j − λ s_j), Δ_ij the covariance of w_i and w_j (`pair_probabilities`): the
first part is that between units, which stays if people rate all. The best λ is Σ Δ_ij r_i s_j / Σ Δ_ij s_i s_j
(Särndal, Swensson and Wretman 1992 for difference estimators). Sums of r² and r s are estimated from rated items, and
products of two items' r by their means over rated pairs in a response, a prompt and a unit. The variance planned is the
present one times the ratio of the two expectations, so that a plan without further ratings is the present interval.
"""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from .hybrid import FEWEST_DIFFERENCES, HybridEstimate, UnitSums, hybrid, people_alone, unit_sums
from .intervals import MIN_CLUSTERS, bounds_at, degrees_of_freedom
from .plan_frame import Floats, PlanFrame, RatedPart
from .planning import mean_root
from .quantiles import normal_quantile, t_quantile, two_sided
from .undefined import quotient


@dataclass(frozen=True, slots=True)
class HybridPlan:
    """The plan for `items` rated ones in all: mean half-widths of the intervals, with the judge and of people alone;
    None with fewer than 10 rated units.
    """

    items: float
    with_judge: float | None
    people_alone: float | None


@dataclass(frozen=True)
class HybridPlanner:
    """The present estimates of one measure with the residuals r (0 without a rating) and s of all items (`planner`)."""

    frame: PlanFrame
    both: HybridEstimate
    people: HybridEstimate
    sums: UnitSums
    residual: Floats
    judge_residual: Floats

    def plan(self, items: float, level: float = 0.95) -> HybridPlan:
        """Return the plan for `items` rated ones in all, at least those that are now, at most all."""
        number = min(max(items, self.frame.rated), self.frame.items)
        part = self.frame.planned(number)
        with_judge = self._half_width(part, level, with_judge=self.both.lambda_ > 0)
        return HybridPlan(number, with_judge, self._half_width(part, level, with_judge=False))

    def worth(self, level: float = 0.95) -> float | None:
        """Return how many items more than now people alone would have to rate for the present interval of the hybrid;
        None without both intervals, infinity if rating all items were not enough.
        """
        now = self.plan(0, level)
        if now.with_judge is None or now.people_alone is None:
            return None
        target, low, high = now.with_judge, float(self.frame.rated), float(self.frame.items)
        if now.people_alone <= target:
            return 0.0
        if not self._reach(high, target, level):
            return math.inf
        while high - low > 0.5:
            middle = (low + high) / 2
            low, high = (low, middle) if self._reach(middle, target, level) else (middle, high)
        return high - self.frame.rated

    def _reach(self, items: float, half_width: float, level: float) -> bool:
        """Return whether people alone reach the half-width with `items` rated ones."""
        alone = self._half_width(self.frame.planned(items), level, with_judge=False)
        return alone is not None and alone <= half_width

    def _half_width(self, part: RatedPart, level: float, *, with_judge: bool) -> float | None:
        """Return half the width of Korn-Graubard's interval with the planned variance and degrees of freedom."""
        present = self.both if with_judge else self.people
        units, effective = self._rated_units(part)
        if present.value is None or round(units) < MIN_CLUSTERS:
            return None
        people = self.sums.weighted_n * self._more(part)
        value, size = present.value, (max(people, float(self.sums.judge_items)) if with_judge else people)
        if 0 < value < 1 and present.se:
            variance = self._variance(part, present.se, with_judge=with_judge)
            if with_judge:
                items = self.sums.weighted_items * self._more(part)
                alone = self._variance(part, self.people.se or 0.0, with_judge=False)
                variance = max(variance, min(FEWEST_DIFFERENCES * self.both.lambda_ / items**2, alone))
            size = min(size, value * (1 - value) / variance)
        upper = two_sided(level)
        size *= (normal_quantile(upper) / t_quantile(upper, degrees_of_freedom(round(units), effective))) ** 2
        bounds = bounds_at(value, size, level)
        return None if bounds.low is None or bounds.high is None else (bounds.high - bounds.low) / 2

    def _variance(self, part: RatedPart, se: float, *, with_judge: bool) -> float:
        """Return the present variance times the ratio of the expected ones, and of those that standard errors show."""
        after, before = (self._expected_squares(each, with_judge=with_judge) for each in (part, self.frame.now))
        return se**2 * after / before * (self._se_ratio(part) / self._se_ratio(self.frame.now)) ** 2

    def _more(self, part: RatedPart) -> float:
        """Return how many times the present ratings, of equal weight, are planned."""
        return float((1 / self.frame.now.probability).sum() / (1 / part.probability).sum())

    def _expected_squares(self, part: RatedPart, *, with_judge: bool) -> float:
        """Return Σ_c E z_c² with the best λ, at least the part between units, or with λ = 0."""
        human = self._between + self._human_part(part)
        if not with_judge:
            return human
        weighted = self.frame.weight * self.residual
        judge = self.frame.covariance_sum(self.judge_residual, self.judge_residual, part.covariance)
        common = self.frame.covariance_sum(weighted, self.judge_residual, part.covariance)
        lambda_ = min(1.0, max(0.0, common / judge)) if judge > 0 else 0.0
        return max(self._between, human - 2 * lambda_ * common + lambda_ * lambda_ * judge)

    @cached_property
    def _between(self) -> float:
        """Σ_c (Σ_c r)², at least Σ r², as if items of a unit were independent."""
        products = zip(self.frame.pairs, self._products, strict=True)
        return self._squares + max(0.0, sum(float(pairs.sum()) * mean for pairs, mean in products))

    def _human_part(self, part: RatedPart) -> float:
        """Return Σ_ij Δ_ij r_i r_j, at least 0."""
        response, prompt, _ = self._products
        pairs, covariance = self.frame.pairs, part.covariance
        squares = float(np.dot(self.frame.weight * self.residual**2, covariance.item))
        products = float(covariance.response @ pairs.response) * response
        products += float(covariance.prompt @ pairs.prompt) * prompt
        return max(0.0, squares + products)

    @cached_property
    def _squares(self) -> float:
        return float(np.dot(self.frame.weight, self.residual**2))

    @cached_property
    def _products(self) -> tuple[float, float, float]:
        """The mean products of two items' r in a response, a prompt and a unit, within ± the mean of r².

        Less the mean over items of different units, as in `nested_correlations`. A level without rated pairs has the
        mean of the finest one that has, or of no level, that of the judge's verdicts in a response.
        """
        weight = self.frame.weight
        products = self.frame.pair_sums(weight * self.residual, weight * self.residual)
        pairs = self.frame.pair_sums(weight, weight)
        r, n = (np.bincount(self.frame.unit, values) for values in (weight * self.residual, weight))
        apart = quotient(float(r.sum() ** 2 - r @ r), float(n.sum() ** 2 - n @ n)) or 0.0
        mean_square = self._squares / float(weight.sum())
        means = [quotient(float(x.sum()), float(n.sum())) for x, n in zip(products, pairs, strict=True)]
        usual = next((mean - apart for mean in means if mean is not None), self._judge_correlation() * mean_square)
        means_of_levels = [usual if mean is None else mean - apart for mean in means]
        response, prompt, unit = (min(max(-mean_square, mean), mean_square) for mean in means_of_levels)
        return response, prompt, unit

    def _judge_correlation(self) -> float:
        """Return the mean product of two verdicts' s in a response over the mean of s²."""
        s = self.judge_residual
        mean = quotient(float(self.frame.pair_sums(s, s).response.sum()), float(self.frame.pairs.response.sum()))
        return (mean or 0.0) / (float(np.mean(s**2)) or 1.0)

    def _se_ratio(self, part: RatedPart) -> float:
        """Return the mean of the standard error over studies as a ratio to the true one, as `expected_se_ratio` does:
        the part of products of different items is too small where units are of unequal size.
        """
        units, effective = self._rated_units(part)
        single = float(np.dot(self.frame.weight * self.residual**2, 1 + part.covariance.item))
        of_pairs = max(0.0, 1 - single / self._expected_squares(part, with_judge=False))
        bias = 4 * of_pairs * max(0.0, units / effective - 1) / units
        return mean_root(degrees_of_freedom(max(2, round(units)), effective)) / math.sqrt(1 + bias)

    def _rated_units(self, part: RatedPart) -> tuple[float, float]:
        """Return the number of rated units, and how many of equal size they are worth: those of now, times the ratio of
        the expected ones.
        """
        sizes = self.sums.assessed[self.sums.rated > 0]
        now = len(sizes), float(sizes.sum() ** 2 / np.dot(sizes, sizes))
        after, before = self.frame.expected_units(part), self.frame.expected_units(self.frame.now)
        units, effective = (present * a / b for present, a, b in zip(now, after, before, strict=True))
        return min(units, self.frame.units), min(effective, self.frame.units)


def planner(
    frame: PlanFrame, hits: ArrayLike, assessed: ArrayLike, judge_hits: ArrayLike, judge_assessed: ArrayLike
) -> HybridPlanner | None:
    """Return the planner of one measure from the counts of each item, of shape (items,), as `hybrid.unit_sums` takes
    them; None without an estimate or its standard error. Raises ValueError as `unit_sums` does.
    """
    counts = (hits, assessed, judge_hits, judge_assessed)
    sums = unit_sums(frame.unit, *counts, frame.is_rated, frame.now.probability, units=frame.units)
    both, people = hybrid(sums), people_alone(sums)
    if both.value is None or both.se is None:
        return None
    y, a, f, g = (np.asarray(each, dtype=np.float64) for each in counts)
    residual = np.where(frame.is_rated, y - both.value * a, 0.0)
    return HybridPlanner(frame, both, people, sums, residual, f - both.value * g)
