"""The tables of a report as plain text cells, ready to be set in any format.

A grid is what a reader sees as one table; formats only differ in how they draw it. Values are written as in
`reporting.wording`, each share with its k of n, each interval with its bounds.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ..reporting import wording
from ..reporting.wording import Names

MOST_VALUES = 60  # a table for reading; a longer breakdown is in the JSON and the CSV


@dataclass(frozen=True)
class Grid:
    """A table: `key` names it in files, `head` has one word a column, `rows` as many cells each; `note` is below it.

    The first `labels` columns are text, the others figures.
    """

    key: str
    title: str
    head: list[str]
    rows: list[list[str]]
    note: str = ""
    labels: int = 1


def grids(report: dict[str, Any], names: Names) -> Iterator[Grid]:
    """All tables of a report, the paper's first."""
    if not report["systems"]:
        return
    yield measures("systems", "Proportions by system", [*report["systems"], report["overall"]], names)
    yield options(report, names)
    for key, cells in report["by"].items():
        if 0 < len(cells) <= MOST_VALUES:
            yield measures(key, f"Proportions by {wording.breakdown(key)}", cells, names)
    if report["comparisons"]:
        yield comparisons(report, names)
    yield agreement(report)


def measures(key: str, title: str, cells: list[dict[str, Any]], names: Names) -> Grid:
    """One row a cell: every measure with interval and k of n, how many were assessed and left out."""
    labels = wording.label_columns(key, cells[0])
    keys = list(cells[0]["measures"])
    rows = [
        [
            *_labels(cell),
            *(_share(cell["measures"][measure], cells) for measure in keys),
            wording.count(cell["assessed"]),
            wording.count(cell["ratings"] - cell["assessed"]),
        ]
        for cell in cells
    ]
    head = [*labels, *(names.measure(measure) for measure in keys), "Assessed", "Left out"]
    return Grid(key, title, head, rows, wording.interval_note(cells), len(labels))


def options(report: dict[str, Any], names: Names) -> Grid:
    """What raters answered: the share of each option in all ratings of a system."""
    cells = [*report["systems"], report["overall"]]
    keys = list(report["overall"]["options"])
    rows = [
        [_name(cell), *(_share_of(cell["options"][key], sum(cell["options"].values())) for key in keys)]
        for cell in cells
    ]
    return Grid("options", "What raters answered", ["System", *(names.option(key) for key in keys)], rows)


def comparisons(report: dict[str, Any], names: Names) -> Grid:
    """Every pair of systems: difference in percentage points with its interval, p and p after Holm."""
    rows = [
        [
            names.measure(row["measure"]),
            f"{row['a']} − {row['b']}",
            wording.points(row["difference"]),
            wording.points_between(row["low"], row["high"]),
            wording.p_value(row["p"]),
            wording.p_value(row["p_holm"]),
            wording.count(row["prompts"]),
        ]
        for row in report["comparisons"]
    ]
    head = ["Measure", "Systems", "Difference", "95 % interval", "p", "p (Holm)", "Prompts"]
    return Grid("comparisons", "Differences between systems", head, rows, wording.COMPARISON_NOTE, 2)


def agreement(report: dict[str, Any]) -> Grid:
    """Each question with its coefficients and their intervals, where there are any."""
    rows = [
        [
            wording.agreement_of(key),
            wording.count(of["items"]),
            wording.count(of["raters"]),
            *(_coefficient(name, of) for name in wording.COEFFICIENTS),
        ]
        for key, of in report["agreement"].items()
    ]
    head = ["Question", "Items", "Raters", *wording.COEFFICIENTS.values()]
    return Grid("agreement", "Agreement between raters", head, rows, wording.AGREEMENT_NOTE)


def _labels(cell: dict[str, Any]) -> list[str]:
    return [cell[key] for key in ("system", "value") if key in cell] or [wording.ALL_SYSTEMS]


def _name(cell: dict[str, Any]) -> str:
    return cell.get("system", wording.ALL_SYSTEMS)


def _share(of: dict[str, Any], cells: list[dict[str, Any]]) -> str:
    if of["value"] is None:
        return wording.NOTHING_TO_ASSESS
    between = wording.interval(of["low"], of["high"])
    bounds = f" [{between}]{wording.mark(of['method'], cells)}" if between else ""
    return f"{wording.percent(of['value'])}{bounds} ({wording.count(of['k'])}/{wording.count(of['n'])})"


def _share_of(n: int, total: int) -> str:
    return f"{wording.percent(n / total)} ({wording.count(n)})" if total else wording.UNDEFINED


def _coefficient(name: str, of: dict[str, Any]) -> str:
    write = wording.percent if name == "percent" else wording.coefficient
    if of[name] is None:
        return wording.UNDEFINED
    bounds = of["intervals"][name]
    between = f" [{wording.coefficient(bounds[0])}, {wording.coefficient(bounds[1])}]" if bounds else ""
    return f"{write(of[name])}{between}"
