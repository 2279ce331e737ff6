"""How a judge's answers match people's: labels, detection, the human ceiling, calibration, groups of items, and the
items where they differ most.
"""

import math
from collections.abc import Callable

import numpy as np

from ....stats.alternative_annotator import alternative_annotator_test
from ....stats.calibration import calibration
from ....stats.hybrid import weighted_share
from ....stats.intervals import MIN_CLUSTERS, BoundedFigure, closed_form, t_bounds
from ....stats.label_intervals import detection_intervals, match_intervals
from ....stats.means import clustered_mean
from ....stats.proportions import cluster_counts, effective_clusters, ratio
from ....stats.undefined import defined
from ...choices import Choices
from ...data.arrays import MISSING, Indices, Mask
from ...data.groups import LEVEL
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
from .input import Floats, JudgeLabels, UnitTables

EPSILON = 0.15
"""The advantage that the judge has by its cost, as the authors of the test take it for skilled raters."""
MAX_DIFFERING_ITEMS = 50
ANY_PROBLEM = "any_problem"
PROBLEM_TONES = ("disputed", "unsupported", "inaccurate")
QUARTERS = 4
SHORTEST_NAME = 3
"""Characters of a model's name that must be equal for a system to be of the same model."""


def label_figures(tables: UnitTables, choices: Choices) -> LabelFigures:
    figures = match_intervals(*tables, resamples=choices.resamples, seed=choices.seed, level=LEVEL)
    figures = {name.removeprefix("cohen_"): figure for name, figure in figures.items()}
    return LabelFigures(**{name: figure.value for name, figure in figures.items()}, intervals=_bounds(figures))


def _bounds(figures: dict[str, BoundedFigure]) -> Intervals:
    return {
        name: None if figure.low is None or figure.high is None else (figure.low, figure.high)
        for name, figure in figures.items()
    }


def detections(labels: JudgeLabels, choices: Choices) -> dict[str, DetectionFigures]:
    """Return the detection of each measure of which less is better, and of any problem, by name."""
    tables = {
        measure.key: labels.unit_tables(labels.reference_hits(measure), labels.judge_hits(measure), 2)
        for measure in labels.protocol.measures
        if measure.better == "lower"
    }
    tones = {option.key: option.tone for question in labels.protocol.checked_questions for option in question.options}
    is_problem = [int(tones.get(key) in PROBLEM_TONES) for key in labels.options]
    if 0 < sum(is_problem) < len(is_problem):
        of_label = np.array([*is_problem, MISSING])
        tables[ANY_PROBLEM] = labels.unit_tables(of_label[labels.reference], of_label[labels.judged], 2)
    detection = {}
    for name, (sums, squares, counts) in tables.items():
        (tn, fp), (fn, tp) = counts.sum(axis=0).tolist()
        figures = detection_intervals(
            sums, {1}, squares, counts, resamples=choices.resamples, seed=choices.seed, level=LEVEL
        )
        values = {key: figure.value for key, figure in figures.items()}
        detection[name] = DetectionFigures(tp=tp, fp=fp, fn=fn, tn=tn, **values, intervals=_bounds(figures))
    return detection


def human_ceiling(labels: JudgeLabels, choices: Choices) -> HumanCeiling:
    """Compare each rating of an item that the judge labeled with the majority of the item's other ratings, and the
    judge's label with the same majority. Ties of the others are not compared.
    """
    own, judged = labels.rating, labels.judged[labels.people.item]
    rows = np.flatnonzero((own != MISSING) & (judged != MISSING))
    others = labels.counts[labels.people.item[rows]]
    others[np.arange(len(rows)), own[rows]] -= 1
    most = others.max(axis=1, initial=0)
    is_clear = (most > 0) & ((others == most[:, None]).sum(axis=1) == 1)
    rows, truth = rows[is_clear], others[is_clear].argmax(axis=1)
    items = labels.people.item[rows]
    people, judge = (
        label_figures(labels.unit_tables(truth, each[rows], len(labels.options), items), choices)
        for each in (own, judged)
    )
    return HumanCeiling(items=len(np.unique(items)), ratings=len(rows), people=people, judge=judge)


def alternative_annotator(labels: JudgeLabels) -> AlternativeAnnotator:
    people = labels.people
    table = np.full((len(people.items), len(people.raters)), MISSING)
    table[people.item, people.rater] = labels.rating
    test = alternative_annotator_test(
        table, labels.judged, epsilon=EPSILON, units=people.item_cluster, weights=labels.weight
    )
    return AlternativeAnnotator(
        test.epsilon, len(test.raters), test.tested, test.winning_rate, test.advantage, test.passes
    )


def judge_calibration(labels: JudgeLabels) -> JudgeCalibration:
    confidences = [np.nan if row.confidence is None else row.confidence for row in labels.rows]
    confidence = np.array([*confidences, np.nan])[labels.row]
    used = labels.compared & np.isfinite(confidence)
    result = calibration(confidence[used], labels.judged[used] == labels.reference[used], labels.weights(used))
    bins = []
    for each in result.bins:
        is_in_bin = (confidence >= each.low) & ((confidence < each.high) | (each.high == 1))
        _, _, low, high = item_accuracy(labels, used & is_in_bin)
        bins.append(ReliabilityBin(each.low, each.high, each.n, each.right, each.confidence, each.accuracy, low, high))
    return JudgeCalibration(result.n, result.ece, result.largest_error, result.brier, bins)


def differing_items(labels: JudgeLabels, read_texts: Callable[[list[int]], dict[int, str]]) -> list[DifferingItem]:
    """Return the items whose people's labels are most unlike the judge's: by their share, then by the number of
    ratings, the judge's confidence and imported ids.
    """
    table, n = labels.people, labels.counts.sum(axis=1)
    same = np.where(labels.judged == MISSING, 0, labels.counts[np.arange(len(n)), labels.judged])
    different = np.flatnonzero((labels.judged != MISSING) & (n > same))
    unlike = (n - same)[different] / n[different]
    confidence = np.array([labels.rows[row].confidence or 0.0 for row in labels.row[different].tolist()])
    order = np.lexsort((different, -confidence, -n[different], -unlike))[:MAX_DIFFERING_ITEMS]
    texts = read_texts(table.items.item_id[different[order]].tolist())
    items = []
    for item, share in zip(different[order].tolist(), unlike[order].tolist(), strict=True):
        row, counts = labels.rows[labels.row[item]], zip(labels.options, labels.counts[item].tolist(), strict=True)
        people = {option: count for option, count in counts if count}
        answers = {"judge": labels.options[labels.judged[item]], "people": people, "unlike": share}
        about_verdict = {"confidence": row.confidence, "reason": row.reason}
        items.append(DifferingItem.of(table, item, texts, answers | about_verdict))
    return items


Accuracy = tuple[int, float | None, float | None, float | None]
"""The number of compared items, the judge's accuracy on them, and its bounds over units."""


def item_accuracy(labels: JudgeLabels, items: Mask) -> Accuracy:
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


def groups_by_quarter(labels: JudgeLabels, number: Indices) -> list[ItemGroup]:
    """Return up to four groups of about equally many compared items, by a number of each item, from low to high.

    Equal numbers are in one group; its name is the range of its numbers.
    """
    values = np.sort(number[labels.compared])
    if not len(values):
        return []
    edges = np.unique(values[[len(values) * quarter // QUARTERS for quarter in range(QUARTERS)]])
    quarter_of, groups = np.searchsorted(edges, number, side="right"), []
    for quarter in range(1, len(edges) + 1):
        numbers = number[(quarter_of == quarter) & labels.compared]
        low, high = int(numbers.min()), int(numbers.max())
        groups.append(group_of(labels, f"{low}" if low == high else f"{low}–{high}", quarter_of == quarter))
    return groups


def group_of(labels: JudgeLabels, name: str, items: Mask) -> ItemGroup:
    return ItemGroup(name, *item_accuracy(labels, items), measures=rate_differences(labels, items))


def rate_differences(labels: JudgeLabels, items: Mask) -> dict[str, RateDifference]:
    differences = {}
    for measure in labels.protocol.measures:
        hits = labels.judge_hits(measure)
        judge, people = np.where(hits == MISSING, np.nan, hits), labels.people_shares(measure)
        differences[measure.key] = rate_difference(labels, judge, people, items)
    return differences


def rate_difference(labels: JudgeLabels, judge: Floats, people: Floats, items: Mask) -> RateDifference:
    """Return the judge's mean less people's over these items, arrays of shape (items,), NaN where one has no value."""
    used = np.flatnonzero(items & np.isfinite(judge) & np.isfinite(people))
    if not len(used):
        return RateDifference(0, None, None, None, None, None)
    judge, people, weight = judge[used], people[used], labels.weights(used)
    estimate = clustered_mean(judge - people, labels.people.item_cluster[used], weights=weight, level=LEVEL)
    of_people, of_judge = (float(np.average(each, weights=weight)) for each in (people, judge))
    return RateDifference(len(used), of_people, of_judge, estimate.value, estimate.low, estimate.high)


def own_model(labels: JudgeLabels, model: str) -> OwnModel | None:
    """Return how much more the first measure with a direction favors responses of the judge's own model than others,
    with t bounds over units (linearized); None without a system that has its name, without others, or without such a
    measure.
    """
    names = labels.people.responses.systems
    own = [name for name in names if is_same_model(name, model)]
    measure = next((measure for measure in labels.protocol.measures if measure.better != "neither"), None)
    if measure is None or not own or len(own) == len(names):
        return None
    judge, people = labels.judge_hits(measure), labels.people_shares(measure)
    items = np.flatnonzero((labels.judged != MISSING) & (judge != MISSING) & np.isfinite(people))
    values = judge[items] - people[items]
    weight = np.ones(len(items)) if labels.weight is None else labels.weight[items]
    system = labels.people.responses.system_of[labels.people.items.response[items]]
    is_own = np.isin(system, [number for number, name in enumerate(names) if name in own])
    if is_own.all() or not is_own.any():
        return OwnModel(own, measure.key, None, None, None)
    means = [float(np.average(values[mask], weights=weight[mask])) for mask in (is_own, ~is_own)]
    shares = weight / np.where(is_own, weight[is_own].sum(), -weight[~is_own].sum())
    residuals = shares * (values - np.where(is_own, *means))
    _, unit = np.unique(labels.people.item_cluster[items], return_inverse=True)
    sums, sizes = np.bincount(unit, residuals), np.bincount(unit, weight)
    units, difference = len(sizes), means[0] - means[1]
    if units < MIN_CLUSTERS:
        return OwnModel(own, measure.key, difference, None, None)
    se = math.sqrt(units / (units - 1) * float(np.dot(sums, sums)))
    bounds = t_bounds(difference, se, units, LEVEL, effective_clusters(sizes))
    return OwnModel(own, measure.key, defined(difference), bounds.low, bounds.high)


def is_same_model(system: str, model: str) -> bool:
    """Return whether one name, without the provider and other signs than letters and digits, contains the other."""
    shorter, longer = sorted(
        ("".join(filter(str.isalnum, name.rpartition("/")[2].casefold())) for name in (system, model)), key=len
    )
    return len(shorter) >= SHORTEST_NAME and shorter in longer
