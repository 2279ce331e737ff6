"""The paper's table as the page shows it: every share with its interval, what it rests on, and what marks it.

Works on the report's dictionary alone. A `before`, the report without the switches that are set, gives each share the
change that the switches make.
"""

from dataclasses import dataclass
from typing import Any

from ...i18n.numbers import localised
from ...reporting.compute import significance
from ...reporting.compute.ranks import best_first
from ...reporting.text import figure_format
from ...reporting.text.naming import Names
from ...stats.intervals import wilson

MOST_SHARES = 8  # in a row of the paper's table, so that it fits a page; options stand in a table of their own

Cell = dict[str, Any]
Report = dict[str, Any]


@dataclass(frozen=True)
class Share:
    """One proportion: `percent` is words when there is nothing to assess, `interval` is empty when there is none.

    `independent` is Wilson's interval of k in n, as if ratings did not come in prompts; `rank` is among the systems,
    1 is best; `change` is what the switches made of it; `best` only where no doubt is left.
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
    """One cell of the report: what it is about, its shares, how many were assessed and left out.

    `quieter` are the options that are assessed but have no measure to themselves, such as Disputed.
    """

    names: list[str]
    shares: list[Share]
    assessed: int
    left_out: int
    quieter: list[Share]


@dataclass(frozen=True)
class Table:
    """What a row's shares are compared with: the cells of the table, and of the report where rows are its systems."""

    cells: list[Cell]
    names: Names
    report: Report | None = None
    before: dict[str | None, Cell] | None = None


def rows_of(cells: list[Cell], names: Names) -> list[Row]:
    """The rows of any table of cells."""
    table = Table(cells, names)
    return [row_of(cell, table) for cell in cells]


def systems_table(report: Report, names: Names, before: Report | None = None) -> tuple[list[Row], Row]:
    """The rows of the systems and the one of all together."""
    was = {cell.get("system"): cell for cell in [*before["systems"], before["overall"]]} if before else None
    table = Table([*report["systems"], report["overall"]], names, report, was)
    return [row_of(cell, table) for cell in report["systems"]], row_of(report["overall"], table)


def row_of(cell: Cell, table: Table) -> Row:
    """A cell as a row of its table."""
    labels = [str(cell[key]) for key in ("system", "value") if key in cell]
    shares = [_measure(key, of, cell, table) for key, of in cell["measures"].items()]
    return Row(labels, shares, cell["assessed"], cell["ratings"] - cell["assessed"], _quieter(cell, table))


def _measure(key: str, of: dict[str, Any], cell: Cell, table: Table) -> Share:
    share = _share(table.names.measure(key), of, table.cells)
    extra = {"deff": _design_effect(of["deff"]), "icc": _icc(of.get("icc"))} if of["value"] is not None else {}
    return Share(**{**share, **extra, **_standing(key, cell, table), **_change(key, of, cell, table)})


def _share(label: str, of: dict[str, Any], cells: list[Cell]) -> dict[str, Any]:
    naive = wilson(of["k"], of["n"])
    return {
        "label": label,
        "percent": figure_format.percent(of["value"]),
        "interval": figure_format.interval(of["low"], of["high"]),
        "mark": figure_format.method_mark(of["method"], [cell.measures for cell in cells]),
        "k": figure_format.count(of["k"]),
        "n": figure_format.count(of["n"]),
        "assessed": of["value"] is not None,
        "independent": figure_format.interval(naive.low, naive.high),
    }


def _design_effect(deff: float | None) -> str:
    return figure_format.UNDEFINED if deff is None else localised(f"{deff:.2f}")


def _icc(icc: float | None) -> str:
    return "" if icc is None else figure_format.coefficient(icc)


def _quieter(cell: Cell, table: Table) -> list[Share]:
    """In a report of before these were kept, as counts and a share without an interval; none beside many measures."""
    keys = [key for key in table.names.unmeasured() if key in cell["options"]]
    if len(cell["measures"]) + len(keys) > MOST_SHARES:
        return []
    return [Share(**_share(table.names.option(key), _option(cell, key), table.cells)) for key in keys]


def _option(cell: Cell, key: str) -> dict[str, Any]:
    found: dict[str, Any] | None = cell.get("shares_of_assessed", {}).get(key)
    k, n = cell["options"][key], cell["assessed"]
    return found or {"value": k / n if n else None, "k": k, "n": n, "low": None, "high": None, "method": "none"}


def _standing(measure: str, cell: Cell, table: Table) -> dict[str, Any]:
    """Whether a system is best on a measure, and its rank among the systems with 1 as the best."""
    if table.report is None or "system" not in cell:
        return {}
    better = table.names.better(measure)
    found = [row for row in table.report.get("ranks", []) if row["measure"] == measure]
    ranks = {row["system"]: row for row in best_first(found, table.names)}
    return {
        "best": significance.best_system(table.report, measure, better) == cell["system"],
        **_rank(ranks, cell["system"]),
    }


def _rank(ranks: dict[str, dict[str, Any]], system: str) -> dict[str, str]:
    own = ranks.get(system)
    if own is None or own["rank"] is None or len(ranks) < 2:
        return {}
    ends = own["low"], own["high"]
    between = "" if None in ends else f"{ends[0]} – {ends[1]}" if ends[0] != ends[1] else f"{ends[0]}"
    return {"rank": str(own["rank"]), "ranks": between}


def _change(measure: str, of: dict[str, Any], cell: Cell, table: Table) -> dict[str, str]:
    if table.before is None or cell.get("system") not in table.before:
        return {}
    was = table.before[cell.get("system")]["measures"][measure]["value"]
    if was is None or of["value"] is None:
        return {}
    return {"change": figure_format.points(of["value"] - was), "before": figure_format.percent(was)}
