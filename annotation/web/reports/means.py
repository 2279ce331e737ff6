"""Means over responses and their correlations as the report page shows them: words for numbers."""

from typing import Any

from django.utils.translation import gettext as _

from ...reporting.report import Cell, Correlation, Report
from ...reporting.text import figure_format, naming
from ...reporting.text.naming import Names


def means(report: Report, names: Names, breakdown: str, most: int) -> dict[str, Any] | None:
    """Heads, rows of the systems, rows of the chosen breakdown, and correlations; None where there are no means."""
    overall = report.overall
    if overall.means is None:
        return None
    systems = [*report.systems, *([overall] if len(report.systems) != 1 else [])]
    by = report.by.get(breakdown, [])
    return {
        "of": names.protocol.sheet_unit if names.protocol else "response",
        "heads": [names.measure(key) for key in overall.means],
        "rows": [_row(cell, names) for cell in systems],
        "by": naming.breakdown(breakdown, names),
        "by_rows": [_row(cell, names) for cell in by[:most]],
        "more": max(0, len(by) - most),
        "correlations": [_correlation(row, names) for row in report.correlations or ()],
        "coefficients": [_(label) for label in figure_format.CORRELATIONS.values()],
    }


def _row(cell: Cell, names: Names) -> dict[str, Any]:
    name = [label for label in (cell.system, cell.value) if label is not None] or [names.all_systems]
    return {
        "name": ", ".join(name),
        "means": [
            {
                "label": names.measure(key),
                "value": figure_format.mean(mean.value),
                "interval": figure_format.mean_bounds(mean),
                "n": mean.n,
            }
            for key, mean in (cell.means or {}).items()
        ],
    }


def _correlation(row: Correlation, names: Names) -> dict[str, Any]:
    return {
        "name": names.correlation(row.key),
        "system": row.system or names.all_systems,
        "n": row.n,
        "figures": [
            {
                "label": _(label),
                "value": figure_format.coefficient(row.coefficients[key].value),
                "interval": figure_format.coefficient_bounds(row.coefficients[key]),
            }
            for key, label in figure_format.CORRELATIONS.items()
        ],
    }
