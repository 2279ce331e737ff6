"""Tables of means over responses, each with the same weight, and of their correlations."""

from collections.abc import Iterator

from ..reporting.report import Coefficient, Report
from ..reporting.text import figure_format
from ..reporting.text.names import Names, breakdown_label, readable
from . import cell_text
from .table import Grid

MAX_CELLS = 60  # rows of a breakdown in a table for people; JSON and CSV contain all
MEANS_NOTE = (
    "Means over responses, which have equal weights; in brackets 95 % intervals and the number of responses "
    "with a value. Intervals: BCa bootstrap with at least 50 clusters, else linearized with t, none with fewer than 10."
)
CORRELATION_NOTE = (
    "Over responses; in brackets 95 % intervals, BCa bootstrap of whole clusters, none with fewer than 10."
)


def mean_grids(report: Report, names: Names) -> Iterator[Grid]:
    """Yield the table of means over responses, if the protocol has means."""
    if report.overall.means is not None:
        yield estimates("means", "Means over responses", MEANS_NOTE, report, names)
    if report.correlations:
        yield correlations(report, names)


def estimates(part: str, title: str, note: str, report: Report, names: Names) -> Grid:
    """Return the means or the scores (`part`), one row per cell: systems, all together, then every breakdown."""
    keys = list(getattr(report.overall, part))
    cells = [(names.system_head, str(cell.system), cell) for cell in report.systems]
    cells.append((names.system_head, names.all_systems, report.overall))
    for key, breakdown in report.by.items():
        for cell in breakdown if len(breakdown) <= MAX_CELLS else ():
            cells.append((readable(breakdown_label(key, names)), ", ".join(cell.labels), cell))
    rows = [[by, label, *map(cell_text.estimate, getattr(cell, part).values())] for by, label, cell in cells]
    head = ["By", "Value", *(names.measure(key) for key in keys)]
    return Grid(part, title, head, rows, note, 2)


def correlations(report: Report, names: Names) -> Grid:
    """Return one row per correlation and system."""
    rows = [
        [
            names.correlation(row.key),
            row.system or names.all_systems,
            *map(_coefficient, row.coefficients.values()),
            figure_format.count(row.n),
        ]
        for row in report.correlations or ()
    ]
    head = ["Between", names.system_head, *figure_format.CORRELATIONS.values(), "Responses"]
    return Grid("correlations", "Correlations over responses", head, rows, CORRELATION_NOTE, 2)


def _coefficient(estimate: Coefficient) -> str:
    bounds = figure_format.coefficient_bounds(estimate)
    return f"{figure_format.coefficient(estimate.value)}{f' [{bounds}]' if bounds else ''}"
