"""The judge card, one page of Markdown that says what a judge is and what it is good for; and a summary in lines."""

from collections.abc import Iterable, Iterator, Mapping

from ..protocols import Protocol
from ..reporting.report_parts.judge_comparison import (
    DetectionFigures,
    Intervals,
    JudgeComparison,
    LabelFigures,
    RateDifference,
    VersionDrift,
)
from ..reporting.text.figure_format import coefficient, count, interval, joined_bounds, percent_or_dash, points
from ..reporting.text.names import Names, readable
from .report_formats import markdown_cell, markdown_table
from .table import Grid

FEW_ITEMS, FEW_CHANGES = 5, 3
"""Differing items and changed answers on the card; all are in the JSON."""
REASONS = {
    "tuned": "the sentence tuned the judge's prompt",
    "failed": "the verdict failed",
    "not_rated": "no counted rating of a person",
    "judge_cannot_assess": "the judge could not assess it",
    "people_cannot_assess": "people could not assess it",
    "tied": "people are tied, without an adjudication",
}
EXCLUDED = {
    "verdict_shown": "ratings given or changed after a verdict was shown",
    "adjudications_verdict_shown": "adjudications after a verdict was shown, which resolve no tie",
    "not_drawn": "ratings of items that were not drawn, which have no weight",
    "skipped": "items that raters are not asked about, as they are likely free of claims",
}
"""Those that `left_out` does not count."""
GROUPS = {"system": "System", "length": "Words", "position": "Position", "time": "Verdict, in order of time"}


def summary(comparison: JudgeComparison, protocol: Protocol) -> list[str]:
    """Return the most important figures, a line each."""
    names, ceiling = Names(protocol), comparison.human_ceiling
    lines = [
        f"judge {comparison.judge.name}: {count(comparison.items)} of {count(comparison.verdicts)} verdicts compared",
        *(f"not compared, {REASONS[reason]}: {count(n)}" for reason, n in comparison.left_out.items()),
        *(f"excluded, {line}" for line in _excluded(comparison)),
        *(f"note: {note}" for note in [*comparison.notes, *_weights(comparison)]),
        *(f"use: {sentence}" for sentence in comparison.use),
        f"judge against people: {_labels(comparison)}",
        f"people against the other raters: {_labels(ceiling.people)} ({count(ceiling.ratings)} ratings)",
        f"judge against the same raters: {_labels(ceiling.judge)}",
    ]
    lines += [f"{names.measure(key)}, detection: {_detection(row)}" for key, row in comparison.detection.items()]
    lines += [f"{names.measure(key)}, judge − people: {_difference(row)}" for key, row in comparison.measures.items()]
    return [*lines, *_more(comparison, names)]


def judge_card(comparison: JudgeComparison, protocol: Protocol) -> str:
    """Return the card in Markdown."""
    names = Names(protocol)
    parts = [
        f"# Judge card: {markdown_cell(comparison.judge.name)}",
        _bullets(_description(comparison)),
        "## Use",
        _bullets(comparison.use),
        "## Against people",
        _against_people(comparison),
        "## Detection",
        _detection_table(comparison, names),
        "## Bias: the judge's rate less people's, on the same items, in percentage points",
        _bias_table(comparison, names),
        "## Tests, calibration and drift",
        _bullets(_more(comparison, names)),
        "## Items where judge and people differ most",
        _bullets(_differing(comparison)),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _description(comparison: JudgeComparison) -> Iterator[str]:
    judge, method = comparison.judge, comparison.method
    if judge.rule is not None:
        yield f"Rule: {judge.rule}"
    else:
        yield f"Model: {judge.model}; sees: {judge.sees}; a request rates: {judge.rates}"
        if judge.returned_model is not None:
            yield f"The endpoint answered as: {judge.returned_model or 'it names no model'}"
        yield f"Samples: {judge.samples}; temperature: {judge.temperature}"
        yield f"Prompt, SHA-256: {judge.prompt_sha256}"
    yield f"Version: {judge.version}"
    protocol = comparison.protocol
    yield f"Protocol: {protocol.slug} {protocol.version}, SHA-256: {protocol.sha256}"
    yield f"Items compared: {count(comparison.items)} of {count(comparison.verdicts)} verdicts"
    yield from (f"Not compared, {REASONS[reason]}: {count(n)}" for reason, n in comparison.left_out.items())
    yield from (f"Excluded, {line}" for line in _excluded(comparison))
    yield from [*comparison.notes, *_weights(comparison)]
    yield (
        f"Intervals: {method.level:.0%}, sampling unit (cluster): {method.cluster}, "
        f"{count(method.resamples)} resamples, seed {method.seed}"
    )


def _excluded(comparison: JudgeComparison) -> Iterator[str]:
    counts = ((text, comparison.excluded.get(reason, 0)) for reason, text in EXCLUDED.items())
    yield from (f"{text}: {count(n)}" for text, n in counts if n)


def _weights(comparison: JudgeComparison) -> Iterator[str]:
    weights = comparison.weights
    if weights is not None and weights.smallest is not None and weights.largest is not None:
        yield (
            f"Weights are {weights.smallest:.2f} to {weights.largest:.2f}: the {count(comparison.items)} items are "
            f"worth {weights.effective_items:.0f} of equal weight"
        )


def _against_people(comparison: JudgeComparison) -> str:
    ceiling = comparison.human_ceiling
    rows = {
        f"Judge, majority of people ({count(comparison.items)} items)": _label_cells(comparison),
        f"People, majority of the other raters ({count(ceiling.ratings)} ratings)": _label_cells(ceiling.people),
        "Judge, majority of the same other raters": _label_cells(ceiling.judge),
    }
    head = ["", "Accuracy", "Cohen's kappa", "Quadratic kappa", "Macro F1"]
    return markdown_table(Grid("people", "", head, [[name, *cells] for name, cells in rows.items()]))


def _detection_table(comparison: JudgeComparison, names: Names) -> str:
    head = ["", "Precision", "Recall", "F1", "MCC", "Balanced accuracy", "True +", "False +", "False −", "True −"]
    rows = [[names.measure(key), *_detection_cells(row)] for key, row in comparison.detection.items()]
    return markdown_table(Grid("detection", "", head, rows))


def _bias_table(comparison: JudgeComparison, names: Names) -> str:
    keys = list(comparison.measures)
    everything = (comparison.items, comparison.accuracy, comparison.measures)
    lines = [("All", "", *everything)] + [
        (GROUPS[name], group.value, group.items, group.accuracy, group.measures)
        for name, groups in comparison.by.items()
        if len(groups) > 1 or name == "system"
        for group in groups
    ]
    rows = [
        [name, value, count(items), percent_or_dash(accuracy), *_biases(measures)]
        for name, value, items, accuracy, measures in lines
    ]
    head = ["Items by", "Value", "Items", "Accuracy", *map(names.measure, keys)]
    return markdown_table(Grid("bias", "", head, rows, labels=2))


def _biases(measures: Mapping[str, RateDifference]) -> list[str]:
    return [_with_bounds(points(row.difference), _points_bounds(row)) for row in measures.values()]


def _more(comparison: JudgeComparison, names: Names) -> Iterator[str]:
    """Yield further figures about the judge, a line each."""
    yield _alternative(comparison)
    calibration = comparison.calibration
    if calibration.n:
        yield (
            f"Calibration over {count(calibration.n)} items: expected calibration error "
            f"{coefficient(calibration.ece, 3)}, Brier score {coefficient(calibration.brier, 3)}"
        )
    if (own := comparison.own_model) is not None:
        bounds = f" ({points(own.low)} to {points(own.high)})" if own.low is not None else ""
        yield (
            f"Responses of its own model ({', '.join(own.systems)}): {names.measure(own.measure)} "
            f"{points(own.difference)} points{bounds} beyond its difference on the others"
        )
    if (order := comparison.order) is not None:
        yield f"Order, answers for the response shown to the judge first, judge − people: {_difference(order.overall)}"
        for name, row in order.by_system.items():
            yield f"Order, {name} shown first, judge − people: {_difference(row)}"
    if comparison.consistency.items:
        consistency = comparison.consistency
        yield (
            f"Consistency over samples, {count(consistency.items)} items: all samples agree on "
            f"{percent_or_dash(consistency.all_agree)}, mean agreement {percent_or_dash(consistency.mean_agreement)}"
        )
    for drift in comparison.versions:
        yield f"{'Repetition' if drift.is_repetition else 'Version'} {drift.judge}: {_drift(drift)}"
    if len(comparison.runs) > 1:
        yield from (
            f"Run {run.run}: accuracy {percent_or_dash(run.accuracy)} on {count(run.items)} items"
            for run in comparison.runs
        )
    yield from (
        f"System fingerprint {row.fingerprints}: accuracy {percent_or_dash(row.accuracy)} on {count(row.items)} items"
        for row in comparison.fingerprints
    )
    if comparison.cost_usd.per_item is not None:
        yield f"Cost: USD {comparison.cost_usd.per_item:.6f} per item, {comparison.cost_usd.total:.4f} in total"


def _drift(drift: VersionDrift) -> str:
    same = _with_bounds(percent_or_dash(drift.same), interval(drift.same_low, drift.same_high))
    bounds = "" if drift.low is None else f"{points(drift.low)} to {points(drift.high)}"
    difference = _with_bounds(points(drift.difference), bounds)
    changes = ", ".join(
        f"{readable(change.before)} → {readable(change.after)} × {count(change.items)}"
        for change in drift.changes[:FEW_CHANGES]
    )
    return (
        f"the same answer on {same} of {count(drift.items)} items"
        f"{f' (most frequent changes to this version: {changes})' if changes else ''}; accuracy of this version "
        f"{percent_or_dash(drift.accuracy)} − {percent_or_dash(drift.other_accuracy)} = {difference} points, "
        f"{count(drift.compared_items)} items"
    )


def _alternative(comparison: JudgeComparison) -> str:
    test = comparison.alternative_annotator
    if test.passes is None:
        return f"Alternative annotator test: not possible, {test.tested} of {test.raters} raters have enough items"
    result = "passed" if test.passes else "not passed"
    return (
        f"Alternative annotator test (ε = {test.epsilon:g}): {result}, winning rate "
        f"{percent_or_dash(test.winning_rate)} over {count(test.tested)} raters"
    )


def _differing(comparison: JudgeComparison) -> Iterator[str]:
    for row in comparison.differing_items[:FEW_ITEMS]:
        people = ", ".join(f"{readable(key)} × {n}" for key, n in row.people.items())
        response = row.response if row.against is None else f"{row.response} vs {row.against}"
        yield f"{response}, {row.unit} {row.item + 1}: judge {readable(row.judge)}; people {people}: {row.text}"


def _labels(figures: LabelFigures | JudgeComparison) -> str:
    names = ("accuracy", "kappa", "quadratic kappa", "macro F1")
    return ", ".join(f"{name} {cell}" for name, cell in zip(names, _label_cells(figures), strict=True))


def _label_cells(figures: LabelFigures | JudgeComparison) -> list[str]:
    kappas = [
        _with_bounds(coefficient(getattr(figures, name)), _bounds(figures.intervals, name))
        for name in ("kappa", "kappa_quadratic", "macro_f1")
    ]
    return [_with_bounds(percent_or_dash(figures.accuracy), _share_bounds(figures.intervals, "accuracy")), *kappas]


def _detection(row: DetectionFigures) -> str:
    names = ("precision", "recall", "F1", "MCC", "balanced accuracy")
    return ", ".join(f"{name} {cell}" for name, cell in zip(names, _detection_cells(row), strict=False))


def _detection_cells(row: DetectionFigures) -> list[str]:
    shares = [
        _with_bounds(percent_or_dash(getattr(row, name)), _share_bounds(row.intervals, name))
        for name in ("precision", "recall", "f1")
    ]
    mcc = _with_bounds(coefficient(row.mcc), _bounds(row.intervals, "mcc"))
    balanced = _with_bounds(percent_or_dash(row.balanced_accuracy), _share_bounds(row.intervals, "balanced_accuracy"))
    return [*shares, mcc, balanced, *(count(n) for n in (row.tp, row.fp, row.fn, row.tn))]


def _difference(row: RateDifference) -> str:
    rates = f"{percent_or_dash(row.judge)} − {percent_or_dash(row.people)}"
    return f"{rates} = {_with_bounds(points(row.difference), _points_bounds(row))} points, {count(row.items)} items"


def _with_bounds(value: str, bounds: str) -> str:
    return f"{value} ({bounds})" if bounds else value


def _bounds(intervals: Intervals, name: str) -> str:
    bounds = intervals.get(name)
    return "" if bounds is None else joined_bounds(coefficient(end) for end in bounds)


def _share_bounds(intervals: Intervals, name: str) -> str:
    bounds = intervals.get(name)
    return "" if bounds is None else interval(*bounds)


def _points_bounds(row: RateDifference) -> str:
    return "" if row.low is None else f"{points(row.low)} to {points(row.high)}"


def _bullets(lines: Iterable[str]) -> str:
    return "\n".join(f"- {markdown_cell(line)}" for line in lines)
