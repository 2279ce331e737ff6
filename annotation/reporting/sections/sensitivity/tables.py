"""The sensitivity analyses: one row for a measure and an analysis, one column for a system."""

from collections.abc import Iterator

from ...report import Report
from ...tables import Column, Figure, Row, Table, TidyRow
from ...tables.kinds import LABEL, PERCENT, SCORE_ALONE
from ...text.figure_format import points
from ...text.names import Names
from .figures import SensitivityScore
from .text import (
    analysis_label,
    columns_shown,
    has_sensitivity_panel,
    sensitivity_score_note,
    sensitivity_sentence,
    shown_analyses,
)

NOTE = (
    "In brackets: 95 % intervals over the same sampling units as in the other tables, unless the row names others; "
    "percentile bootstrap for Dawid-Skene, which is estimated separately for each system and for all systems, so "
    "the value of all systems may lie outside theirs. Behind them: the shift from the reported figure, in percentage "
    "points."
)


def tables(report: Report, names: Names) -> Iterator[Table]:
    if not report.sensitivity:
        return
    systems = columns_shown(report)
    rows = []
    for key in (*report.overall.measures, *(report.overall.scores or {})):
        for analysis in shown_analyses(report):
            figures = {}
            for each in analysis.figures:
                if each.measure == key:
                    is_score, has_shift = isinstance(each, SensitivityScore), each.shift and each.value is not None
                    shift = points(each.shift / (100 if is_score else 1)) if each.shift and has_shift else ""
                    figures[each.system] = Figure.of(each, after=shift, kind=SCORE_ALONE if is_score else None)
            if figures:
                values = [figures[system] for system in systems]
                rows.append(Row([names.measure(key), analysis_label(analysis, names), *values]))
    columns = [
        Column("Measure", LABEL),
        Column("Analysis", LABEL),
        *(Column(system or names.all_systems, PERCENT) for system in systems),
    ]

    def rows_of_csv() -> Iterator[TidyRow]:
        """Yield the estimates of each analysis: `figure` names it, `value` the excluded raters."""
        for row in report.sensitivity or ():
            where: TidyRow = {"table": "sensitivity", "value": ", ".join(row.without or ()), "figure": row.analysis}
            for each in row.figures:
                yield {**where, "system": each.system or "", "key": each.measure, **Figure.of(each).numbers}

    sentences = [sensitivity_sentence(report, names), NOTE, sensitivity_score_note(report, names)]
    yield Table(
        "sensitivity", "Sensitivity", columns, rows, " ".join(filter(None, sentences)),
        rows_of_csv=rows_of_csv, is_hidden=not has_sensitivity_panel(report),
    )  # fmt: skip
