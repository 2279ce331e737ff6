"""Text of one table cell: a figure with its bounds and counts, formatted as `reporting.text.figure_format` does."""

from collections.abc import Mapping, Sequence

from ..reporting.report import (
    Agreement,
    BoundedShare,
    Cell,
    DawidSkene,
    Leniency,
    MajorityShare,
    MeanEstimate,
    MeasureProportion,
    Proportion,
    ScoreEstimate,
    Share,
)
from ..reporting.text import figure_format
from ..reporting.text.figure_format import UNDEFINED, count, percent, percent_or_dash
from ..reporting.text.names import Names


def labels(cell: Cell, names: Names) -> list[str]:
    """Return the labels of a row: system, value or both; all systems for the cell of all ratings."""
    return cell.labels or [names.all_systems]


def system(cell: Cell, names: Names) -> str:
    """Return the system of a row, or all of them."""
    return names.all_systems if cell.system is None else cell.system


def proportion(p: Proportion, figures: Sequence[Mapping[str, Proportion]]) -> str:
    """Format a proportion with interval and counts, marked if its method differs from the table's other figures."""
    bounds = figure_format.interval(p.low, p.high)
    interval = f" [{bounds}]{figure_format.method_mark(p.method, figures)}" if bounds else ""
    return f"{percent_or_dash(p.value)}{interval} {counts(p)}"


def measure(p: Proportion, figures: Sequence[Mapping[str, Proportion]]) -> str:
    """Format a measure like `proportion`; an undefined one in words."""
    return figure_format.NOTHING_TO_ASSESS if p.value is None else proportion(p, figures)


def estimate(figure: MeanEstimate | ScoreEstimate) -> str:
    """Format a mean or a score with its bounds and what it is taken over."""
    if figure.value is None:
        return UNDEFINED
    bounds = figure_format.estimate_bounds(figure)
    return f"{figure_format.estimate(figure)}{f' [{bounds}]' if bounds else ''} ({count(figure.n)})"


def option(cell: Cell, key: str, figures: Sequence[Mapping[str, Proportion]]) -> str:
    """Format an option's share of all ratings with its interval, which older reports lack."""
    if cell.shares is None:
        return share_of(cell.options[key], sum(cell.options.values()))
    return proportion(cell.shares[key], figures)


def share_of(n: int, total: int) -> str:
    """Format n of a total."""
    return f"{percent(n / total)} ({count(n)}/{count(total)})" if total else UNDEFINED


def option_shares(options: Mapping[str, int]) -> list[str]:
    """Format each option's share of the answers to its question, and the number of answers."""
    total = sum(options.values())
    return [*(share_of(n, total) for n in options.values()), count(total)]


def coefficient(name: str, agreement: Agreement) -> str:
    """Format one coefficient of agreement with its bounds."""
    value = figure_format.agreement_value(name, agreement.coefficients[name])
    bounds = figure_format.agreement_bounds(name, agreement)
    return f"{value} [{bounds}]" if bounds else value


def plain(value: float | None) -> str:
    """Format a number as short as possible."""
    return UNDEFINED if value is None else f"{value:.1f}".removesuffix(".0")


def seconds(value: float | None) -> str:
    """Format a time with one decimal, so that the decimal signs of a column align."""
    return UNDEFINED if value is None else f"{value:,.1f}"


def from_to(low: float | None, high: float | None) -> str:
    """Format two bounds of whole numbers."""
    if low is None or high is None:
        return UNDEFINED
    return plain(low) if low == high else f"{plain(low)} to {plain(high)}"


def counts(p: Share) -> str:
    """Format k/n in brackets."""
    return f"({count(p.k)}/{count(p.n)})"


def share(p: Share) -> str:
    """Format a share and its counts."""
    return f"{percent_or_dash(p.value)} {counts(p)}"


def majority(p: MajorityShare) -> str:
    """Format a share by majority vote, and the number of undecided items."""
    undecided = f", {count(p.undecided)} undecided" if p.undecided else ""
    return f"{share(p).removesuffix(')')}{undecided})"


def dawid_skene(estimate: DawidSkene | None) -> str:
    """Format a share by Dawid and Skene's model with its interval."""
    if estimate is None:
        return UNDEFINED
    bounds = figure_format.interval(estimate.low, estimate.high)
    return f"{percent_or_dash(estimate.value)}{f' [{bounds}]' if bounds else ''}"


def bounded_share(p: BoundedShare | None) -> str:
    """Format a share with Wilson's or closed-form bounds, and its counts."""
    if p is None or p.value is None:
        return UNDEFINED
    bounds = figure_format.interval(p.low, p.high)
    return f"{percent(p.value)}{f' [{bounds}]' if bounds else ''} {counts(p)}"


def leniency(estimate: Leniency | None) -> str:
    """Format a difference in points with its bounds."""
    if estimate is None or estimate.value is None:
        return UNDEFINED
    low, high = estimate.low, estimate.high
    bounds = "" if low is None else f" [{figure_format.points_between(low, high)}]"
    return f"{figure_format.points(estimate.value)}{bounds}"


def design_effect(p: MeasureProportion) -> str:
    """Format a design effect, and its intraclass correlation in brackets."""
    icc = f" ({figure_format.coefficient(p.icc)})" if p.deff is not None and isinstance(p.icc, float) else ""
    return figure_format.design_effect(p.deff) + icc
