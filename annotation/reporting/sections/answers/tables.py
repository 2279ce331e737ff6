"""The distribution of the answers to each question, by system and by breakdown."""

from collections.abc import Iterator, Sequence
from functools import partial

from ...data.groups import ratings_asked
from ...parts import Cell
from ...report import Report
from ...tables import Column, Figure, Row, Table
from ...tables.kinds import COUNT, LABEL, SHARE
from ...text import notes
from ...text.names import Names, breakdown_label, label_columns
from ..names import OPTIONS, answers_by, answers_to, table_name
from ..proportions.tables import OF_SYSTEMS, rows_of_cells

NOTE = "Shares of the answers to this question, without intervals; “–” where no rater answered."


def tables(report: Report, names: Names) -> Iterator[Table]:
    cells = [*report.systems, report.overall]
    note = notes.interval_note([cell.shares for cell in cells if cell.shares is not None], report.method.cluster)
    yield from _tables("Distribution of answers", [names.system_head], cells, note, report, names)
    for key, values in report.by.items():
        if values:
            title = f"Distribution of answers by {breakdown_label(key, names)}"
            yield from _tables(title, label_columns(key, values[0], names), values, NOTE, report, names, key)


def _tables(
    title: str, head: Sequence[str], cells: Sequence[Cell], note: str, report: Report, names: Names, by: str = ""
) -> Iterator[Table]:
    """Yield the table of the first measured question and those of the others; of a breakdown `by` on request."""
    questions = {"": dict.fromkeys(report.overall.options), **report.overall.questions}
    for question, keys in questions.items():
        if question and not any(report.overall.questions[question].values()):
            continue
        label = partial(names.option_of, question) if question else names.option
        rows = []
        for cell in cells:
            counts = cell.questions[question] if question else cell.options
            n = sum(counts.values()) if question else ratings_asked(cell.options, cell.ratings, report.overall)
            shares = ({} if question or by else cell.shares) or {}
            figures = [
                Figure.of(shares[option])
                if option in shares
                else Figure(counts[option] / n, k=counts[option], n=n)
                if n
                else None
                for option in keys
            ]
            ratings = n if question or by else cell.ratings
            rows.append(Row([*(cell.labels or [names.all_systems]), *figures, ratings], is_total=not cell.labels))
        columns = [
            *(Column(word, LABEL) for word in head),
            *(Column(label(option), SHARE) for option in keys),
            Column("Ratings", COUNT),
        ]
        key = answers_to(question) if question else OPTIONS
        yield Table(
            answers_by(key, table_name(by)) if by else key,
            f"{title}: {names.question_text(question)}" if question else title,
            columns,
            rows,
            NOTE if question or by else note,
            on_request=bool(by),
            rows_of_csv=partial(
                rows_of_cells, report, (question or "option",), (table_name(by),) if by else OF_SYSTEMS
            ),
        )
