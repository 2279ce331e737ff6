"""Figures of a judge against people: labels, detection, the human ceiling, calibration and the list of differences."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from ...stats.alternative_annotator import alternative_annotator_test
from ...stats.calibration import CalibrationBin, calibration
from ...stats.label_intervals import FigureInterval, detection_intervals, match_intervals
from ..choices import Choices
from ..data.arrays import MISSING, Indices, Mask
from ..data.table import UNITS
from ..data.verdicts import JudgeAnswer
from ..report_parts.judge_comparison import (
    AlternativeAnnotator,
    DetectionFigures,
    DifferingItem,
    HumanCeiling,
    Intervals,
    JudgeCalibration,
    LabelFigures,
    ReliabilityBin,
)
from .cells import LEVEL
from .disagreements import beginning
from .judge_groups import item_accuracy
from .judge_labels import JudgeLabels, UnitTables

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
