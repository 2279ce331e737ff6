"""One rater compared with the other raters of the same items: agreement and leniency.

The truth is unknown here, so the others are the reference, item by item: a rater who got the harder sentences is not
considered strict. Estimates from few items are unreliable: leniency is shrunk toward 0, the more so the fewer the items
and the less the raters differ altogether.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .proportions import Counts, Floats, count_table, distinct_counts
from .quantiles import normal_quantile, two_sided
from .undefined import quotient

MISSING = -1
NO_OTHERS = -1

# The prior of the spread of leniency between raters is half-Cauchy with this scale: raters of one protocol mostly
# differ by some ten points, and now and then by much more.
USUAL_SPREAD = 0.1
MAX_SPREAD = 1.0
STEPS = 200  # of the spread, in the sum over its possible values

CHUNK_SIZE = 100_000  # items processed together, so that memory does not grow with them


@dataclass(frozen=True, slots=True)
class Leniency:
    """The leniency of a rater: how much more often than the others they chose the counted answer, on `items` items that
    others rated too.

    `raw` is the mean difference, `value` the same shrunk toward 0 with its bounds; all are differences of shares.
    """

    raw: float
    value: float
    low: float
    high: float
    items: int


def agrees_with_majority(items: ArrayLike, labels: ArrayLike, categories: int) -> NDArray[np.int8]:
    """Return for every rating, whether its label is the majority of the *other* labels of its item.

    `items` and `labels` are index arrays of shape (ratings,), a label of -1 is missing; one rating per rater and item.
    1: the same; 0: another label; NO_OTHERS: no label, no other label, or a tie of the others.
    """
    item, label = _index(items), _labels(labels)
    counts = count_table(item, label, (int(item.max(initial=-1)) + 1, categories))
    matches = np.full((len(counts), categories + 1), NO_OTHERS, dtype=np.int8)  # a missing label's column is the last
    for start in range(0, len(counts), CHUNK_SIZE):
        block = slice(start, start + CHUNK_SIZE)
        for own in range(categories):
            matches[block, own] = _is_majority(counts[block], own)
    return matches[item, label]


def _is_majority(counts: Counts, own: int) -> NDArray[np.int8]:
    """Return for each item whether its rater's label `own` is the majority of the other labels in `counts`."""
    others = counts - (np.arange(counts.shape[1]) == own)
    most = others.max(axis=1)
    decided = (most > 0) & ((others == most[:, None]).sum(axis=1) == 1)
    return np.where(decided, others[:, own] == most, NO_OTHERS).astype(np.int8)


def others_labels(items: ArrayLike, raters: ArrayLike, labels: ArrayLike, categories: int, rater: int) -> Counts:
    """Return the others' labels of the items that `rater` labeled: counts of (their label, own label), shape (q, q)."""
    item, label = _index(items), _index(labels)
    own = (_index(raters) == rater) & (label != MISSING)
    counts = count_table(item, label, (int(item.max(initial=-1)) + 1, categories))
    table = np.zeros((categories, categories), dtype=np.int64)
    np.add.at(table.T, label[own], counts[item[own]])
    return table - np.diag(np.bincount(label[own], minlength=categories))


@dataclass(frozen=True)
class Differences:
    """The difference of each rating from the others of its item: `index`, shape (ratings,), is its position in
    `values`, or MISSING if the rating is missing or has no others. `values` are distinct and in order; they are few,
    because equal ratings of an item have equal differences.
    """

    values: Floats
    index: Counts

    def each(self) -> Floats:
        """Return the differences themselves, shape (ratings,); NaN for missing ones."""
        return np.append(self.values, np.nan)[self.index]


def differences(items: ArrayLike, hits: ArrayLike) -> Differences:
    """Return for every rating its 0 or 1 less the mean of the others' on its item.

    `hits`: 1, 0, or -1 for a rating that is missing here. Computed from whole numbers, so that equal situations give
    equal floats.
    """
    item, hit = _index(items), _labels(hits)
    counts = count_table(item, hit, (int(item.max(initial=-1)) + 1, 2))
    others = counts.sum(axis=1) - 1
    above = np.stack([-counts[:, 1], others - counts[:, 1] + 1], axis=1)  # of a 0 and of a 1, times the others
    has_others = (counts > 0) & (others > 0)[:, None]
    values, number = np.unique((above / np.maximum(others, 1)[:, None])[has_others], return_inverse=True)
    kind = np.promote_types(np.int16, np.min_scalar_type(len(values)))
    number_of = np.full((len(counts), 3), MISSING, dtype=kind)  # a missing rating's column is the last
    number_of[:, :2][has_others] = number
    return Differences(values, number_of[item, hit])


def leniency(
    raters: ArrayLike, clusters: ArrayLike, differences: Differences, count: int, *, level: float = 0.95
) -> list[Leniency | None]:
    """Return the leniency of each of `count` raters; None for raters whose items have no other rater.

    All three are of shape (ratings,): the rater, the cluster (prompt) of the item, and `differences`.

    A rater's mean difference d has the variance V = D · s² / n: s² is the variance of the differences within raters and
    D ≥ 1 how much more the differences of one rater and prompt vary together than apart, both pooled over the raters;
    one more difference with the variance of a coin, 1/4, keeps a handful of ratings that happen to agree from looking
    certain. True leniencies are assumed normal around 0 with standard deviation t, so for a given t the estimate is d ·
    t²/(t² + V) with variance V · t²/(t² + V) (Efron and Morris 1975). t is unknown: the two are averaged over its
    posterior (Gelman et al. 2013, section 5.4, on a grid), with a half-Cauchy prior of scale .1 (Gelman 2006), so that
    the bounds allow for that too. Bounds: value ± z · standard deviation.
    """
    number = int(_index(clusters).max(initial=0)) + 1
    group, difference, n = _merge_equal(_index(raters) * number + _labels(clusters), differences)
    rater = group // number
    ratings = np.bincount(rater, n, count).astype(np.int64)
    raw = np.bincount(rater, n * difference, count) / np.maximum(ratings, 1)
    variance = _variance(group, difference - raw[rater], n, int((ratings > 0).sum()))
    present = np.flatnonzero(ratings).tolist()
    drawn = _shrink(raw[present], variance / ratings[present])
    z = normal_quantile(two_sided(level))
    result: list[Leniency | None] = [None] * count
    for j, (value, spread) in zip(present, drawn, strict=True):
        result[j] = Leniency(float(raw[j]), value, value - z * spread, value + z * spread, int(ratings[j]))
    return result


def mean_differences(groups: ArrayLike, differences: Differences, count: int) -> Floats:
    """Return the mean of the differences of each of `count` groups of ratings; NaN for one without any.

    `groups`: shape (ratings,). The means do not depend on the order of the rows.
    """
    group, difference, n = _merge_equal(_index(groups), differences)
    ratings = np.bincount(group, n, count)
    return np.divide(np.bincount(group, n * difference, count), ratings, out=np.full(count, np.nan), where=ratings > 0)


def outlying_raters(
    items: ArrayLike,
    raters: ArrayLike,
    clusters: ArrayLike,
    hits: ArrayLike,
    count: int,
    *,
    beyond: float,
    first: list[Leniency | None] | None = None,
) -> dict[int, Leniency]:
    """Return the raters whose leniency lies beyond ± `beyond` with its whole interval: {rater: their leniency}.

    They are found one at a time, the farthest first, and removed before the rest are tested: otherwise one lenient
    rater would make all others look strict. Two equally far ones are removed together: between two raters alone the
    data do not show which one differs. `first`: the result of `leniency` for all, if known already.
    """
    item, rater, cluster, hit = map(_index, (items, raters, clusters, hits))
    outliers: dict[int, Leniency] = {}
    everybody = first
    while True:
        everybody = everybody or leniency(rater, cluster, differences(item, hit), count)
        beyond_bounds = {
            j: rater_leniency
            for j, rater_leniency in enumerate(everybody)
            if rater_leniency and (rater_leniency.low > beyond or rater_leniency.high < -beyond)
        }
        if not beyond_bounds:
            return outliers
        farthest = max(abs(rater_leniency.value) for rater_leniency in beyond_bounds.values())
        removed = {j: estimate for j, estimate in beyond_bounds.items() if abs(estimate.value) > farthest - 1e-9}
        outliers |= removed
        remaining = ~np.isin(rater, list(removed))
        item, rater, cluster, hit = item[remaining], rater[remaining], cluster[remaining], hit[remaining]
        everybody = None


def pair_counts(
    items: ArrayLike, raters: ArrayLike, labels: ArrayLike, categories: int
) -> dict[tuple[int, int], Counts]:
    """Return the label counts of each pair of raters with common items, shape (q, q).

    {(a, b): table} with a < b in order; the rows are a's labels. A rating is paired with the one that lies 1, 2, …
    positions after it in its item, so memory is that of the ratings however many share an item.
    """
    item, rater, label = _index(items), _index(raters), _index(labels)
    labeled = np.flatnonzero(label != MISSING)
    order = labeled[np.lexsort((rater[labeled], item[labeled]))]
    item, rater, label = item[order], rater[order], label[order]
    number = int(rater.max(initial=-1)) + 1
    keys, counts = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    for apart in range(1, int(np.bincount(item).max(initial=0)) if len(item) else 1):
        first = np.flatnonzero(item[apart:] == item[:-apart])
        second = first + apart
        key = (rater[first] * number + rater[second]) * categories**2 + label[first] * categories + label[second]
        more_keys, more = np.unique(key, return_counts=True)
        keys, index = np.unique(np.concatenate([keys, more_keys]), return_inverse=True)
        counts = np.bincount(index, np.concatenate([counts, more]), len(keys)).astype(np.int64)
    tables: dict[tuple[int, int], Counts] = {}
    for key_of_pair, n in zip(keys.tolist(), counts.tolist(), strict=True):
        pair, cell = divmod(key_of_pair, categories**2)
        table = tables.setdefault(divmod(pair, number), np.zeros((categories, categories), dtype=np.int64))
        table[divmod(cell, categories)] = n
    return tables


def pair_agreement(table: ArrayLike) -> tuple[int, float | None, float | None]:
    """Return (items, percent, Gwet's AC1) of two raters, from the counts of their pairs of labels: shape (q, q).

    Equal to `agreement.agreement` of the items that both labeled. None without such items; AC1 needs two categories.
    """
    counts = np.asarray(table, dtype=np.int64)
    n, same, q = int(counts.sum()), int(np.trace(counts)), len(counts)
    used = (counts.sum(axis=0) + counts.sum(axis=1)).tolist()
    if not n or q < 2:
        return n, quotient(same, n), None
    unlike = sum(label_uses * (2 * n - label_uses) for label_uses in used)  # 4n² (q-1) times the agreement by chance
    all_pairs = 4 * n * n * (q - 1)
    return n, quotient(same, n), quotient(4 * n * same * (q - 1) - unlike, all_pairs - unlike)


def _merge_equal(groups: Counts, differences: Differences) -> tuple[Counts, Floats, Counts]:
    """Return the counts of equal differences within each group: (group, difference, count), in order. Sums over them do
    not depend on the order of the rows.
    """
    has_difference, values = differences.index != MISSING, len(differences.values)
    below = (int(groups.max(initial=0)) + 1) * values
    codes = groups * values + differences.index
    distinct, n = distinct_counts(codes if has_difference.all() else codes[has_difference], below)
    group, value = np.divmod(distinct, max(1, values))
    return group, differences.values[value], n


def _variance(group: Counts, residuals: Floats, n: Counts, raters: int) -> float:
    """Return D · s² of `residuals` (differences less their rater's mean), `n` of each, pooled over the raters.

    `group`: number of rater and cluster, in order.
    """
    if not len(residuals):
        return 0.25
    squares = math.fsum((n * residuals**2).tolist())  # exact, so that it does not depend on the order of the raters
    within = (squares + 0.25) / (int(n.sum()) - raters + 1)
    first = np.flatnonzero(np.diff(group, prepend=-1))
    together = math.fsum((np.add.reduceat(n * residuals, first) ** 2).tolist())
    return within * max(1.0, together / squares if squares > 0 else 1.0)


def _shrink(raw: Floats, variances: Floats) -> list[tuple[float, float]]:
    """Return (mean, standard deviation) of each true leniency, averaged over the spread's posterior."""
    spreads = MAX_SPREAD * (np.arange(STEPS) + 0.5) / STEPS
    logs = _log_posteriors(spreads, raw, variances)
    highest = max(logs)
    weights = np.array([math.exp(log - highest) for log in logs])
    total = math.fsum(weights)
    weight_of_data = spreads**2 / (spreads**2 + variances[:, None])  # (raters, spreads)
    estimates = []
    for d, v, mean, square in zip(
        raw, variances, weights * weight_of_data, weights * weight_of_data * weight_of_data, strict=True
    ):
        mean_kept, square_kept = math.fsum(mean) / total, math.fsum(square) / total
        variance = v * mean_kept + d * d * max(0.0, square_kept - mean_kept**2)
        estimates.append((float(d * mean_kept), math.sqrt(variance)))
    return estimates


def _log_posteriors(spreads: Floats, raw: Floats, variances: Floats) -> list[float]:
    """Up to a constant, of each spread: the half-Cauchy prior, and each d normal around 0 with variance spread² + V.

    Logarithms and sums are Python's: NumPy's differ in the last digit from processor to processor.
    """
    variance = spreads[:, None] ** 2 + variances
    squares = (raw * raw / variance).tolist()
    return [
        -0.5 * math.fsum([*map(math.log, variances_at_spread), *apart]) - math.log(1 + (spread / USUAL_SPREAD) ** 2)
        for spread, variances_at_spread, apart in zip(spreads.tolist(), variance.tolist(), squares, strict=True)
    ]


def _labels(values: ArrayLike) -> NDArray[np.signedinteger]:
    """Return labels in the smallest suitable integer type."""
    labels = np.asarray(values).ravel()
    return labels if labels.dtype.kind == "i" else labels.astype(np.int64)


def _index(values: ArrayLike) -> Counts:
    return np.asarray(values, dtype=np.int64).ravel()
