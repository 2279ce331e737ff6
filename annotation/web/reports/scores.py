"""Weighted sums of errors per 100 ratings on the report page."""

from collections.abc import Sequence
from dataclasses import dataclass

from ...reporting.report import Cell, Report
from ...reporting.text.names import Names, breakdown_label
from ...reporting.text.scores import score_differences, score_differences_note, scores_note
from .differences import Rows, difference_rows


@dataclass(frozen=True)
class Scores:
    """The scores of the systems and of the values of a breakdown, and the pairs of systems, each with a note."""

    systems: Sequence[Cell]
    by: str
    values: Sequence[Cell]
    note: str
    differences: Rows
    differences_note: str


def scores(report: Report, names: Names, breakdown: str, most: int) -> Scores | None:
    """Return the scores of a report, None where it has none."""
    if report.overall.scores is None:
        return None
    return Scores(
        systems=[*report.systems, *([report.overall] if len(report.systems) != 1 else [])],
        by=breakdown_label(breakdown, names),
        values=report.by.get(breakdown, [])[:most],
        note=scores_note(report, names),
        differences=difference_rows(score_differences(report), names, report.method.cluster),
        differences_note=score_differences_note(report, names.unit),
    )
