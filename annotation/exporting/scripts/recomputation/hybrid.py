"""Estimates from people's ratings of a sample, and from these and a judge: a ratio over units with unequal sampling
probabilities.

With w = 1/π for rated items and 0 for the others, y hits among a assessed ratings of people, and the judge's hit f
among g, both times the overlap: θ = [Σwy − λΣ(w−v)f] / [Σwa − λΣ(w−v)g], its variance C/(C−1) Σ z_c² over units, where
z_c is the sum of w(y − θa) − λ(w−v)(f − θg) over the denominator. v is 0 for an item that tuned the judge's prompt, and
else 1 over the probability that it did not: 1 without such items.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from .intervals import MIN_CLUSTERS, Inference, degrees_of_freedom, effective_clusters
from .quantiles import NORMAL, beta_quantile, t_quantile
from .study import Figures, Ratio, Row, Study, cluster_order, holds, item_of, numbered, read_table

FEWEST_DIFFERENCES = 2
"""Items on which people and judge differ that bounds with the judge assume at least."""


@dataclass(frozen=True)
class Estimate:
    """An estimate with what its differences from others need; `z` by unit, `counted`: C in its variance, `added` to
    its variance where people and judge differ on few items.
    """

    value: float | None
    low: float | None
    high: float | None
    lambda_: float
    rated_units: int
    degrees: float
    counted: int
    z: np.ndarray
    added: float = 0.0


class SampleEstimates:
    """The items of a sample as arrays: `unit`, `system`, `weight` w, and `rated`; `used` ratings count."""

    def __init__(self, study: Study, inference: Inference, items: list[Row], used: Iterable[Row], overlap: int = 1):
        self.study, self.inference, self.items, self.overlap = study, inference, items, overlap
        self.ratings: dict[tuple[str, str, str, int], list[Row]] = defaultdict(list)
        for row in used:
            self.ratings[item_of(row)].append(row)
        self.drawn = np.array([row["is_drawn"] == "1" for row in self.items])
        self.tuned = np.array([row["verdict"] == "tuned" for row in self.items])
        self.rated = np.array([bool(self.ratings.get(item_of(row))) for row in self.items]) & self.drawn & ~self.tuned
        self.units, self.unit = numbered((row["cluster"] for row in self.items), cluster_order)
        self.systems, self.system = numbered(row["report_system"] for row in self.items)
        self.probability = np.array([float(row["probability"]) for row in self.items])
        self.weight = np.where(self.rated, 1 / self._used_probability(), 0.0)
        self.verdict_weight = self._verdict_weight()

    def _verdict_weight(self) -> np.ndarray:
        """Return v of each item, with the tuning items as a random part of a system's drawn and other items."""
        weight = np.zeros(len(self.items))
        for number in range(len(self.systems)):
            of_system = self.system == number
            drawn, others = self.tuned[of_system & self.drawn], self.tuned[of_system & ~self.drawn]
            r, s = (float(part.mean()) if len(part) else 0.0 for part in (drawn, others))
            for item in np.flatnonzero(of_system & ~self.tuned):
                weight[item] = 1 / (1 - self.probability[item] * r - (1 - self.probability[item]) * s)
        return weight

    def _used_probability(self) -> np.ndarray:
        """Return the probability of each item to be drawn, not to tune the prompt, and to be rated."""
        probability = self.probability.copy()
        for number in range(len(self.systems)):
            of_system = self.system == number
            if rated := int((self.rated & of_system).sum()):
                probability[of_system] *= rated / int((self.drawn & of_system).sum())
        return probability

    def weighted(self) -> Figures:
        """Return the part of the report about people alone."""
        everything, by_system = np.ones(len(self.items), dtype=bool), self._items_by_system()
        alone = [
            {measure.key: self._estimate(0.0, *self._columns(measure, items)) for measure in self.study.measures}
            for items in by_system
        ]
        return {
            "units": len(self.units),
            "overall": self._weighted_cell(everything),
            "systems": [self._weighted_cell(items) for items in by_system],
            "comparisons": self._comparisons(alone),
        }

    def _weighted_cell(self, items: np.ndarray) -> Figures:
        measures = {measure.key: self._alone(self._columns(measure, items)) for measure in self.study.measures}
        return {**self._counts(items), "measures": measures}

    def _items_by_system(self) -> list[np.ndarray]:
        return [self.system == number for number in range(len(self.systems))]

    def figures(self) -> Figures:
        """Return the part of the report about people and judge."""
        reported = self.study.report["hybrid"]
        everything = np.ones(len(self.items), dtype=bool)
        by_system = [self.estimates(items) for items in self._items_by_system()]
        verdicts = [row["verdict"] for row in self.items]
        verdict_shown = sum(row.get("verdict_shown") == "1" for row in self.study.counted)
        excluded = {"verdict_shown": verdict_shown, "tuned": int(self.tuned.sum())}
        return {
            "version": reported["version"],
            "overlap": self.overlap,
            "units": len(self.units),
            "verdicts": verdicts.count("rated"),
            "failed": verdicts.count("failed"),
            **{reason: n for reason, n in excluded.items() if n},
            "overall": self._cell(everything),
            "systems": [self._cell(self.system == number) for number in range(len(self.systems))],
            "comparisons": self._comparisons(by_system),
        }

    def _comparisons(self, by_system: Sequence[Mapping[str, Estimate]]) -> list[Figures]:
        """Return the differences of the estimates of each system, in the order of measures, then of names."""
        return [
            {"a": self.systems[a], "b": self.systems[b], "measure": key, **self._difference(*pair)}
            for key in (measure.key for measure in self.study.measures)
            for a, b in combinations(range(len(self.systems)), 2)
            for pair in [(by_system[a][key], by_system[b][key])]
        ]

    def estimates(self, items: np.ndarray) -> dict[str, Estimate]:
        """Return the estimate of each measure over these items."""
        return {measure.key: self._combined(*self._columns(measure, items)) for measure in self.study.measures}

    def _cell(self, items: np.ndarray) -> Figures:
        estimates, measures = self.estimates(items), {}
        for measure in self.study.measures:
            columns = self._columns(measure, items)
            f, g = columns[5:]
            estimate = estimates[measure.key]
            measures[measure.key] = {
                "value": estimate.value,
                "low": estimate.low,
                "high": estimate.high,
                "lambda": estimate.lambda_,
                "human": self._alone(columns),
                "judge_alone": float(f.sum() / g.sum()) if g.any() else None,
                "n_judge": int((g > 0).sum()),
            }
        return {**self._counts(items), "measures": measures}

    def _alone(self, columns: tuple[np.ndarray, ...]) -> Figures:
        """Return the estimate of people alone."""
        alone = self._estimate(0.0, *columns)
        bounds = {"value": alone.value, "low": alone.low, "high": alone.high}
        return {**bounds, "n": int(columns[4].sum()), "units": alone.rated_units}

    def _counts(self, items: np.ndarray) -> Figures:
        used = items & ~self.tuned
        counts = {name: int((mask & used).sum()) for name, mask in (("drawn", self.drawn), ("rated", self.rated))}
        return {"items": int(used.sum()), **counts}

    def _columns(self, measure: Ratio, items: np.ndarray) -> tuple[np.ndarray, ...]:
        """Return unit, w, v, y, a, f and g of these items."""
        y, a, f, g = (np.zeros(len(self.items)) for _ in range(4))
        for number in np.flatnonzero(items):
            row = self.items[number]
            if self.rated[number]:
                assessed = [rating for rating in self.ratings[item_of(row)] if holds(measure.among, rating)]
                y[number] = sum(holds(measure.counts, rating) for rating in assessed)
                a[number] = len(assessed)
            if row["verdict"] == "rated" and holds(measure.among, row):
                f[number], g[number] = self.overlap * holds(measure.counts, row), self.overlap
        return tuple(column[items] for column in (self.unit, self.weight, self.verdict_weight, y, a, f, g))

    def _combined(self, *columns: np.ndarray) -> Estimate:
        """Return the estimate with the best λ; people alone where that leaves 0 to 1."""
        unit, w, v, y, a, f, g = columns
        if not (w * a).any() or self._are_verdicts_ignored(f, g):
            return self._estimate(0.0, *columns)
        alone = (w * y).sum() / (w * a).sum()
        people, judge = self._by_unit(unit, w * (y - alone * a)), self._by_unit(unit, (w - v) * (f - alone * g))
        people, judge = people - people.mean(), judge - judge.mean()
        scale = max(1.0, float((self._by_unit(unit, (w - v) * g) ** 2).sum()))
        lambda_ = min(1.0, max(0.0, (people @ judge) / (judge @ judge))) if judge @ judge > 1e-24 * scale else 0.0
        estimate = self._estimate(lambda_, *columns)
        return estimate if estimate.value is not None and 0 < estimate.value < 1 else self._estimate(0.0, *columns)

    def _are_verdicts_ignored(self, f: np.ndarray, g: np.ndarray) -> bool:
        """Return whether all verdicts are alike, under the rule of the report that λ is 0 then."""
        return self.study.inference.get("constant_verdicts") == "people alone" and f.sum() in (0.0, g.sum())

    def _estimate(self, lambda_: float, *columns: np.ndarray) -> Estimate:
        unit, w, v, y, a, f, g = columns
        sizes = self._by_unit(unit, w * a)
        rated_units = int((self._by_unit(unit, np.where(w > 0, a, 0)) > 0).sum())
        bottom = (w * a).sum() - lambda_ * ((w - v) * g).sum()
        if not rated_units or bottom <= 0:
            return Estimate(None, None, None, lambda_, rated_units, math.nan, 0, np.zeros(len(self.units)))
        value = ((w * y).sum() - lambda_ * ((w - v) * f).sum()) / bottom
        z = self._by_unit(unit, w * (y - value * a) - lambda_ * (w - v) * (f - value * g)) / bottom
        counted = len(self.units) if lambda_ else rated_units
        degrees = degrees_of_freedom(rated_units, effective_clusters(sizes), self.inference)
        low, high, added = None, None, 0.0
        if rated_units >= MIN_CLUSTERS:
            worth = (w * a).sum() ** 2 / (w * w * a).sum()
            most = max(worth, float((g > 0).sum())) if lambda_ else worth
            variance = counted / (counted - 1) * float(z @ z)
            added = max(0.0, self._least_variance(lambda_, *columns) - variance) if lambda_ else 0.0
            low, high = self._bounds(value, variance + added, most, degrees)
        return Estimate(value, low, high, lambda_, rated_units, degrees, counted, z, added)

    def _least_variance(self, lambda_: float, *columns: np.ndarray) -> float:
        """Return the variance of a few items on which people and judge differ, at most that of people alone."""
        _, w, _, _, a, _, _ = columns
        alone = self._estimate(0.0, *columns)
        people = alone.counted / (alone.counted - 1) * float(alone.z @ alone.z)
        items = (w * a).sum() ** 2 / ((w * a) ** 2).sum()
        return min(people, lambda_ * FEWEST_DIFFERENCES / float(items) ** 2)

    def _bounds(self, value: float, variance: float, most: float, degrees: float) -> tuple[float, float]:
        """Return Korn and Graubard's bounds on the effective number of ratings, at most `most`."""
        upper, spread = self.inference.upper, value * (1 - value)
        size = min(most, spread / variance) if spread > 0 and variance > 0 else most
        size *= (NORMAL.inv_cdf(upper) / t_quantile(upper, degrees)) ** 2
        k = size if value >= 1 else value * size
        low = 0.0 if k <= 0 else beta_quantile(1 - upper, k, size - k + 1)
        return low, 1.0 if k >= size else beta_quantile(upper, k + 1, size - k)

    def _difference(self, first: Estimate, second: Estimate) -> Figures:
        if first.value is None or second.value is None:
            return {"difference": None, "low": None, "high": None}
        difference = first.value - second.value
        if min(first.rated_units, second.rated_units) < MIN_CLUSTERS:
            return {"difference": difference, "low": None, "high": None}
        counted, parts = max(first.counted, second.counted), first.z - second.z
        se = math.sqrt(counted / (counted - 1) * float(parts @ parts) + first.added + second.added)
        half = t_quantile(self.inference.upper, min(first.degrees, second.degrees)) * se
        return {"difference": difference, "low": difference - half, "high": difference + half}

    def _by_unit(self, unit: np.ndarray, values: np.ndarray | Sequence[float]) -> np.ndarray:
        return np.bincount(unit, values, len(self.units))


def hybrid(study: Study, inference: Inference) -> Figures:
    """Return the part of the report, recomputed from hybrid_items.csv and ratings.csv."""
    items = study.turned(read_table(study.folder / "hybrid_items.csv"))
    used = (row for row in study.counted if row.get("verdict_shown") != "1")
    return SampleEstimates(study, inference, items, used, study.report["hybrid"]["overlap"]).figures()


def weighted_estimates(study: Study, inference: Inference) -> Figures:
    """Return the estimates of people alone, recomputed from sample_items.csv and ratings.csv: no item has a verdict."""
    items: list[Row] = [{**row, "verdict": ""} for row in study.turned(read_table(study.folder / "sample_items.csv"))]
    return SampleEstimates(study, inference, items, study.counted).weighted()
