"""The options of the first measured question that are assessed without a measure of their own, such as Disputed."""

from ..report import Cell, Proportion
from .names import Names

MAX_SHARES = 8  # in a row of the paper's table, so that it fits a page; options have a table of their own


def other_options(cell: Cell, names: Names) -> dict[str, Proportion]:
    """Return these options' shares of the assessed ratings; none where a row has many measures.

    Older reports have counts and a share of these options, without an interval.
    """
    keys = [key for key in names.unmeasured() if key in cell.options]
    if len(cell.measures) + len(keys) > MAX_SHARES:
        return {}
    stored = cell.shares_of_assessed or {}
    return {key: stored.get(key) or without_interval(cell.options[key], cell.assessed) for key in keys}


def without_interval(k: int, n: int) -> Proportion:
    """Return k / n as a proportion of which no interval is known."""
    return Proportion(value=k / n if n else None, k=k, n=n, low=None, high=None, method="none")
