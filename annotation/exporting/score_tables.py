"""The table of weighted sums of errors per 100 ratings."""

from collections.abc import Iterator

from ..reporting.report import Report, ScoreEstimate
from ..reporting.text import figure_format
from ..reporting.text.names import Names, breakdown_label, readable
from ..reporting.text.scores import scores_note
from .table import Grid

MAX_CELLS = 60  # rows of a breakdown in a table for people; JSON and CSV contain all
TITLE = "Weighted errors per 100 ratings"


def score_grids(report: Report, names: Names) -> Iterator[Grid]:
    """Yield the table of scores, if the protocol has any: systems, all together, then every breakdown."""
    if report.overall.scores is None:
        return
    keys = list(report.overall.scores)
    cells = [(names.system_head, str(cell.system), cell) for cell in report.systems]
    cells.append((names.system_head, names.all_systems, report.overall))
    for key, breakdown in report.by.items():
        for cell in breakdown if len(breakdown) <= MAX_CELLS else ():
            cells.append((readable(breakdown_label(key, names)), ", ".join(cell.labels), cell))
    rows = [[by, label, *(_score((cell.scores or {})[key]) for key in keys)] for by, label, cell in cells]
    head = ["By", "Value", *(names.measure(key) for key in keys)]
    note = f"In brackets 95 % intervals and the number of ratings. {scores_note(report, names)}"
    yield Grid("scores", TITLE, head, rows, note, 2)


def _score(estimate: ScoreEstimate) -> str:
    if estimate.value is None:
        return figure_format.UNDEFINED
    bounds = figure_format.score_bounds(estimate)
    value = figure_format.score(estimate.value)
    return f"{value}{f' [{bounds}]' if bounds else ''} ({figure_format.count(estimate.n)})"
