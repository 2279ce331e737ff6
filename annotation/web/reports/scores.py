"""Weighted sums of errors per 100 ratings on the report page."""

from collections.abc import Sequence
from dataclasses import dataclass

from ...reporting.report import Cell, Report
from ...reporting.text.names import Names, breakdown_label
from ...reporting.text.scores import score_differences, score_differences_note, scores_note
from .differences import MAX_PAIRS, Rows, difference_rows


@dataclass(frozen=True)
class Scores:
    """The scores of the systems and of the values of a breakdown, and the pairs of systems with how many `more` there
    are, each with a note.
    """

    systems: Sequence[Cell]
    by: str
    values: Sequence[Cell]
    note: str
    differences: Rows
    more: int
    differences_note: str


def scores(report: Report, names: Names, breakdown: str, most: int) -> Scores | None:
    """Return the scores of a report, None where it has none."""
    if report.overall.scores is None:
        return None
    compared = score_differences(report)
    return Scores(
        systems=[*report.systems, *([report.overall] if len(report.systems) != 1 else [])],
        by=breakdown_label(breakdown, names),
        values=report.by.get(breakdown, [])[:most],
        note=scores_note(report, names),
        differences=difference_rows(compared, names, report.method.cluster),
        more=max(0, len(compared) - MAX_PAIRS),
        differences_note=score_differences_note(report, names.unit),
    )
