"""Distribution of answers on the report page: of every question the share of each option, row by row.

Only the first measured question has intervals.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ...reporting.compute.cells import ratings_asked
from ...reporting.report import Cell, Proportion, Report
from ...reporting.text import figure_format
from ...reporting.text.names import Names

Labels = dict[str, str]
"""The options of a question with their labels."""


@dataclass(frozen=True)
class OptionShare:
    """How often an option was chosen: a number of ratings, and the share in words."""

    label: str
    n: int
    percent: str
    interval: str


@dataclass(frozen=True)
class AnswerRow:
    """The shares of a system or of a value: `ratings` are those of which the options are shares."""

    names: list[str]
    ratings: int
    parts: list[OptionShare]


@dataclass(frozen=True)
class AnswerTable:
    """A question, the labels of its options, and its rows."""

    question: str
    heads: list[str]
    rows: list[AnswerRow]


def options(report: Report, names: Names) -> AnswerTable:
    """Return the first measured question: one row per system, each share with its interval."""
    return _first(report, systems(report), names)


def other_answers(cells: Sequence[Cell], names: Names) -> list[AnswerTable]:
    """Return a table of each other question with answers. Shares are of its answers, so each has its own n."""
    options_by_question = {key: list(options) for cell in cells for key, options in cell.questions.items()}
    tables = [_other(cells, question, keys, names) for question, keys in options_by_question.items()]
    return [table for table in tables if any(row.ratings for row in table.rows)]


def all_answers(report: Report, cells: Sequence[Cell], names: Names) -> list[AnswerTable]:
    """Return the tables of every question, the first one too, for the rows of a breakdown."""
    return [_first(report, cells, names), *other_answers(cells, names)]


def systems(report: Report) -> list[Cell]:
    """Return the rows of such a table: the systems, and all together if there are several."""
    return [*report.systems, *([report.overall] if len(report.systems) > 1 else [])]


def _first(report: Report, cells: Sequence[Cell], names: Names) -> AnswerTable:
    overall = report.overall
    labels = {key: names.option(key) for key in overall.options}
    rows = [
        _row(cell, names.all_systems, cell.options, labels, ratings_asked(cell, overall), cell.shares) for cell in cells
    ]
    return AnswerTable(names.first_question, list(labels.values()), rows)


def _other(cells: Sequence[Cell], question: str, keys: list[str], names: Names) -> AnswerTable:
    labels = {key: names.option_of(question, key) for key in keys}
    rows = []
    for cell in cells:
        counts = cell.questions.get(question, {})
        rows.append(_row(cell, names.all_systems, counts, labels, sum(counts.values())))
    return AnswerTable(names.asked(question), list(labels.values()), rows)


def _row(
    cell: Cell,
    all_systems: str,
    counts: Mapping[str, int],
    labels: Labels,
    ratings: int,
    shares: Mapping[str, Proportion] | None = None,
) -> AnswerRow:
    """Return the row of a cell; `all_systems` names a row without a name."""
    parts = [_part(label, counts.get(key, 0), ratings, (shares or {}).get(key)) for key, label in labels.items()]
    row_names = [name for name in (cell.system, cell.value) if name is not None] or [all_systems]
    return AnswerRow(row_names, ratings, parts)


def _part(label: str, n: int, ratings: int, share: Proportion | None) -> OptionShare:
    interval = figure_format.interval(share.low, share.high) if share else ""
    value = share.value if share else n / ratings if ratings else None
    return OptionShare(label, n, figure_format.percent_or_dash(value), interval)
