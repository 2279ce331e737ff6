"""Means over responses and their correlations, formatted for the report page."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from ...reporting.report import Cell, Correlation, Report
from ...reporting.text import figure_format
from ...reporting.text.names import Names, breakdown_label


@dataclass(frozen=True)
class Figure:
    """A mean of `n` responses, or a coefficient, with its interval."""

    label: str
    value: str
    interval: str
    n: int


@dataclass(frozen=True)
class MeanRow:
    """The means of a system or of a value."""

    name: str
    means: list[Figure]


@dataclass(frozen=True)
class CorrelationRow:
    """How two means correlate over the `n` responses of a system."""

    name: str
    system: str
    n: int
    figures: list[Figure]


@dataclass(frozen=True)
class Means:
    """Rows of the systems, rows of the selected breakdown, whose values may be `more`, and correlations."""

    unit: str
    heads: list[str]
    rows: list[MeanRow]
    by: str
    by_rows: list[MeanRow]
    more: int
    correlations: list[CorrelationRow]
    coefficients: list[str]


def means(report: Report, names: Names, breakdown: str, most: int) -> Means | None:
    """Return the means of a report, None where it has none."""
    overall = report.overall
    if overall.means is None:
        return None
    systems = [*report.systems, *([overall] if len(report.systems) != 1 else [])]
    by = report.by.get(breakdown, [])
    return Means(
        unit=names.protocol.sheet_unit if names.protocol else "response",
        heads=[names.measure(key) for key in overall.means],
        rows=[_row(cell, names) for cell in systems],
        by=breakdown_label(breakdown, names),
        by_rows=[_row(cell, names) for cell in by[:most]],
        more=max(0, len(by) - most),
        correlations=[_correlation(row, names) for row in report.correlations or ()],
        coefficients=[_(label) for label in figure_format.CORRELATIONS.values()],
    )


def _row(cell: Cell, names: Names) -> MeanRow:
    name = [label for label in (cell.system, cell.value) if label is not None] or [names.all_systems]
    figures = [
        Figure(names.measure(key), figure_format.mean(mean.value), figure_format.mean_bounds(mean), mean.n)
        for key, mean in (cell.means or {}).items()
    ]
    return MeanRow(", ".join(name), figures)


def _correlation(row: Correlation, names: Names) -> CorrelationRow:
    figures = [
        Figure(_(label), figure_format.coefficient(figure.value), figure_format.coefficient_bounds(figure), row.n)
        for label, figure in zip(figure_format.CORRELATIONS.values(), row.coefficients.values(), strict=True)
    ]
    return CorrelationRow(names.correlation(row.key), row.system or names.all_systems, row.n, figures)
