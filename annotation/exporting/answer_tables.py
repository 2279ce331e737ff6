"""Tables of the answers to each question: by system, and on request by breakdown."""

from collections.abc import Iterator, Sequence

from ..reporting.compute.cells import ratings_asked
from ..reporting.report import Cell, Report
from ..reporting.text import figure_format, notes
from ..reporting.text.names import Names, breakdown_label, label_columns
from . import cell_text
from .table import Grid
from .table_names import OPTIONS, answers_by, answers_to, table_name

ANSWERS_NOTE = "Shares of the answers to this question, without intervals; “–” where no rater answered."


def options(report: Report, names: Names) -> Grid:
    """Return the share of each option in all ratings of a system."""
    cells = [*report.systems, report.overall]
    keys, shares = list(report.overall.options), [cell.shares for cell in cells if cell.shares is not None]
    rows = [
        [
            cell_text.system(cell, names),
            *(cell_text.option(cell, key, shares) for key in keys),
            figure_format.count(cell.ratings),
        ]
        for cell in cells
    ]
    head = [names.system_head, *(names.option(key) for key in keys), "Ratings"]
    note = notes.interval_note(shares, report.method.cluster)
    return Grid(OPTIONS, "Distribution of answers", head, rows, note)


def other_answers(report: Report, names: Names) -> Iterator[Grid]:
    """Yield a table for each other answered question: shares of its answers, without intervals."""
    cells = [*report.systems, report.overall]
    for question in _answered(report):
        title = f"Distribution of answers: {names.question_text(question)}"
        yield _answers(answers_to(question), title, [names.system_head], cells, question, names)


def answers_by_breakdown(report: Report, names: Names) -> Iterator[Grid]:
    """Yield for every breakdown a table of each answered question, the first one too: shares without intervals."""
    for key, cells in report.by.items():
        if not cells:
            continue
        title, labels = f"Distribution of answers by {breakdown_label(key, names)}", label_columns(key, cells[0], names)
        yield _first_question(answers_by(OPTIONS, table_name(key)), title, labels, cells, report, names)
        for question in _answered(report):
            table = answers_by(answers_to(question), table_name(key))
            yield _answers(table, f"{title}: {names.question_text(question)}", labels, cells, question, names)


def _answered(report: Report) -> list[str]:
    return [question for question, options in report.overall.questions.items() if any(options.values())]


def _first_question(
    key: str, title: str, labels: list[str], cells: Sequence[Cell], report: Report, names: Names
) -> Grid:
    """Return the shares of the options in the ratings that were asked the first measured question."""
    options = list(report.overall.options)
    numbers = [ratings_asked(cell, report.overall) for cell in cells]
    rows = [
        [*cell.labels, *(cell_text.share_of(cell.options[key], n) for key in options), figure_format.count(n)]
        for cell, n in zip(cells, numbers, strict=True)
    ]
    head = [*labels, *map(names.option, options), "Ratings"]
    return Grid(key, title, head, rows, ANSWERS_NOTE, len(labels))


def _answers(key: str, title: str, labels: list[str], cells: Sequence[Cell], question: str, names: Names) -> Grid:
    options = list(cells[0].questions[question])
    rows = [[*cell_text.labels(cell, names), *cell_text.option_shares(cell.questions[question])] for cell in cells]
    head = [*labels, *(names.option_of(question, option) for option in options), "Ratings"]
    return Grid(key, title, head, rows, ANSWERS_NOTE, len(labels))
