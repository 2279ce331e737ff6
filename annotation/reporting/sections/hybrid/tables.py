"""The estimates from people and a judge, and those of people alone that are weighted."""

from collections.abc import Iterator, Sequence

from ...report import Report
from ...tables import Column, Figure, Row, Table
from ...tables.kinds import COEFFICIENT, COUNT, LABEL, PERCENT, POINTS
from ...text.names import Names
from .figures import HybridDifference
from .text import hybrid_note, weighted_note


def weighted(report: Report, names: Names) -> Iterator[Table]:
    weighted = report.weighted_estimates
    if weighted is not None and weighted.overall is not None:
        columns = [
            Column(names.system_head, LABEL),
            Column("Measure", LABEL),
            Column("Weighted estimate", PERCENT, "people alone"),
            Column("Ratings", COUNT),
            Column(f"{report.method.cluster.capitalize()}s", COUNT),
        ]
        rows = [
            Row(
                [
                    cell.system or names.all_systems,
                    names.measure(key),
                    Figure(measure.value, measure.low, measure.high, n=measure.n),
                    measure.n,
                    measure.units,
                ],
                {"system": cell.system or "", "key": key},
            )
            for cell in (*weighted.systems, weighted.overall)
            for key, measure in cell.measures.items()
        ]
        yield Table("weighted_estimates", "People alone, weighted", columns, rows, weighted_note(report, names))
        title = "Differences between systems, people alone, weighted"
        yield _differences("weighted_comparisons", title, weighted.comparisons, names)


def tables(report: Report, names: Names) -> Iterator[Table]:
    hybrid = report.hybrid
    if hybrid is not None:
        columns = [
            Column(names.system_head, LABEL),
            Column("Measure", LABEL),
            Column("People and judge", PERCENT, "people and judge"),
            Column("People alone", PERCENT, "people alone"),
            Column("Judge alone (not an estimate)", PERCENT, "judge alone"),
            Column("λ", COEFFICIENT, "lambda"),
            Column("Ratings of people", COUNT),
            Column("Judged", COUNT),
        ]
        rows = [
            Row(
                [
                    cell.system or names.all_systems,
                    names.measure(key),
                    Figure(measure.value, measure.low, measure.high, n=measure.human.n),
                    Figure(measure.human.value, measure.human.low, measure.human.high, n=measure.human.n),
                    Figure(measure.judge_alone, n=measure.n_judge),
                    Figure(measure.lambda_),
                    measure.human.n,
                    measure.n_judge,
                ],
                {"system": cell.system or "", "value": hybrid.judge, "key": key},
            )
            for cell in (*hybrid.systems, *([hybrid.overall] if hybrid.overall else []))
            for key, measure in cell.measures.items()
        ]
        title, note = f"People and judge: {hybrid.judge}", hybrid_note(report, names)
        yield Table("hybrid", title, columns, rows, note, is_shown_empty=True)
        title = f"Differences between systems, people and judge: {hybrid.judge}"
        yield _differences("hybrid_comparisons", title, hybrid.comparisons, names)


def _differences(key: str, title: str, differences: Sequence[HybridDifference], names: Names) -> Table:
    columns = [Column("Measure", LABEL), Column("Systems", LABEL), Column("Difference, points", POINTS, "difference")]
    rows = [
        Row(
            [
                names.measure(row.measure),
                f"{row.a} − {row.b}",
                Figure(row.difference, row.low, row.high, after="" if row.low is not None else "(no interval)"),
            ],
            {"system": row.a, "value": row.b, "key": row.measure},
        )
        for row in differences
    ]
    return Table(key, title, columns, rows)
