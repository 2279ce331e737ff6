"""The tables with prompts as the sampling unit, in reports whose unit is the document."""

from collections.abc import Iterator, Sequence
from itertools import chain

from ..reporting.compute import significance
from ..reporting.report import Bounds, Cell, Comparison, MeasureProportion, Report, ScoreEstimate
from ..reporting.text import figure_format
from ..reporting.text.names import Names
from ..reporting.text.scores import score_differences
from . import cell_text
from .table import Grid

NOTE = "Intervals with prompts as the sampling unit: they are about further prompts about these documents."


def prompt_unit_grids(report: Report, names: Names) -> Iterator[Grid]:
    """Yield the proportions and the differences with their intervals by prompt; nothing where prompts are the unit."""
    if any(measure.by_prompt for measure in report.overall.measures.values()):
        yield _proportions(report, names)
    if any(row.by_prompt for row in report.comparisons) and not significance.nothing_in_common(report):
        title = "Differences between systems, prompts as units"
        yield _differences("comparisons_by_prompt", title, report.comparisons, names)
    if any(score.by_prompt for score in (report.overall.scores or {}).values()):
        yield _scores(report, names)
    differences = score_differences(report)
    if any(row.by_prompt and row.prompts for row in differences):
        title = "Differences between systems in weighted errors per 100 ratings, prompts as units"
        yield _differences("score_comparisons_by_prompt", title, differences, names)


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


def _scores(report: Report, names: Names) -> Grid:
    cells = [*report.systems, report.overall]
    rows = [[cell_text.system(cell, names), *map(_score, (cell.scores or {}).values())] for cell in cells]
    head = [names.system_head, *(names.measure(key) for key in report.overall.scores or {})]
    return Grid("scores_by_prompt", "Weighted errors per 100 ratings, prompts as units", head, rows, NOTE)


def _score(score: ScoreEstimate) -> str:
    bounds = figure_format.score_bounds(score.by_prompt) if score.by_prompt else ""
    return f"{figure_format.score(score.value)}{f' [{bounds}]' if bounds else ''}"


def _differences(key: str, title: str, comparisons: Sequence[Comparison], names: Names) -> Grid:
    rows = [
        [names.measure(row.measure), f"{row.a} − {row.b}", figure_format.points(row.difference), _points(row.by_prompt)]
        for row in comparisons
    ]
    head = ["Measure", "Systems", "Difference", "95 % interval"]
    return Grid(key, title, head, rows, NOTE, 2)


def _points(bounds: Bounds | None) -> str:
    return figure_format.points_between(bounds.low, bounds.high) if bounds else figure_format.UNDEFINED


def prompt_unit_rows(report: Report) -> Iterator[dict[str, str | float | None]]:
    """Yield the same intervals as rows of the tidy table."""
    cells = (*report.systems, report.overall)
    yield from chain.from_iterable(map(_measure_rows, cells))
    yield from chain.from_iterable(map(_score_rows, cells))
    yield from _difference_rows("comparisons_by_prompt", report.comparisons)
    yield from _difference_rows("score_comparisons_by_prompt", report.score_comparisons or ())


def _difference_rows(table: str, comparisons: Sequence[Comparison]) -> Iterator[dict[str, str | float | None]]:
    for row in comparisons:
        if bounds := row.by_prompt:
            yield {
                "table": table, "system": row.a, "value": row.b, "figure": "difference",
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


def _score_rows(cell: Cell) -> Iterator[dict[str, str | float | None]]:
    for key, score in (cell.scores or {}).items():
        if bounds := score.by_prompt:
            yield {
                "table": "scores_by_prompt", "system": cell.system or "", "value": "", "figure": "score",
                "key": key, "k": score.points, "n": score.n, "estimate": score.value, "low": bounds.low,
                "high": bounds.high, "method": bounds.method,
            }  # fmt: skip
