"""Fact-QA scores: means by groups, and correlations with people's scores."""

from collections.abc import Iterator, Sequence

from ...report import Report
from ...tables import Column, Figure, Row, Table
from ...tables.kinds import COEFFICIENT, COUNT, LABEL, MEAN
from ...text.names import Names
from .figures import FactQAReport
from .text import FIGURES, GROUPS, correlation_note, fact_qa_note, group_name, not_scored

SINGULAR = {"systems": "System", "source_classes": "Source class", "question_types": "Question type"}


def tables(report: Report, names: Names) -> Iterator[Table]:
    """Yield the means of all judges, and the correlations; nothing without scores."""
    if report.fact_qa:
        yield from tables_of(report.fact_qa, names)


def tables_of(parts: Sequence[FactQAReport], names: Names) -> Iterator[Table]:
    """Yield the tables about these judges."""
    columns = [
        Column("Judge", LABEL),
        Column("By", LABEL),
        Column("Value", LABEL),
        *(Column(head, MEAN, "mean", figure) for figure, head in FIGURES.items()),
        Column("Responses", COUNT),
    ]
    rows = []
    for part in parts:
        for key in (*GROUPS, ""):
            for means in getattr(part, key) if key else [part.overall]:
                of_value = f"{part.judge}: {means.value}" if key and means.value is not None else part.judge
                rows.append(
                    Row(
                        [
                            part.judge,
                            SINGULAR.get(key, "All"),
                            group_name(key, means.value) if key else group_name("systems", None),
                            *(Figure.of(getattr(means, figure)) for figure in FIGURES),
                            means.responses,
                        ],
                        {"system": means.value or "", "value": part.judge}
                        if key == "systems"
                        else {"system": "", "value": of_value},
                    )
                )
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
    yield Table("fact_qa_correlations", "Fact-QA: correlation with people", columns, correlations, correlation_note())
