"""Means over responses and their correlations as the report page shows them: words for numbers."""

from typing import Any

from django.utils.translation import gettext as _

from ...reporting.text import figure_format, naming
from ...reporting.text.naming import Names

Report = dict[str, Any]


def means(report: Report, names: Names, breakdown: str, most: int) -> dict[str, Any] | None:
    """Heads, rows of the systems, rows of the chosen breakdown, and correlations; None where there are no means."""
    overall = report["overall"]
    if "means" not in overall:
        return None
    systems = [*report["systems"], *([overall] if len(report["systems"]) != 1 else [])]
    by = report["by"].get(breakdown, [])
    return {
        "of": names.protocol.sheet_unit if names.protocol else "response",
        "heads": [names.measure(key) for key in overall["means"]],
        "rows": [_row(cell, names) for cell in systems],
        "by": naming.breakdown(breakdown, names),
        "by_rows": [_row(cell, names) for cell in by[:most]],
        "more": max(0, len(by) - most),
        "correlations": [_correlation(row, names) for row in report["correlations"]],
        "coefficients": [_(label) for label in figure_format.CORRELATIONS.values()],
    }


def _row(cell: dict[str, Any], names: Names) -> dict[str, Any]:
    name = [cell[key] for key in ("system", "value") if key in cell] or [names.all_systems]
    return {
        "name": ", ".join(name),
        "means": [
            {
                "label": names.measure(key),
                "value": figure_format.mean(of["value"]),
                "interval": figure_format.mean_bounds(of),
                "n": of["n"],
            }
            for key, of in cell["means"].items()
        ],
    }


def _correlation(row: dict[str, Any], names: Names) -> dict[str, Any]:
    return {
        "name": names.correlation(row["key"]),
        "system": row["system"] or names.all_systems,
        "n": row["n"],
        "figures": [
            {
                "label": _(label),
                "value": figure_format.coefficient(row[key]["value"]),
                "interval": figure_format.coefficient_bounds(row[key]),
            }
            for key, label in figure_format.CORRELATIONS.items()
        ],
    }
