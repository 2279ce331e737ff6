"""A judge's bias: its rates less people's on the same items, by system, by length of the item and by its position."""

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ...stats.hybrid import weighted_share
from ...stats.intervals import MIN_CLUSTERS, closed_form, t_bounds
from ...stats.means import clustered_mean
from ...stats.proportions import cluster_counts, effective_clusters, ratio
from ...stats.undefined import defined
from ..data.arrays import MISSING, Indices, Mask
from ..report_parts.judge_comparison import ItemGroup, OwnModel, RateDifference
from .cells import LEVEL
from .judge_labels import JudgeLabels, leading_measure

Floats = NDArray[np.float64]
QUARTERS = 4
SHORTEST_NAME = 3
"""Characters of a model's name that must be equal for a system to be of the same model."""


def rate_differences(labels: JudgeLabels, items: Mask) -> dict[str, RateDifference]:
    """Return each measure's difference, judge less people, over these items."""
    return {measure.key: _difference(labels, measure.key, items) for measure in labels.protocol.measures}


def groups_by_system(labels: JudgeLabels) -> list[ItemGroup]:
    """Return a group for each system, by name."""
    system = labels.people.responses.system_of[labels.people.items.response]
    return [_group(labels, name, system == n) for n, name in enumerate(labels.people.responses.systems)]


def groups_by_quarter(labels: JudgeLabels, number: Indices) -> list[ItemGroup]:
    """Return up to four groups of about equally many compared items, by a number of each item, from low to high.

    Equal numbers are in one group; its name is the range of its numbers.
    """
    values = np.sort(number[labels.compared])
    if not len(values):
        return []
    edges = np.unique(values[[len(values) * quarter // QUARTERS for quarter in range(QUARTERS)]])
    quarter = np.searchsorted(edges, number, side="right")
    return list(_quarters(labels, number, quarter, len(edges)))


def own_model(labels: JudgeLabels, model: str) -> OwnModel | None:
    """Return how much more the leading measure favors responses of the judge's own model than others; None without
    a system that has its name, without others, or without a measure with a direction.
    """
    names, measure = labels.people.responses.systems, leading_measure(labels.protocol)
    own = [name for name in names if is_same_model(name, model)]
    if measure is None or not own or len(own) == len(names):
        return None
    item, judge, people = _assessed(labels, measure.key, labels.judged != MISSING)
    system = labels.people.responses.system_of[labels.people.items.response[item]]
    is_own = np.isin(system, [number for number, name in enumerate(names) if name in own])
    weight = labels.weights(item)
    value, low, high = _contrast(
        judge - people, is_own, labels.people.item_cluster[item], np.ones(len(item)) if weight is None else weight
    )
    return OwnModel(own, measure.key, value, low, high)


def is_same_model(system: str, model: str) -> bool:
    """Return whether one name, without the provider and other signs than letters and digits, contains the other."""
    names = sorted((_letters(system), _letters(model)), key=len)
    return len(names[0]) >= SHORTEST_NAME and names[0] in names[1]


def _letters(name: str) -> str:
    return "".join(character for character in name.rpartition("/")[2].casefold() if character.isalnum())


def _quarters(labels: JudgeLabels, number: Indices, quarter: Indices, count: int) -> Iterator[ItemGroup]:
    for each in range(1, count + 1):
        items = (quarter == each) & labels.compared
        low, high = int(number[items].min()), int(number[items].max())
        yield _group(labels, f"{low}" if low == high else f"{low}–{high}", quarter == each)


def _group(labels: JudgeLabels, name: str, items: Mask) -> ItemGroup:
    accuracy = item_accuracy(labels, items)
    return ItemGroup(name, *accuracy, measures=rate_differences(labels, items))


def item_accuracy(labels: JudgeLabels, items: Mask) -> tuple[int, float | None, float | None, float | None]:
    """Return the number of compared items among these, the judge's accuracy on them, and its bounds over units."""
    used = items & labels.compared
    hits, unit = (labels.judged == labels.reference)[used], labels.people.item_cluster[used]
    units, weight = labels.people.responses.clusters, labels.weights(used)
    if weight is not None:
        of_hits, of_all = (np.bincount(unit, each, units).astype(float) for each in (weight * hits, weight))
        estimate = weighted_share(of_hits, of_all, float(np.dot(weight, weight)), len(weight), LEVEL)
        return int(used.sum()), estimate.value, estimate.low, estimate.high
    share = ratio(*cluster_counts(unit, hits, units))
    bounds = closed_form(share, LEVEL)
    return int(used.sum()), share.value, bounds.low, bounds.high


def _assessed(labels: JudgeLabels, key: str, items: Mask) -> tuple[Indices, Floats, Floats]:
    """Return the items that both assessed under the measure, and on each the judge's hit and people's share."""
    measure = labels.protocol.measure(key)
    judge, people = labels.judge_hits(measure), labels.people_shares(measure)
    used = np.flatnonzero(items & (judge != MISSING) & np.isfinite(people))
    return used, judge[used].astype(np.float64), people[used]


def _difference(labels: JudgeLabels, key: str, items: Mask) -> RateDifference:
    used, judge, people = _assessed(labels, key, items)
    return _rate_difference(labels, used, judge, people)


def rate_difference(labels: JudgeLabels, judge: Floats, people: Floats, items: Mask) -> RateDifference:
    """Return the judge's mean less people's over these items, arrays of shape (items,), NaN where one has no value."""
    used = np.flatnonzero(items & np.isfinite(judge) & np.isfinite(people))
    return _rate_difference(labels, used, judge[used], people[used])


def _rate_difference(labels: JudgeLabels, used: Indices, judge: Floats, people: Floats) -> RateDifference:
    if not len(used):
        return RateDifference(0, None, None, None, None, None)
    weight = labels.weights(used)
    estimate = clustered_mean(judge - people, labels.people.item_cluster[used], weights=weight, level=LEVEL)
    of_people, of_judge = (float(np.average(each, weights=weight)) for each in (people, judge))
    return RateDifference(len(used), of_people, of_judge, estimate.value, estimate.low, estimate.high)


def _contrast(
    values: Floats, is_first: Mask, unit: Indices, weight: Floats
) -> tuple[float | None, float | None, float | None]:
    """Return the mean of the first values less that of the others, with t bounds over units (linearized)."""
    if is_first.all() or not is_first.any():
        return None, None, None
    means = [float(np.average(values[mask], weights=weight[mask])) for mask in (is_first, ~is_first)]
    shares = weight / np.where(is_first, weight[is_first].sum(), -weight[~is_first].sum())
    residuals = shares * (values - np.where(is_first, *means))
    _, index = np.unique(unit, return_inverse=True)
    sums, sizes = np.bincount(index, residuals), np.bincount(index, weight)
    units = len(sizes)
    if units < MIN_CLUSTERS:
        return means[0] - means[1], None, None
    se = math.sqrt(units / (units - 1) * float(np.dot(sums, sums)))
    bounds = t_bounds(means[0] - means[1], se, units, LEVEL, effective_clusters(sizes))
    return defined(means[0] - means[1]), bounds.low, bounds.high
