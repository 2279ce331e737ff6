"""The section of a judge against people on the report page."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from ...reporting.report import JudgeAgainstPeople, Report
from ...reporting.text.figure_format import count
from ...reporting.text.judge_summary import coefficient_cell, judge_notes, label_cells, share_cell
from ...reporting.text.names import Names


@dataclass(frozen=True)
class JudgeSection:
    """Rows of formatted cells, each after its label: the match of labels, and the detection of problems."""

    part: JudgeAgainstPeople
    labels: Sequence[tuple[str, Sequence[str]]]
    detection: Sequence[tuple[str, Sequence[str]]]
    notes: Sequence[str]


def judge_section(report: Report, names: Names) -> JudgeSection | None:
    """Return the section of a report, None where no judge was chosen that has rated."""
    part = report.judge_against_people
    if part is None:
        return None
    ceiling = part.human_ceiling
    labels = [
        (_("Judge, against the majority of people"), [*label_cells(part.majority), count(part.items)]),
        (
            _("People, against the majority of the other raters"),
            [*label_cells(ceiling.people), count(ceiling.ratings)],
        ),
        (_("Judge, against the same other raters"), [*label_cells(ceiling.judge), count(ceiling.ratings)]),
    ]
    detection = [
        (
            names.measure(key),
            [
                share_cell(row.precision, row.intervals, "precision"),
                share_cell(row.recall, row.intervals, "recall"),
                coefficient_cell(row.mcc, row.intervals, "mcc"),
            ],
        )
        for key, row in part.detection.items()
    ]
    return JudgeSection(part, labels, detection, list(judge_notes(report, names)))
