"""Means over responses, each with the same weight, and their correlations."""

from collections.abc import Iterator
from functools import partial

from ...parts import ScoreEstimate
from ...report import Report
from ...tables import Column, Figure, Kind, Row, Table
from ...tables.kinds import COEFFICIENT, COUNT, LABEL, MEAN
from ...text.figure_format import CORRELATIONS, score
from ...text.names import Names, breakdown_label, readable
from ..proportions.tables import rows_of_cells

MAX_CELLS = 60  # rows of a breakdown in a table for people; JSON and CSV contain all


def tables(report: Report, names: Names) -> Iterator[Table]:
    unit = names.protocol.sheet_unit if names.protocol else "response"
    if report.overall.means is not None:
        note = (
            f"Each {unit} has the same weight; in brackets 95 % intervals and the number of {unit}s with a value. "
            "Intervals: BCa bootstrap with at least 50 clusters, else linearized with t, none with fewer than 10."
        )
        yield estimates("means", f"Means over {unit}s", note, MEAN, report, names)
    if report.correlations:
        columns = [
            Column("Between", LABEL),
            Column(names.system_head, LABEL),
            *(Column(head, COEFFICIENT, figure="correlation", key=key) for key, head in CORRELATIONS.items()),
            Column(f"{unit.capitalize()}s", COUNT),
        ]
        rows = []
        for row in report.correlations:
            labels = [names.correlation(row.key), row.system or names.all_systems]
            coefficients = [Figure.of(coefficient, n=row.n) for coefficient in row.coefficients.values()]
            rows.append(Row([*labels, *coefficients, row.n], {"system": row.system or "", "value": row.key}))
        note = f"Over {unit}s; in brackets 95 % intervals, BCa bootstrap of whole clusters, none with fewer than 10."
        yield Table("correlations", f"Correlations over {unit}s", columns, rows, note)
    if report.responses:
        columns = [Column("", MEAN, figure="mean", key=key) for key in report.overall.means or {}]
        rows = [
            Row([Figure(mean) for mean in row.means.values()], {"system": row.system, "value": row.response})
            for row in report.responses
        ]
        yield Table("responses", "", columns, rows, is_hidden=True)


def estimates(part: str, title: str, note: str, kind: Kind, report: Report, names: Names) -> Table:
    """Return the means or the scores (`part`), one row per cell: systems, all together, then every breakdown."""
    cells = [(names.system_head, str(cell.system), cell) for cell in report.systems]
    cells.append((names.system_head, names.all_systems, report.overall))
    for key, breakdown in report.by.items():
        for cell in breakdown if len(breakdown) <= MAX_CELLS else ():
            cells.append((readable(breakdown_label(key, names)), ", ".join(cell.labels), cell))
    columns = [
        Column("By", LABEL),
        Column("Value", LABEL),
        *(Column(names.measure(key), kind) for key in getattr(report.overall, part)),
    ]
    rows = []
    for by, label, cell in cells:
        figures = []
        for estimate in getattr(cell, part).values():
            bounds = estimate.by_prompt if isinstance(estimate, ScoreEstimate) else None
            has_bounds = bounds is not None and bounds.low is not None
            words = f"{score(bounds.low)} – {score(bounds.high)}" if bounds and has_bounds else ""
            figures.append(Figure.of(estimate, lines=[("", f"by prompt: {words}")] if words else []))
        rows.append(Row([by, label, *figures]))
    csv = partial(rows_of_cells, report, (part.removesuffix("s"),))
    return Table(part, title, columns, rows, note, rows_of_csv=csv)
