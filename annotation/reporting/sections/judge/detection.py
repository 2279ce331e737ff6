"""Figures of a judge against people: labels, detection, the human ceiling, calibration and the list of differences."""

import math
from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from ....stats.alternative_annotator import alternative_annotator_test
from ....stats.calibration import CalibrationBin, calibration
from ....stats.hybrid import weighted_share
from ....stats.intervals import MIN_CLUSTERS, closed_form, t_bounds
from ....stats.label_intervals import FigureInterval, detection_intervals, match_intervals
from ....stats.means import clustered_mean
from ....stats.proportions import cluster_counts, effective_clusters, ratio
from ....stats.undefined import defined
from ...choices import Choices
from ...data.arrays import MISSING, Indices, Mask
from ...data.groups import LEVEL
from ...data.judge_answers import JudgeAnswer
from ...data.table import UNITS
from ..agreement.figures import beginning
from .figures import (
    AlternativeAnnotator,
    DetectionFigures,
    DifferingItem,
    HumanCeiling,
    Intervals,
    ItemGroup,
    JudgeCalibration,
    LabelFigures,
    OwnModel,
    RateDifference,
    ReliabilityBin,
)
from .input import JudgeLabels, UnitTables, leading_measure

EPSILON = 0.15
"""The advantage that the judge has by its cost, as the authors of the test take it for skilled raters."""
MAX_DIFFERING_ITEMS = 50
ANY_PROBLEM = "any_problem"
_KAPPAS = {"cohen_kappa": "kappa", "cohen_kappa_quadratic": "kappa_quadratic"}


def label_figures(tables: UnitTables, choices: Choices) -> LabelFigures:
    """Return the figures of the confusion tables."""
    figures = match_intervals(
        tables.sums, tables.squares, tables.counts, resamples=choices.resamples, seed=choices.seed, level=LEVEL
    )
    named = {_KAPPAS.get(name, name): figure for name, figure in figures.items()}
    values = {name: figure.value for name, figure in named.items()}
    return LabelFigures(**values, intervals=_bounds(named))


def confusion_tables(labels: JudgeLabels) -> UnitTables:
    """Return people's reference label (rows) against the judge's, by unit."""
    return _item_tables(labels, labels.reference, labels.judged, len(labels.options))


def _item_tables(labels: JudgeLabels, truth: Indices, judged: Indices, categories: int) -> UnitTables:
    shape = labels.people.responses.clusters, categories
    return UnitTables.count_pairs(labels.people.item_cluster, truth, judged, shape, labels.weight)


def detections(labels: JudgeLabels, choices: Choices) -> dict[str, DetectionFigures]:
    """Return the detection of each measure of which less is better, and of any problem, by name."""
    measures = {measure.key: measure for measure in labels.protocol.measures if measure.better == "lower"}
    tables = {
        key: _item_tables(labels, labels.reference_hits(measure), labels.judge_hits(measure), 2)
        for key, measure in measures.items()
    }
    if problems := labels.problem_labels:
        is_problem = np.append(np.isin(np.arange(len(labels.options)), problems).astype(np.int64), MISSING)
        tables[ANY_PROBLEM] = _item_tables(labels, is_problem[labels.reference], is_problem[labels.judged], 2)
    return {name: _detection(table, choices) for name, table in tables.items()}


def human_ceiling(labels: JudgeLabels, choices: Choices) -> HumanCeiling:
    """Compare each rating of an item that the judge labeled with the majority of the item's other ratings, and the
    judge's label with the same majority. Ties of the others are not compared.
    """
    people, own = labels.people, labels.rating
    judged = labels.judged[people.item]
    rows = np.flatnonzero((own != MISSING) & (judged != MISSING))
    others = labels.counts[people.item[rows]]
    others[np.arange(len(rows)), own[rows]] -= 1
    most = others.max(axis=1, initial=0)
    is_clear = (most > 0) & ((others == most[:, None]).sum(axis=1) == 1)
    rows, truth = rows[is_clear], others[is_clear].argmax(axis=1)
    unit, weight = people.cluster[rows].astype(np.int64), labels.weights(people.item[rows])
    shape = people.responses.clusters, len(labels.options)
    return HumanCeiling(
        items=len(np.unique(people.item[rows])),
        ratings=len(rows),
        people=label_figures(UnitTables.count_pairs(unit, truth, own[rows], shape, weight), choices),
        judge=label_figures(UnitTables.count_pairs(unit, truth, judged[rows], shape, weight), choices),
    )


def alternative_annotator(labels: JudgeLabels) -> AlternativeAnnotator:
    """Return the test whether the judge may stand in for a rater, with a standard error over units."""
    people = labels.people
    table = np.full((len(people.items), len(people.raters)), MISSING)
    table[people.item, people.rater] = labels.rating
    test = alternative_annotator_test(
        table, labels.judged, epsilon=EPSILON, units=people.item_cluster, weights=labels.weight
    )
    return AlternativeAnnotator(
        test.epsilon, len(test.raters), test.tested, test.winning_rate, test.advantage, test.passes
    )


def judge_calibration(labels: JudgeLabels, rows: Sequence[JudgeAnswer]) -> JudgeCalibration:
    """Return the calibration over the compared items whose verdict has a confidence."""
    confidence = np.array([np.nan if row.confidence is None else row.confidence for row in rows] + [np.nan])
    of_item = confidence[labels.judge.row]
    used = labels.compared & np.isfinite(of_item)
    result = calibration(of_item[used], labels.judged[used] == labels.reference[used], labels.weights(used))
    bins = [_reliability_bin(labels, each, used & _is_in(each, of_item)) for each in result.bins]
    return JudgeCalibration(result.n, result.ece, result.largest_error, result.brier, bins)


def _is_in(each: CalibrationBin, confidence: NDArray[np.float64]) -> Mask:
    return (confidence >= each.low) & ((confidence < each.high) | (each.high == 1))


def _reliability_bin(labels: JudgeLabels, each: CalibrationBin, items: Mask) -> ReliabilityBin:
    _, _, low, high = item_accuracy(labels, items)
    return ReliabilityBin(each.low, each.high, each.n, each.right, each.confidence, each.accuracy, low, high)


def differing_items(
    labels: JudgeLabels, rows: Sequence[JudgeAnswer], read_texts: Callable[[list[int]], dict[int, str]]
) -> list[DifferingItem]:
    """Return the items whose people's labels are most unlike the judge's: by their share, then by the number of
    ratings, the judge's confidence and imported ids.
    """
    n = labels.counts.sum(axis=1)
    same = np.where(labels.judged == MISSING, 0, labels.counts[np.arange(len(n)), labels.judged])
    different = np.flatnonzero((labels.judged != MISSING) & (n > same))
    unlike = (n - same)[different] / n[different]
    confidence = np.array([rows[row].confidence or 0.0 for row in labels.judge.row[different].tolist()])
    order = np.lexsort((different, -confidence, -n[different], -unlike))[:MAX_DIFFERING_ITEMS]
    texts = read_texts(labels.people.items.item_id[different[order]].tolist())
    return list(_differing_items(labels, rows, different[order], unlike[order].tolist(), texts))


def _differing_items(
    labels: JudgeLabels,
    rows: Sequence[JudgeAnswer],
    items: Indices,
    unlike: Sequence[float],
    texts: dict[int, str],
) -> Iterator[DifferingItem]:
    table = labels.people
    for item, share in zip(items.tolist(), unlike, strict=True):
        response, row = table.responses.rated[table.items.response[item]], rows[labels.judge.row[item]]
        counts = zip(labels.options, labels.counts[item].tolist(), strict=True)
        yield DifferingItem(
            prompt=response.prompt.key,
            response=response.key,
            against=response.against,
            unit=UNITS[table.items.unit[item] - 1],
            item=int(table.items.position[item]),
            system=response.system,
            text=beginning(texts[int(table.items.item_id[item])]),
            judge=labels.options[labels.judged[item]],
            people={option: count for option, count in counts if count},
            unlike=share,
            confidence=row.confidence,
            reason=row.reason,
        )


def _detection(tables: UnitTables, choices: Choices) -> DetectionFigures:
    (tn, fp), (fn, tp) = tables.counts.sum(axis=0).tolist()
    figures = detection_intervals(
        tables.sums, {1}, tables.squares, tables.counts, resamples=choices.resamples, seed=choices.seed, level=LEVEL
    )
    values = {name: figure.value for name, figure in figures.items()}
    return DetectionFigures(tp=tp, fp=fp, fn=fn, tn=tn, **values, intervals=_bounds(figures))


def _bounds(figures: dict[str, FigureInterval]) -> Intervals:
    return {
        name: None if figure.low is None or figure.high is None else (figure.low, figure.high)
        for name, figure in figures.items()
    }


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
