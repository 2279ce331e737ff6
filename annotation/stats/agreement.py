"""Agreement between raters, from a table of counts: items x categories, how many raters gave each label.

These coefficients do not depend on which rater gave which label, so the table is sufficient, and missing labels are
simply not in it. Items are first summed by their number of labels; those sums are whole numbers, so every coefficient
is the same for any order of the items, and a bootstrap replicate needs only sums of sums.
"""

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .bootstrap import BLOCK, Resamples, reliable_percentile
from .intervals import MIN_CLUSTERS
from .proportions import Floats
from .undefined import defined


@dataclass(frozen=True, slots=True)
class Agreement:
    """`items`: with two labels or more; `labels`: how many these have. Each coefficient is None where it is
    0/0.

    `krippendorff_ordinal` takes the categories in the order of the columns and is None unless asked for,
    `krippendorff_interval` is None unless the categories were given values.
    """

    items: int
    labels: int
    percent: float | None
    fleiss_kappa: float | None
    gwet_ac1: float | None
    brennan_prediger: float | None
    krippendorff_alpha: float | None
    krippendorff_ordinal: float | None
    krippendorff_interval: float | None


COEFFICIENTS = tuple(field.name for field in fields(Agreement) if field.name not in ("items", "labels"))


def agreement(counts: ArrayLike, *, ordered: bool = False, values: ArrayLike | None = None) -> Agreement:
    """Return all coefficients for a table of counts of shape (items, categories).

    `counts[i, c]` (see `proportions.count_table`): raters who gave item i the label c. Give a column to every
    category that raters could choose, used or not: Gwet's AC1 and Brennan-Prediger depend on their number.
    `ordered`: the columns are in order, so give the ordinal alpha too; `values`: a number for each category,
    so give the interval alpha too. Raises ValueError when the table is not two-dimensional or holds anything
    but whole numbers from 0.

    Percent is the share of agreeing pairs of raters, averaged over items with two labels or more. Fleiss'
    kappa and Gwet's AC1 take the share of each category averaged over items with at least one label (Gwet
    2014); for complete data that is Fleiss (1971). Brennan-Prediger: chance agreement 1 / categories (Brennan
    and Prediger 1981; Gwet 2014). Krippendorff's alpha: Krippendorff (2011).
    """
    sums = _Sums.of(_checked(counts), np.zeros(len(np.asarray(counts)), dtype=np.int64), 1)
    coefficients = _coefficients(sums, sums.table, ordered, values)
    return Agreement(
        items=sums.items,
        labels=sums.labels,
        **{name: defined(coefficients[name][0]) if name in coefficients else None for name in COEFFICIENTS},
    )


def agreement_intervals(
    counts: ArrayLike,
    clusters: ArrayLike,
    *,
    resamples: int = 10_000,
    seed: int = 1,
    level: float = 0.95,
    ordered: bool = False,
    values: ArrayLike | None = None,
    fewest_clusters: int = MIN_CLUSTERS,
) -> dict[str, tuple[float, float] | None]:
    """Return percentile bootstrap bounds for every coefficient: {name: (low, high) or None}.

    `counts` as for `agreement`; `clusters` of shape (items,): the cluster (prompt) of each item, from 0,
    numbered in an order that does not change, since the resamples depend on it. Items of one cluster are
    drawn together (the cluster bootstrap of Field and Welsh 2007). Only clusters with a pair of labels are
    drawn. None with fewer than `fewest_clusters` of them, when the coefficient is undefined in more than 5 % of
    resamples (fewer undefined ones are left out), or when it is the same in all: raters who agreed on every item leave
    nothing to draw, and bounds without width would claim certainty about the next item.
    """
    table = _checked(counts)
    rows, number = _paired_clusters(table, np.asarray(clusters, dtype=np.int64))
    if number < max(fewest_clusters, 2):
        return dict.fromkeys(COEFFICIENTS)
    sums = _Sums.of(table[rows >= 0], rows[rows >= 0], number)
    # A slice of resamples at a time, so that memory stays flat.
    rows_at_once = max(1, BLOCK // (8 * max(1, sums.table.shape[1])))
    parts = [
        _coefficients(sums, weights[start : start + rows_at_once] @ sums.table, ordered, values)
        for weights in Resamples(number, resamples, seed).blocks()
        for start in range(0, len(weights), rows_at_once)
    ]
    bounds: dict[str, tuple[float, float] | None] = dict.fromkeys(COEFFICIENTS)
    for name in parts[0]:
        interval = reliable_percentile(np.concatenate([part[name] for part in parts]), level)
        if interval.low is not None and interval.high is not None:
            bounds[name] = interval.low, interval.high
    return bounds


@dataclass(frozen=True)
class _Sums:
    """Whole-number sums by cluster and by the number of labels an item has.

    `table` has shape (clusters, sizes * columns), columns = 1 (items) + q (labels by category) + q*q
    (products of the counts of two categories). `sizes`: the numbers of labels that occur.
    """

    sizes: NDArray[np.int64]
    categories: int
    table: Floats

    @classmethod
    def of(cls, counts: NDArray[np.int64], clusters: NDArray[np.int64], number: int) -> "_Sums":
        labels = counts.sum(axis=1)
        used = labels > 0
        counts, clusters = counts[used], clusters[used]
        sizes, size_of = np.unique(labels[used], return_inverse=True)
        groups = clusters * len(sizes) + size_of
        columns = _columns(counts, groups, number * len(sizes))
        return cls(sizes, counts.shape[1], columns.reshape(number, -1))

    @property
    def items(self) -> int:
        return int(self.by_size(self.table)[0][:, self.sizes > 1].sum())

    @property
    def labels(self) -> int:
        return int((self.by_size(self.table)[0] * self.sizes)[:, self.sizes > 1].sum())

    def by_size(self, table: Floats) -> tuple[Floats, Floats, Floats]:
        """Return items (rows, sizes), labels (rows, sizes, q) and products (rows, sizes, q, q) of a table of
        sums.
        """
        q = self.categories
        parts = table.reshape(len(table), len(self.sizes), 1 + q + q * q)
        return parts[..., 0], parts[..., 1 : 1 + q], parts[..., 1 + q :].reshape(*parts.shape[:2], q, q)


def _columns(counts: NDArray[np.int64], groups: NDArray[np.int64], number: int) -> Floats:
    """Return one row a group: how many items, labels of each category, products of each two categories."""
    q = counts.shape[1]
    if not number:
        return np.zeros((0, 1 + q + q * q))
    by_category = np.ascontiguousarray(counts.T, dtype=np.float64)
    columns = [np.bincount(groups, minlength=number), *(np.bincount(groups, c, number) for c in by_category)]
    products = {
        (a, b): np.bincount(groups, by_category[a] * by_category[b], number) for a in range(q) for b in range(a, q)
    }
    columns += [products[min(a, b), max(a, b)] for a in range(q) for b in range(q)]
    return np.stack(columns, axis=1).astype(np.float64)


def _coefficients(sums: _Sums, table: Floats, ordered: bool, values: ArrayLike | None) -> dict[str, Floats]:
    """Return {name: (rows,)} for each row of sums; NaN where a coefficient is 0/0."""
    q = sums.categories
    items, labels, products = sums.by_size(table)
    pairs = np.where(sums.sizes > 1, sums.sizes - 1, np.inf)  # an item with one label has no pair
    with np.errstate(divide="ignore", invalid="ignore"):
        agreeing = np.trace(products, axis1=2, axis2=3) - items * sums.sizes
        observed = (agreeing / (sums.sizes * pairs)).sum(axis=1) / items[:, sums.sizes > 1].sum(axis=1)
        used = (labels / sums.sizes[:, None]).sum(axis=1) / items.sum(axis=1)[:, None]
        coefficients = {"percent": observed, "fleiss_kappa": _beyond_chance(observed, (used**2).sum(axis=1))}
        if q > 1:
            chance = (used * (1 - used)).sum(axis=1) / (q - 1)
            coefficients["gwet_ac1"] = _beyond_chance(observed, chance)
            coefficients["brennan_prediger"] = _beyond_chance(observed, np.full(len(observed), 1 / q))
        others = products - labels[..., None] * np.eye(q)  # without the pairs of a rater with herself
        coincidences = (others / pairs[:, None, None]).sum(axis=1)
        coefficients["krippendorff_alpha"] = _alpha(coincidences, 1 - np.eye(q))
        if ordered:
            by_category = coincidences.sum(axis=2)
            middle = by_category.cumsum(axis=1) - by_category / 2
            coefficients["krippendorff_ordinal"] = _alpha(
                coincidences, ((middle[:, :, None] - middle[:, None, :]) ** 2)
            )
        if values is not None:
            scale = np.asarray(values, dtype=np.float64)
            if scale.shape != (q,):
                raise ValueError(f"{scale.size} values for {q} categories: give one number for each column")
            coefficients["krippendorff_interval"] = _alpha(coincidences, ((scale[:, None] - scale[None, :]) ** 2))
    return coefficients


def _beyond_chance(observed: Floats, chance: Floats) -> Floats:
    """Return (observed - chance) / (1 - chance); NaN where chance alone gives full agreement, up to rounding."""
    beyond = 1 - chance
    return np.where(beyond > 1e-12, (observed - chance) / beyond, np.nan)


def _alpha(coincidences: Floats, distance: Floats) -> Floats:
    """Return 1 - observed over expected disagreement (Krippendorff 2011); NaN where no disagreement could be expected.

    `coincidences` (rows, q, q); `distance` (q, q) or (rows, q, q), squared differences between categories.
    """
    by_category = coincidences.sum(axis=2)
    total = by_category.sum(axis=1)
    observed = (coincidences * distance).sum(axis=(1, 2))
    expected = (by_category[:, :, None] * by_category[:, None, :] * distance).sum(axis=(1, 2))
    return np.where(expected > 0, 1 - (total - 1) * observed / expected, np.nan)


def _paired_clusters(table: NDArray[np.int64], clusters: NDArray[np.int64]) -> tuple[NDArray[np.int64], int]:
    """Return clusters renumbered from 0 without those that have no pair of labels (-1), and the number of the rest."""
    if clusters.shape != (len(table),):
        raise ValueError(f"{clusters.size} clusters for {len(table)} items: give the cluster of each item")
    paired = np.unique(clusters[table.sum(axis=1) > 1])
    index = np.searchsorted(paired, clusters)
    is_paired = (index < len(paired)) & (
        paired[np.minimum(index, len(paired) - 1)] == clusters if len(paired) else False
    )
    return np.where(is_paired, index, -1), len(paired)


def _checked(counts: ArrayLike) -> NDArray[np.int64]:
    table = np.asarray(counts)
    if table.ndim != 2:
        raise ValueError(f"counts have {table.ndim} dimensions: give items x categories")
    whole = table.astype(np.int64)
    if np.any(whole < 0) or np.any(whole != table):
        raise ValueError("counts hold numbers that are negative or not whole: give how many raters chose each category")
    return whole
