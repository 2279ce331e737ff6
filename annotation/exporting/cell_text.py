"""What stands in one cell of a table: a figure with its bounds and counts, written as `reporting.wording` has it."""

from typing import Any

from ..reporting.text import figure_format
from ..reporting.text.naming import Names


def labels(cell: dict[str, Any], names: Names) -> list[str]:
    """What names a row: system, value or both; all systems where neither does."""
    return [cell[key] for key in ("system", "value") if key in cell] or [names.all_systems]


def name(cell: dict[str, Any], names: Names) -> str:
    """The system of a row, or all of them."""
    return cell.get("system", names.all_systems)


def share(of: dict[str, Any], cells: list[dict[str, Any]]) -> str:
    """A measure with its interval, marked where its method is another than the table's, and its counts."""
    if of["value"] is None:
        return figure_format.NOTHING_TO_ASSESS
    between = figure_format.interval(of["low"], of["high"])
    bounds = f" [{between}]{figure_format.mark(of['method'], cells)}" if between else ""
    return (
        f"{figure_format.percent(of['value'])}{bounds} ({figure_format.count(of['k'])}/{figure_format.count(of['n'])})"
    )


def option(cell: dict[str, Any], key: str, cells: list[dict[str, Any]]) -> str:
    """An option's share of all ratings, with the interval that newer reports have."""
    if "shares" not in cell:
        return share_of(cell["options"][key], sum(cell["options"].values()))
    of = cell["shares"][key]
    between = figure_format.interval(of["low"], of["high"])
    bounds = (
        f" [{between}]{figure_format.mark(of['method'], [{'measures': c['shares']} for c in cells])}" if between else ""
    )
    counts = f"({figure_format.count(of['k'])}/{figure_format.count(of['n'])})"
    return f"{figure_format.percent_or_dash(of['value'])}{bounds} {counts}"


def share_of(n: int, total: int) -> str:
    """n of a total."""
    return (
        f"{figure_format.percent(n / total)} ({figure_format.count(n)}/{figure_format.count(total)})"
        if total
        else figure_format.UNDEFINED
    )


def chosen(options: dict[str, int]) -> list[str]:
    """Each option's share of the answers to its question, and how many these are."""
    total = sum(options.values())
    return [*(share_of(n, total) for n in options.values()), figure_format.count(total)]


def coefficient(name: str, of: dict[str, Any]) -> str:
    """One coefficient of agreement with its bounds."""
    value, between = figure_format.agreement_value(name, of[name]), figure_format.agreement_bounds(name, of)
    return f"{value} [{between}]" if between else value


def plain(value: float | None) -> str:
    """A number as short as it can be."""
    return figure_format.UNDEFINED if value is None else f"{value:.1f}".removesuffix(".0")


def seconds(value: float | None) -> str:
    """A time with one decimal, so that a column of them has its decimal signs below one another."""
    return figure_format.UNDEFINED if value is None else f"{value:,.1f}"


def from_to(low: float | None, high: float | None) -> str:
    """Two bounds of whole numbers."""
    if low is None or high is None:
        return figure_format.UNDEFINED
    return plain(low) if low == high else f"{plain(low)} to {plain(high)}"


def counted(of: dict[str, Any]) -> str:
    """A share and its counts."""
    return (
        f"{figure_format.percent_or_dash(of['value'])} ({figure_format.count(of['k'])}/{figure_format.count(of['n'])})"
    )


def majority(of: dict[str, Any]) -> str:
    """A share by majority vote, and how many items are undecided."""
    undecided = f", {figure_format.count(of['undecided'])} undecided" if of["undecided"] else ""
    return f"{counted(of).removesuffix(')')}{undecided})"


def estimated(of: dict[str, Any] | None) -> str:
    """A share with Wilson's or closed-form bounds, and its counts."""
    if of is None or of["value"] is None:
        return figure_format.UNDEFINED
    between = figure_format.interval(of["low"], of["high"])
    counts = f"({figure_format.count(of['k'])}/{figure_format.count(of['n'])})"
    return f"{figure_format.percent(of['value'])}{f' [{between}]' if between else ''} {counts}"


def leniency(of: dict[str, Any] | None) -> str:
    """A difference in points with its bounds."""
    if of is None or of["value"] is None:
        return figure_format.UNDEFINED
    between = f" [{figure_format.points_between(of['low'], of['high'])}]" if of["low"] is not None else ""
    return f"{figure_format.points(of['value'])}{between}"


def design(of: dict[str, Any]) -> str:
    """A design effect, and its intraclass correlation in brackets."""
    if of["deff"] is None:
        return figure_format.UNDEFINED
    icc = of.get("icc")
    return f"{of['deff']:.2f}" + (f" ({figure_format.coefficient(icc)})" if icc is not None else "")
