"""The tables of a judge against people."""

from collections.abc import Iterator

from ..reporting.report import JudgeAgainstPeople, Report
from ..reporting.report_parts.judge_comparison import DetectionFigures, Intervals, LabelFigures
from ..reporting.text.figure_format import count
from ..reporting.text.judge_summary import coefficient_cell, judge_notes, label_cells, share_cell
from ..reporting.text.names import Names
from .table import Grid

AGAINST_PEOPLE, DETECTION = "judge_against_people", "judge_detection"
LABEL_FIGURES = ("accuracy", "kappa", "macro_f1")
DETECTION_FIGURES = ("precision", "recall", "mcc")


def judge_grids(report: Report, names: Names) -> Iterator[Grid]:
    """Yield the match of labels, and the detection of problems; nothing without a judge."""
    part = report.judge_against_people
    if part is None:
        return
    rows = [[label, *label_cells(figures), count(n)] for label, figures, n in _compared(part)]
    head = ["", "Accuracy", "Cohen's kappa", "Macro F1", "n"]
    yield Grid(AGAINST_PEOPLE, f"Judge against people: {part.judge}", head, rows, " ".join(judge_notes(report, names)))
    if part.detection:
        rows = [[names.measure(key), *_detection_cells(row)] for key, row in part.detection.items()]
        head = ["Detection of", "Precision", "Recall", "MCC"]
        yield Grid(DETECTION, f"Detection by judge {part.judge}", head, rows)


def judge_rows(report: Report) -> Iterator[dict[str, str | float | None]]:
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


def _compared(part: JudgeAgainstPeople) -> list[tuple[str, LabelFigures, int]]:
    """Return who is compared with whom, the figures, and the number of items or ratings."""
    ceiling = part.human_ceiling
    return [
        ("Judge, against the majority of people", part.majority, part.items),
        ("People, against the majority of the other raters", ceiling.people, ceiling.ratings),
        ("Judge, against the same other raters", ceiling.judge, ceiling.ratings),
    ]


def _detection_cells(row: DetectionFigures) -> list[str]:
    shares = [share_cell(getattr(row, name), row.intervals, name) for name in ("precision", "recall")]
    return [*shares, coefficient_cell(row.mcc, row.intervals, "mcc")]


def _estimate(figures: LabelFigures | DetectionFigures, intervals: Intervals, name: str) -> dict[str, float | None]:
    low, high = intervals.get(name) or (None, None)
    return {"estimate": getattr(figures, name), "low": low, "high": high}
