"""Distribution of answers on the report page: of every question the share of each option, row by row.

Only the first measured question has intervals.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from ...reporting.compute.cells import ratings_asked
from ...reporting.report import Cell, Proportion, Report
from ...reporting.text import figure_format
from ...reporting.text.naming import Names

Labels = dict[str, str]
"""The options of a question and what they are called."""


def options(report: Report, names: Names) -> dict[str, Any]:
    """Return the first measured question: a row a system, each share with its interval."""
    return _first(report, systems(report), names)


def other_answers(cells: Sequence[Cell], names: Names) -> list[dict[str, Any]]:
    """Return a table of each other question with answers. Shares are of its answers, so each has its own n."""
    options_by_question = {key: list(options) for cell in cells for key, options in cell.questions.items()}
    tables = [_other(cells, question, keys, names) for question, keys in options_by_question.items()]
    return [table for table in tables if any(row["ratings"] for row in table["rows"])]


def all_answers(report: Report, cells: Sequence[Cell], names: Names) -> list[dict[str, Any]]:
    """Return the tables of every question, the first one too, for the rows of a breakdown."""
    return [_first(report, cells, names), *other_answers(cells, names)]


def systems(report: Report) -> list[Cell]:
    """Return the rows of such a table: the systems, and all together where they are several."""
    return [*report.systems, *([report.overall] if len(report.systems) > 1 else [])]


def _first(report: Report, cells: Sequence[Cell], names: Names) -> dict[str, Any]:
    overall = report.overall
    labels = {key: names.option(key) for key in overall.options}
    rows = [
        _row(cell, names.all_systems, cell.options, labels, ratings_asked(cell, overall), cell.shares) for cell in cells
    ]
    return _table(names.first_question, labels, rows)


def _other(cells: Sequence[Cell], question: str, keys: list[str], names: Names) -> dict[str, Any]:
    labels = {key: names.option_of(question, key) for key in keys}
    rows = []
    for cell in cells:
        counts = cell.questions.get(question, {})
        rows.append(_row(cell, names.all_systems, counts, labels, sum(counts.values())))
    return _table(names.asked(question), labels, rows)


def _table(question: str, labels: Labels, rows: list[dict[str, Any]]) -> dict[str, Any]:
    return {"question": question, "heads": list(labels.values()), "rows": rows}


def _row(
    cell: Cell,
    all_systems: str,
    counts: Mapping[str, int],
    labels: Labels,
    ratings: int,
    shares: Mapping[str, Proportion] | None = None,
) -> dict[str, Any]:
    """`all_systems` names a row without a name; `ratings` are those of which the options are shares."""
    parts = [_part(label, counts.get(key, 0), ratings, (shares or {}).get(key)) for key, label in labels.items()]
    row_names = [name for name in (cell.system, cell.value) if name is not None] or [all_systems]
    return {"names": row_names, "ratings": ratings, "parts": parts}


def _part(label: str, n: int, ratings: int, share: Proportion | None) -> dict[str, Any]:
    interval = figure_format.interval(share.low, share.high) if share else ""
    value = share.value if share else n / ratings if ratings else None
    return {"label": label, "n": n, "percent": figure_format.percent_or_dash(value), "interval": interval}
