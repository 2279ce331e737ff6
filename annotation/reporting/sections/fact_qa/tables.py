"""Fact-QA scores: means by groups, and correlations with people's scores."""

from collections.abc import Iterator, Sequence

from ...report import Report
from ...tables import Column, Figure, Row, Table
from ...tables.kinds import COEFFICIENT, COUNT, LABEL, MEAN
from ...text.names import Names
from .figures import FactQAReport
from .text import CORRELATION_NOTE, FIGURES, GROUPS, fact_qa_note, group_name, not_scored


def tables(report: Report, names: Names) -> Iterator[Table]:
    if report.fact_qa:
        yield from tables_of(report.fact_qa, names)


def tables_of(parts: Sequence[FactQAReport], names: Names) -> Iterator[Table]:
    rows = []
    for part in parts:
        groups = [(key, means) for key in GROUPS for means in getattr(part, key)]
        for key, means in [*groups, ("", part.overall)]:
            judge = part.judge if key in ("", "systems") else f"{part.judge}: {means.value}"
            figures = [Figure.of(getattr(means, figure)) for figure in FIGURES]
            rows.append(
                Row(
                    [part.judge, GROUPS.get(key, "All"), group_name(key, means.value), *figures, means.responses],
                    {"system": (means.value or "") if key == "systems" else "", "value": judge},
                )
            )
    columns = [
        Column("Judge", LABEL),
        Column("By", LABEL),
        Column("Value", LABEL),
        *(Column(head, MEAN, "mean", figure) for figure, head in FIGURES.items()),
        Column("Responses", COUNT),
    ]
    notes = [
        *dict.fromkeys(map(fact_qa_note, parts)),
        *(f"{part.judge}: {not_scored(part)}." for part in parts if not_scored(part)),
    ]
    yield Table("fact_qa", "Fact-QA: precision and recall of facts", columns, rows, " ".join(notes))
    correlations = [
        Row(
            [part.judge, FIGURES[row.figure], Figure.of(row, estimate=row.pearson), row.n],
            {"value": part.judge, "key": row.figure},
            is_hidden=not part.is_compared,
        )
        for part in parts
        for row in part.correlations
    ]
    columns = [
        Column("Judge", LABEL),
        Column("Figure", LABEL),
        Column("Pearson’s r", COEFFICIENT, "pearson"),
        Column("Responses", COUNT),
    ]
    yield Table("fact_qa_correlations", "Fact-QA: correlation with people", columns, correlations, CORRELATION_NOTE)
