"""The paper's table on the page: every share with its interval, its counts and its marks.

A `before`, the report without the active options, gives each share the change due to the options.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ...i18n.numbers import localized
from ...reporting.compute import significance
from ...reporting.compute.ranks import best_first
from ...reporting.report import Cell, MeasureProportion, Proportion, Rank, Report
from ...reporting.text import figure_format
from ...reporting.text.names import Names
from ...stats.intervals import wilson

MOST_SHARES = 8  # in a row of the paper's table, so that it fits a page; options have a table of their own


@dataclass(frozen=True)
class Share:
    """One proportion: `percent` is a text if nothing was assessed, `interval` is empty without one.

    `independent` is Wilson's interval of k in n, as if ratings were not clustered in prompts; `rank` is among the
    systems, 1 is best; `change` is the effect of the options; `best` only if significant.
    """

    label: str
    percent: str
    interval: str
    mark: str
    k: str
    n: str
    assessed: bool
    independent: str = ""
    deff: str = ""
    icc: str = ""
    rank: str = ""
    ranks: str = ""
    best: bool = False
    change: str = ""
    before: str = ""


@dataclass(frozen=True)
class Row:
    """One cell of the report: its name, its shares, how many were assessed and excluded.

    `secondary` are the options that are assessed but have no separate measure, such as Disputed.
    """

    names: list[str]
    shares: list[Share]
    assessed: int
    left_out: int
    secondary: list[Share]


@dataclass(frozen=True)
class Table:
    """The values to compare a row's shares with: the cells of the table, and of the report if the rows are systems."""

    cells: Sequence[Cell]
    names: Names
    report: Report | None = None
    before: dict[str | None, Cell] | None = None


def rows_of(cells: Sequence[Cell], names: Names) -> list[Row]:
    """Return the rows of any table of cells."""
    table = Table(cells, names)
    return [row_of(cell, table) for cell in cells]


def systems_table(report: Report, names: Names, before: Report | None = None) -> tuple[list[Row], Row]:
    """Return the rows of the systems, and the row of all systems together."""
    cells_before = {cell.system: cell for cell in [*before.systems, before.overall]} if before else None
    table = Table([*report.systems, report.overall], names, report, cells_before)
    return [row_of(cell, table) for cell in report.systems], row_of(report.overall, table)


def row_of(cell: Cell, table: Table) -> Row:
    """Return a cell as a row of its table."""
    labels = [label for label in (cell.system, cell.value) if label is not None]
    shares = [_measure(key, proportion, cell, table) for key, proportion in cell.measures.items()]
    return Row(labels, shares, cell.assessed, cell.ratings - cell.assessed, _other_options(cell, table))


def _measure(key: str, proportion: MeasureProportion, cell: Cell, table: Table) -> Share:
    share = _share(table.names.measure(key), proportion, table.cells)
    if proportion.value is not None:
        deff = figure_format.UNDEFINED if proportion.deff is None else localized(f"{proportion.deff:.2f}")
        icc = figure_format.coefficient(proportion.icc) if isinstance(proportion.icc, float) else ""
        share = replace(share, deff=deff, icc=icc)
    return _with_change(_with_position(share, key, cell, table), key, proportion, cell, table)


def _share(label: str, proportion: Proportion, cells: Sequence[Cell]) -> Share:
    independent = wilson(proportion.k, proportion.n)
    return Share(
        label=label,
        percent=figure_format.percent(proportion.value),
        interval=figure_format.interval(proportion.low, proportion.high),
        mark=figure_format.method_mark(proportion.method, [cell.measures for cell in cells]),
        k=figure_format.count(proportion.k),
        n=figure_format.count(proportion.n),
        assessed=proportion.value is not None,
        independent=figure_format.interval(independent.low, independent.high),
    )


def _other_options(cell: Cell, table: Table) -> list[Share]:
    """Return the assessed options without a measure; none where the row has many measures.

    Older reports have counts and a share of these options, without an interval.
    """
    keys = [key for key in table.names.unmeasured() if key in cell.options]
    if len(cell.measures) + len(keys) > MOST_SHARES:
        return []
    return [_share(table.names.option(key), _option(cell, key), table.cells) for key in keys]


def _option(cell: Cell, key: str) -> Proportion:
    if stored := (cell.shares_of_assessed or {}).get(key):
        return stored
    k, n = cell.options[key], cell.assessed
    return Proportion(value=k / n if n else None, k=k, n=n, low=None, high=None, method="none")


def _with_position(share: Share, measure: str, cell: Cell, table: Table) -> Share:
    """Add whether the system is best on the measure, and its rank among the systems, 1 for the best."""
    if table.report is None or cell.system is None:
        return share
    better = table.names.better(measure)
    ranks = [row for row in table.report.ranks or () if row.measure == measure]
    best = significance.best_system(table.report, measure, better) == cell.system
    rank = {row.system: row for row in best_first(ranks, table.names)}.get(cell.system)
    if rank is None or rank.rank is None or len(ranks) < 2:
        return replace(share, best=best)
    return replace(share, best=best, rank=str(rank.rank), ranks=_bounds(rank))


def _bounds(rank: Rank) -> str:
    if rank.low is None or rank.high is None:
        return ""
    return f"{rank.low} – {rank.high}" if rank.low != rank.high else f"{rank.low}"


def _with_change(share: Share, measure: str, proportion: MeasureProportion, cell: Cell, table: Table) -> Share:
    if table.before is None or cell.system not in table.before:
        return share
    before = table.before[cell.system].measures[measure].value
    if before is None or proportion.value is None:
        return share
    change = figure_format.points(proportion.value - before)
    return replace(share, change=change, before=figure_format.percent(before))
