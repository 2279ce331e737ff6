"""The tables with prompts as the sampling unit, in reports whose unit is the document."""

from collections.abc import Iterator

from ..reporting.compute import significance
from ..reporting.report import Bounds, Cell, MeasureProportion, Report
from ..reporting.text import figure_format
from ..reporting.text.names import Names
from . import cell_text
from .table import Grid

NOTE = "Intervals with prompts as the sampling unit: they are about further prompts about these documents."


def prompt_unit_grids(report: Report, names: Names) -> Iterator[Grid]:
    """Yield the proportions and the differences with their intervals by prompt; nothing where prompts are the unit."""
    if any(measure.by_prompt for measure in report.overall.measures.values()):
        yield _proportions(report, names)
    if any(row.by_prompt for row in report.comparisons) and not significance.nothing_in_common(report):
        yield _differences(report, names)


def _proportions(report: Report, names: Names) -> Grid:
    cells = [*report.systems, report.overall]
    rows = [[cell_text.system(cell, names), *map(_interval, cell.measures.values())] for cell in cells]
    head = [names.system_head, *(names.measure(key) for key in report.overall.measures)]
    return Grid("systems_by_prompt", f"Proportions by {names.system_word}, prompts as units", head, rows, NOTE)


def _interval(measure: MeasureProportion) -> str:
    bounds = measure.by_prompt
    interval = figure_format.interval(bounds.low, bounds.high) if bounds else ""
    value = cell_text.percent_or_dash(measure.value)
    return f"{value} [{interval}]" if interval else value


def _differences(report: Report, names: Names) -> Grid:
    rows = [
        [names.measure(row.measure), f"{row.a} − {row.b}", figure_format.points(row.difference), _points(row.by_prompt)]
        for row in report.comparisons
    ]
    head = ["Measure", "Systems", "Difference", "95 % interval"]
    return Grid("comparisons_by_prompt", "Differences between systems, prompts as units", head, rows, NOTE, 2)


def _points(bounds: Bounds | None) -> str:
    return figure_format.points_between(bounds.low, bounds.high) if bounds else ""


def prompt_unit_rows(report: Report) -> Iterator[dict[str, str | float | None]]:
    """Yield the same intervals as rows of the tidy table."""
    for cell in (*report.systems, report.overall):
        yield from _measure_rows(cell)
    for row in report.comparisons:
        if bounds := row.by_prompt:
            yield {
                "table": "comparisons_by_prompt", "system": row.a, "value": row.b, "figure": "difference",
                "key": row.measure, "n": row.prompts, "estimate": row.difference, "low": bounds.low,
                "high": bounds.high, "method": bounds.method,
            }  # fmt: skip


def _measure_rows(cell: Cell) -> Iterator[dict[str, str | float | None]]:
    for key, measure in cell.measures.items():
        if bounds := measure.by_prompt:
            yield {
                "table": "systems_by_prompt", "system": cell.system or "", "value": "", "figure": "measure",
                "key": key, "k": measure.k, "n": measure.n, "estimate": measure.value, "low": bounds.low,
                "high": bounds.high, "method": bounds.method,
            }  # fmt: skip
