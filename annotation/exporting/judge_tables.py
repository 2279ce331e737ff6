"""The tables of a judge against people."""

from collections.abc import Iterator

from ..reporting.report import JudgeAgainstPeople, Report
from ..reporting.report_parts.judge_comparison import DetectionFigures, Intervals, LabelFigures, RateDifference
from ..reporting.text.judge_summary import judge_notes
from ..reporting.text.judge_tables import sections
from ..reporting.text.judge_use import judge_use
from ..reporting.text.names import Names
from .table import Grid

Row = dict[str, str | float | None]
AGAINST_PEOPLE, DETECTION = "judge_against_people", "judge_detection"
JUDGE_TABLES = (
    AGAINST_PEOPLE, "judge_confusion", DETECTION, "judge_bias", "judge_bias_by_length", "judge_bias_by_position",
    "judge_order", "judge_calibration", "judge_consistency", "judge_drift", "judge_changes", "judge_runs",
    "judge_times", "judge_fingerprints",
)  # fmt: skip
LABEL_FIGURES = ("accuracy", "kappa", "kappa_quadratic", "macro_f1")
DETECTION_FIGURES = ("precision", "recall", "f1", "mcc", "balanced_accuracy")


def judge_grids(report: Report, names: Names) -> Iterator[Grid]:
    """Yield the tables of the comparison, below the first what the judge is good for; nothing without a judge."""
    part = report.judge_against_people
    if part is None:
        return
    for section in sections(part, names):
        for table in section.tables:
            is_first = table.key == AGAINST_PEOPLE
            title = f"Judge against people: {part.judge}" if is_first else f"Judge {part.judge}: {section.heading}"
            first_note = ["Use of this judge:", *judge_use(part, names), *judge_notes(report, names)]
            note = " ".join(first_note) if is_first else section.note
            yield Grid(table.key, title, table.head, table.rows, note, table.words)


def judge_rows(report: Report) -> Iterator[Row]:
    """Yield the same figures as rows of the tidy table."""
    part = report.judge_against_people
    if part is None:
        return
    for label, figures, n in _compared(part):
        where = {"table": AGAINST_PEOPLE, "value": part.judge, "key": label}
        for name in LABEL_FIGURES:
            yield {**where, "figure": name, **_estimate(figures, figures.intervals, name), "n": n}
    for key, row in part.detection.items():
        where = {"table": DETECTION, "value": part.judge, "key": key}
        n = row.tp + row.fp + row.fn + row.tn
        for name in DETECTION_FIGURES:
            yield {**where, "figure": name, **_estimate(row, row.intervals, name), "n": n}
    yield from _more_rows(part)


def _more_rows(part: JudgeAgainstPeople) -> Iterator[Row]:
    """Yield confusion, calibration, bias, order, consistency and drift; `value` is the judge, and a group's name."""
    for label, row in zip(part.labels, part.confusion, strict=True):
        for judged, n in zip(part.labels, row, strict=True):
            yield {"table": "judge_confusion", "value": part.judge, "figure": label, "key": judged, "estimate": n}
    if part.calibration is not None and part.calibration.n:
        of_all: Row = {"table": "judge_calibration", "value": part.judge, "n": part.calibration.n}
        yield {**of_all, "figure": "ece", "estimate": part.calibration.ece}
        yield {**of_all, "figure": "brier", "estimate": part.calibration.brier}
        for each in filter(lambda each: each.n, part.calibration.bins):
            figures: Row = {
                "estimate": each.accuracy,
                "low": each.accuracy_low,
                "high": each.accuracy_high,
                "n": each.n,
            }
            key = f"{each.low:g} to {each.high:g}"
            yield {"table": "judge_calibration", "value": part.judge, "figure": "accuracy", "key": key, **figures}
    for key, measure in part.measures.items():
        yield _difference("judge_bias", part.judge, key, measure)
    tables = {"system": "judge_bias", "length": "judge_bias_by_length", "position": "judge_bias_by_position"}
    for name, groups in part.by.items():
        for group in groups:
            for key, measure in group.measures.items():
                value = f"{part.judge}: {group.value}"
                yield _difference(tables.get(name, "judge_times"), value, key, measure)
    if part.order is not None:
        yield _difference("judge_order", part.judge, part.order.question, part.order.overall)
    if part.consistency is not None and part.consistency.items:
        of_samples: Row = {"table": "judge_consistency", "value": part.judge, "n": part.consistency.items}
        yield {**of_samples, "figure": "all_agree", "estimate": part.consistency.all_agree}
        yield {**of_samples, "figure": "mean_agreement", "estimate": part.consistency.mean_agreement}
    for drift in part.versions:
        of_version: Row = {"table": "judge_drift", "value": drift.judge}
        same: Row = {"estimate": drift.same, "low": drift.same_low, "high": drift.same_high, "n": drift.items}
        yield {**of_version, "figure": "same", **same}
        difference: Row = {
            "estimate": drift.difference,
            "low": drift.low,
            "high": drift.high,
            "n": drift.compared_items,
        }
        yield {**of_version, "figure": "difference", "key": "accuracy", **difference}


def _difference(table: str, value: str, key: str, row: RateDifference) -> Row:
    bounds: Row = {"estimate": row.difference, "low": row.low, "high": row.high}
    return {"table": table, "value": value, "figure": "difference", "key": key, **bounds, "n": row.items}


def _compared(part: JudgeAgainstPeople) -> list[tuple[str, LabelFigures, int]]:
    """Return who is compared with whom, the figures, and the number of items or ratings."""
    ceiling = part.human_ceiling
    return [
        ("Judge, against the majority of people", part.majority, part.items),
        ("People, against the majority of the other raters", ceiling.people, ceiling.ratings),
        ("Judge, against the same other raters", ceiling.judge, ceiling.ratings),
    ]


def _estimate(figures: LabelFigures | DetectionFigures, intervals: Intervals, name: str) -> dict[str, float | None]:
    low, high = intervals.get(name) or (None, None)
    return {"estimate": getattr(figures, name), "low": low, "high": high}
