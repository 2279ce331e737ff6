"""The paper's table on the page: every share with its interval, its counts and its marks.

A `before`, the report without the active options, gives each share the change due to the options.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ...reporting.compute import significance
from ...reporting.compute.ranks import best_first
from ...reporting.report import Cell, MeasureProportion, Proportion, Rank, Report
from ...reporting.text import figure_format
from ...reporting.text.names import Names
from ...reporting.text.other_options import other_options


@dataclass(frozen=True)
class ShareCell:
    """One proportion: `rank` is among the systems, 1 is best; `before` is the share without the options, `change` their
    effect; `best` only if significant.
    """

    label: str
    proportion: Proportion
    mark: str
    icc: float | None = None
    rank: Rank | None = None
    best: bool = False
    before: Proportion | None = None
    change: float | None = None


@dataclass(frozen=True)
class ProportionRow:
    """One cell of the report. `secondary` are the options that are assessed but have no separate measure, such as
    Disputed.
    """

    cell: Cell
    shares: list[ShareCell]
    secondary: list[ShareCell]


@dataclass(frozen=True)
class ProportionTable:
    """The values to compare a row's shares with: the cells of the table, and of the report if the rows are systems."""

    cells: Sequence[Cell]
    names: Names
    report: Report | None = None
    before: Mapping[str | None, Cell] = field(default_factory=dict)


def rows_of(cells: Sequence[Cell], names: Names) -> list[ProportionRow]:
    """Return the rows of any table of cells."""
    table = ProportionTable(cells, names)
    return [row_of(cell, table) for cell in cells]


def systems_table(
    report: Report, names: Names, before: Report | None = None
) -> tuple[list[ProportionRow], ProportionRow]:
    """Return the rows of the systems, and the row of all systems together."""
    cells_before = {cell.system: cell for cell in [*before.systems, before.overall]} if before else {}
    table = ProportionTable([*report.systems, report.overall], names, report, cells_before)
    return [row_of(cell, table) for cell in report.systems], row_of(report.overall, table)


def row_of(cell: Cell, table: ProportionTable) -> ProportionRow:
    """Return a cell as a row of its table."""
    shares = [_measure(key, proportion, cell, table) for key, proportion in cell.measures.items()]
    return ProportionRow(cell, shares, _other_options(cell, table))


def _measure(key: str, proportion: MeasureProportion, cell: Cell, table: ProportionTable) -> ShareCell:
    cell_before = table.before.get(cell.system)
    before = cell_before.measures[key] if cell_before else None
    return ShareCell(
        label=table.names.measure(key),
        proportion=proportion,
        mark=_mark(proportion, table),
        icc=proportion.icc if isinstance(proportion.icc, float) else None,
        rank=_rank(key, cell, table),
        best=_is_best(key, cell, table),
        before=before,
        change=proportion.minus(before),
    )


def _mark(proportion: Proportion, table: ProportionTable) -> str:
    return figure_format.method_mark(proportion.method, [cell.measures for cell in table.cells])


def _rank(measure: str, cell: Cell, table: ProportionTable) -> Rank | None:
    """Return the rank of the system, 1 for the best of several."""
    stored = (table.report.ranks or ()) if table.report else ()
    ranks = best_first([row for row in stored if row.measure == measure], table.names.better)
    is_ranked = (row for row in ranks if row.system == cell.system and row.rank is not None and len(ranks) > 1)
    return next(is_ranked, None)


def _is_best(measure: str, cell: Cell, table: ProportionTable) -> bool:
    if table.report is None or cell.system is None:
        return False
    return significance.best_system(table.report, measure, table.names.better(measure)) == cell.system


def _other_options(cell: Cell, table: ProportionTable) -> list[ShareCell]:
    """Return the assessed options without a measure."""
    shares = other_options(cell, table.names)
    return [ShareCell(table.names.option(key), share, _mark(share, table)) for key, share in shares.items()]
