"""The table of the sensitivity analyses: one row for a measure and an analysis, one column for a system."""

from ..reporting.report import Report, SensitivityEstimate, SensitivityScore
from ..reporting.text import figure_format
from ..reporting.text.names import Names
from ..reporting.text.sensitivity import (
    analysis_label,
    columns_shown,
    sensitivity_score_note,
    sensitivity_sentence,
    shown_analyses,
)
from .table import Grid

NOTE = (
    "In brackets: 95 % intervals over the same sampling units as in the other tables, unless the row names others; "
    "percentile bootstrap for Dawid-Skene, which is estimated separately for each system and for all systems, so "
    "the value of all systems may lie outside theirs. Behind them: the shift from the reported figure, in percentage "
    "points."
)


def sensitivity(report: Report, names: Names) -> Grid:
    """Return every measure under every analysis, and every score under those that keep single ratings."""
    columns = columns_shown(report)
    rows = []
    for measure in report.overall.measures:
        for row in shown_analyses(report):
            estimates = {each.system: each for each in row.estimates if each.measure == measure}
            cells = [_cell(estimates[system]) for system in columns]
            rows.append([names.measure(measure), analysis_label(row, names), *cells])
    for score in report.overall.scores or {}:
        for row in shown_analyses(report):
            if row.scores is not None:
                scores = {each.system: each for each in row.scores if each.measure == score}
                cells = [_score(scores[system]) for system in columns]
                rows.append([names.measure(score), analysis_label(row, names), *cells])
    head = ["Measure", "Analysis", *(system or names.all_systems for system in columns)]
    note = " ".join(filter(None, [sensitivity_sentence(report, names), NOTE, sensitivity_score_note(report, names)]))
    return Grid("sensitivity", "Sensitivity", head, rows, note, labels=2)


def _cell(estimate: SensitivityEstimate) -> str:
    if estimate.value is None:
        return figure_format.UNDEFINED
    bounds = figure_format.interval(estimate.low, estimate.high)
    shift = f" {figure_format.points(estimate.shift)}" if estimate.shift else ""
    return f"{figure_format.percent(estimate.value)}{f' [{bounds}]' if bounds else ''}{shift}"


def _score(estimate: SensitivityScore) -> str:
    bounds = figure_format.score_bounds(estimate)
    shift = f" {figure_format.score_change(estimate.shift)}" if estimate.shift else ""
    return f"{figure_format.score(estimate.value)}{f' [{bounds}]' if bounds else ''}{shift}"
