"""Distribution of answers on the report page: of every question the share of each option, row by row.

Only the first measured question has intervals.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ...reporting.compute.cells import ratings_asked
from ...reporting.report import Cell, Proportion, Report
from ...reporting.sections.names import OPTIONS, answers_by, answers_to
from ...reporting.text.names import Names
from ...reporting.text.other_options import without_interval

AnswerRow = tuple[Cell, int, list[tuple[str, Proportion]]]
"""A cell, the number of ratings that are 100 %, and the share of each option with its label."""


@dataclass(frozen=True)
class AnswerTable:
    """A question, the labels of its options, and a row for each system or value; `table` is its name in files."""

    question: str
    table: str
    heads: Sequence[str]
    rows: list[AnswerRow]


def options(report: Report, names: Names) -> AnswerTable:
    """Return the first measured question: one row per system, each share with its interval."""
    return _first_question_table(report, systems(report), names)


def other_answers(cells: Sequence[Cell], names: Names) -> list[AnswerTable]:
    """Return a table of each other question with answers. Shares are of its answers, so each has its own n."""
    options_by_question = {key: list(options) for cell in cells for key, options in cell.questions.items()}
    tables = [_question_table(cells, question, keys, names) for question, keys in options_by_question.items()]
    return [table for table in tables if any(ratings for _, ratings, _ in table.rows)]


def all_answers(report: Report, cells: Sequence[Cell], names: Names, breakdown: str) -> list[AnswerTable]:
    """Return the tables of every question, the first one too, for the rows of a breakdown with this name in files."""
    tables = [_first_question_table(report, cells, names), *other_answers(cells, names)]
    return [replace(table, table=answers_by(table.table, breakdown)) for table in tables]


def systems(report: Report) -> list[Cell]:
    """Return the rows of such a table: the systems, and all together if there are several."""
    return [*report.systems, *([report.overall] if len(report.systems) > 1 else [])]


def _first_question_table(report: Report, cells: Sequence[Cell], names: Names) -> AnswerTable:
    labels = {key: names.option(key) for key in report.overall.options}
    rows: list[AnswerRow] = []
    for cell in cells:
        n = ratings_asked(cell, report.overall)
        rows.append((cell, n, _shares(labels, cell.options, n, cell.shares or {})))
    return AnswerTable(names.first_question, OPTIONS, list(labels.values()), rows)


def _question_table(cells: Sequence[Cell], question: str, keys: list[str], names: Names) -> AnswerTable:
    labels = {key: names.option_of(question, key) for key in keys}
    answers = [(cell, cell.questions.get(question, {})) for cell in cells]
    rows = [(cell, n := sum(counts.values()), _shares(labels, counts, n, {})) for cell, counts in answers]
    return AnswerTable(names.question_text(question), answers_to(question), list(labels.values()), rows)


def _shares(
    labels: Mapping[str, str], counts: Mapping[str, int], n: int, stored: Mapping[str, Proportion]
) -> list[tuple[str, Proportion]]:
    """Return the share of each option in `n` ratings, with an interval where one is stored."""
    return [(label, stored.get(key) or without_interval(counts.get(key, 0), n)) for key, label in labels.items()]
