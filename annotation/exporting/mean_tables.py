"""The tables of what is said of responses, each of which weighs the same: means, and their correlations."""

from collections.abc import Iterator
from typing import Any

from ..reporting.text import figure_format, naming
from ..reporting.text.naming import Names
from .table import Grid

Report = dict[str, Any]
MOST_CELLS = 60  # of a breakdown in a table for reading; the JSON and the CSV have all
MEANS_NOTE = (
    "Means over responses, each of which weighs the same; in brackets 95 % intervals and the number of responses "
    "with a value. Intervals: BCa bootstrap with at least 50 clusters, else linearised with t, none with fewer than 10."
)
CORRELATION_NOTE = (
    "Over responses; in brackets 95 % intervals, BCa bootstrap of whole clusters, none with fewer than 10."
)


def of_responses(report: Report, names: Names) -> Iterator[Grid]:
    """Nothing where the protocol has no means."""
    if "means" in report["overall"]:
        yield means(report, names)
    if report.get("correlations"):
        yield correlations(report, names)


def means(report: Report, names: Names) -> Grid:
    """One row a cell: systems, all together, then every breakdown."""
    keys = list(report["overall"]["means"])
    cells = [(names.system_head, cell["system"], cell) for cell in report["systems"]]
    cells.append((names.system_head, names.all_systems, report["overall"]))
    for key, found in report["by"].items():
        for cell in found if len(found) <= MOST_CELLS else ():
            named = ", ".join(cell[part] for part in ("system", "value") if part in cell)
            cells.append((naming.readable(naming.breakdown(key, names)), named, cell))
    rows = [[of, name, *(_mean(cell["means"][key]) for key in keys)] for of, name, cell in cells]
    head = ["By", "Value", *(names.measure(key) for key in keys)]
    return Grid("means", "Means over responses", head, rows, MEANS_NOTE, 2)


def correlations(report: Report, names: Names) -> Grid:
    """One row a correlation and system."""
    rows = [
        [
            names.correlation(row["key"]),
            row["system"] or names.all_systems,
            *(_coefficient(row[name]) for name in figure_format.CORRELATIONS),
            figure_format.count(row["n"]),
        ]
        for row in report["correlations"]
    ]
    head = ["Between", names.system_head, *figure_format.CORRELATIONS.values(), "Responses"]
    return Grid("correlations", "Correlations over responses", head, rows, CORRELATION_NOTE, 2)


def _mean(of: dict[str, Any]) -> str:
    if of["value"] is None:
        return figure_format.UNDEFINED
    between = figure_format.mean_bounds(of)
    return f"{figure_format.mean(of['value'])}{f' [{between}]' if between else ''} ({figure_format.count(of['n'])})"


def _coefficient(of: dict[str, Any]) -> str:
    between = figure_format.coefficient_bounds(of)
    return f"{figure_format.coefficient(of['value'])}{f' [{between}]' if between else ''}"
