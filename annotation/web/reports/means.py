"""Means over responses and their correlations on the report page."""

from collections.abc import Sequence
from dataclasses import dataclass

from ...reporting.report import Cell, Correlation, Report
from ...reporting.text.names import Names, breakdown_label


@dataclass(frozen=True)
class Means:
    """The means of the systems and of the values of a breakdown, and the correlations."""

    unit: str
    systems: Sequence[Cell]
    by: str
    values: Sequence[Cell]
    correlations: Sequence[Correlation]


def means(report: Report, names: Names, breakdown: str, most: int) -> Means | None:
    """Return the means of a report, None where it has none."""
    if report.overall.means is None:
        return None
    return Means(
        unit=names.protocol.sheet_unit if names.protocol else "response",
        systems=[*report.systems, *([report.overall] if len(report.systems) != 1 else [])],
        by=breakdown_label(breakdown, names),
        values=report.by.get(breakdown, [])[:most],
        correlations=report.correlations or (),
    )
