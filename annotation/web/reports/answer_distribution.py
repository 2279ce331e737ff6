"""What raters answered, as the report page shows it: of every question the share of each option, row by row.

Works on the report's dictionary alone. Only the first measured question has intervals.
"""

from typing import Any

from ...reporting.compute.cells import ratings_asked
from ...reporting.text import figure_format
from ...reporting.text.naming import Names
from .measure_table import Cell, Report

Labels = dict[str, str]
"""The options of a question and what they are called."""


def options(report: Report, names: Names) -> dict[str, Any]:
    """The first measured question: a row a system, each share with its interval."""
    return _first(report, systems(report), names)


def other_answers(cells: list[Cell], names: Names) -> list[dict[str, Any]]:
    """A table of each other question that somebody answered: shares are of its answers, so each has its own n."""
    asked = {key: list(options) for cell in cells for key, options in cell.get("questions", {}).items()}
    tables = [_other(cells, question, keys, names) for question, keys in asked.items()]
    return [table for table in tables if any(row["ratings"] for row in table["rows"])]


def all_answers(report: Report, cells: list[Cell], names: Names) -> list[dict[str, Any]]:
    """The same of every question, the first one too, for the rows of a breakdown."""
    return [_first(report, cells, names), *other_answers(cells, names)]


def systems(report: Report) -> list[Cell]:
    """The rows of such a table: the systems, and all together where they are several."""
    return [*report["systems"], *([report["overall"]] if len(report["systems"]) > 1 else [])]


def _first(report: Report, cells: list[Cell], names: Names) -> dict[str, Any]:
    overall = report["overall"]
    labels = {key: names.option(key) for key in overall["options"]}
    rows = [
        _row(cell, names.all_systems, cell["options"], labels, ratings_asked(cell, overall), cell.get("shares"))
        for cell in cells
    ]
    return _table(names.first_question, labels, rows)


def _other(cells: list[Cell], question: str, keys: list[str], names: Names) -> dict[str, Any]:
    labels = {key: names.option_of(question, key) for key in keys}
    chosen = [cell.get("questions", {}).get(question, {}) for cell in cells]
    rows = [_row(cell, names.all_systems, of, labels, sum(of.values())) for cell, of in zip(cells, chosen, strict=True)]
    return _table(names.asked(question), labels, rows)


def _table(question: str, labels: Labels, rows: list[dict[str, Any]]) -> dict[str, Any]:
    return {"question": question, "heads": list(labels.values()), "rows": rows}


def _row(
    cell: Cell,
    all_systems: str,
    chosen: dict[str, int],
    labels: Labels,
    ratings: int,
    shares: dict[str, dict[str, Any]] | None = None,
) -> dict[str, Any]:
    """`all_systems` is what a row without a name is called, `ratings` are those of which the options are shares."""
    parts = [_part(label, chosen.get(key, 0), ratings, (shares or {}).get(key)) for key, label in labels.items()]
    called = [str(cell[key]) for key in ("system", "value") if key in cell] or [all_systems]
    return {"names": called, "ratings": ratings, "parts": parts}


def _part(label: str, n: int, ratings: int, share: dict[str, Any] | None) -> dict[str, Any]:
    between = figure_format.interval(share["low"], share["high"]) if share else ""
    value = share["value"] if share else n / ratings if ratings else None
    return {"label": label, "n": n, "percent": figure_format.percent_or_dash(value), "interval": between}
