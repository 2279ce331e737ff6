"""The table of the sensitivity analyses: one row for a measure and an analysis, one column for a system."""

from ..reporting.report import Report, SensitivityEstimate
from ..reporting.text import figure_format
from ..reporting.text.names import Names
from ..reporting.text.sensitivity import analysis_label, columns_shown, sensitivity_sentence, shown_analyses
from .table import Grid

NOTE = (
    "In brackets: 95 % intervals over the same sampling units as in the other tables, unless the row names others; "
    "percentile bootstrap for Dawid-Skene, which is estimated for each system and for all systems anew, so the value "
    "of all need not lie between theirs. Behind them: the shift from the figure as reported, in percentage points."
)


def sensitivity(report: Report, names: Names) -> Grid:
    """Return every measure under every analysis."""
    columns = columns_shown(report)
    rows = []
    for measure in report.overall.measures:
        for row in shown_analyses(report):
            estimates = {each.system: each for each in row.estimates if each.measure == measure}
            cells = [_cell(estimates[system]) for system in columns]
            rows.append([names.measure(measure), analysis_label(row, names), *cells])
    head = ["Measure", "Analysis", *(system or names.all_systems for system in columns)]
    note = f"{sensitivity_sentence(report, names)} {NOTE}".strip()
    return Grid("sensitivity", "Sensitivity", head, rows, note, labels=2)


def _cell(estimate: SensitivityEstimate) -> str:
    if estimate.value is None:
        return figure_format.UNDEFINED
    bounds = figure_format.interval(estimate.low, estimate.high)
    shift = f" {figure_format.points(estimate.shift)}" if estimate.shift else ""
    return f"{figure_format.percent(estimate.value)}{f' [{bounds}]' if bounds else ''}{shift}"
