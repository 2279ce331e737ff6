"""The tables of the estimates from people and a judge, and of those of people alone that are weighted."""

from collections.abc import Iterator, Sequence

from ..reporting.report import Hybrid, HybridDifference, HybridMeasure, HybridSystem, PeopleAlone, Report
from ..reporting.text.figure_format import coefficient, count, interval, percent_or_dash, points, points_between
from ..reporting.text.hybrid import hybrid_note
from ..reporting.text.names import Names
from ..reporting.text.weighted_estimates import weighted_note
from .table import Grid

HYBRID, DIFFERENCES = "hybrid", "hybrid_comparisons"
WEIGHTED, WEIGHTED_DIFFERENCES = "weighted_estimates", "weighted_comparisons"
HEAD = [
    "People and judge", "People alone", "Judge alone (not an estimate)", "λ", "Ratings of people", "Judged",
]  # fmt: skip


def hybrid_grids(report: Report, names: Names) -> Iterator[Grid]:
    """Yield the estimates and the differences of systems; nothing without a judge."""
    if report.hybrid is None:
        return
    note = hybrid_note(report, names)
    cells = _cells(report.hybrid)
    rows = [_row(cell, key, measure, names) for cell in cells for key, measure in cell.measures.items()]
    head = [names.system_head, "Measure", *HEAD]
    yield Grid(HYBRID, f"People and judge: {report.hybrid.judge}", head, rows, note, 2)
    title = f"Differences between systems, people and judge: {report.hybrid.judge}"
    yield from _difference_grids(DIFFERENCES, title, report.hybrid.comparisons, names)


def weighted_grids(report: Report, names: Names) -> Iterator[Grid]:
    """Yield the weighted estimates of people alone and the differences of systems; nothing without estimates."""
    weighted = report.weighted_estimates
    if weighted is None or weighted.overall is None:
        return
    rows = [
        [
            names.all_systems if cell.system is None else cell.system,
            names.measure(key),
            _estimate(measure),
            count(measure.n),
            count(measure.units),
        ]
        for cell in (*weighted.systems, weighted.overall)
        for key, measure in cell.measures.items()
    ]
    head = [names.system_head, "Measure", "Weighted estimate", "Ratings", f"{report.method.cluster.capitalize()}s"]
    yield Grid(WEIGHTED, "People alone, weighted", head, rows, weighted_note(report, names), 2)
    title = "Differences between systems, people alone, weighted"
    yield from _difference_grids(WEIGHTED_DIFFERENCES, title, weighted.comparisons, names)


def _difference_grids(key: str, title: str, differences: Sequence[HybridDifference], names: Names) -> Iterator[Grid]:
    if differences:
        head = ["Measure", "Systems", "Difference", "95 % interval"]
        yield Grid(key, title, head, [_difference(row, names) for row in differences], "", 2)


def hybrid_rows(report: Report) -> Iterator[dict[str, str | float | None]]:
    """Yield the same figures as rows of the tidy table; the system is empty for all together."""
    if report.hybrid is None:
        return
    for cell in _cells(report.hybrid):
        for key, measure in cell.measures.items():
            where = {"table": HYBRID, "system": cell.system or "", "value": report.hybrid.judge, "key": key}
            yield {**where, "figure": "people and judge", **_bounds(measure), "n": measure.human.n}
            yield {**where, "figure": "people alone", **_bounds(measure.human), "n": measure.human.n}
            yield {**where, "figure": "judge alone", "estimate": measure.judge_alone, "n": measure.n_judge}
            yield {**where, "figure": "lambda", "estimate": measure.lambda_}
    yield from _difference_rows(DIFFERENCES, report.hybrid.comparisons)


def weighted_rows(report: Report) -> Iterator[dict[str, str | float | None]]:
    """Yield the weighted estimates and their differences as rows of the tidy table."""
    weighted = report.weighted_estimates
    if weighted is None or weighted.overall is None:
        return
    for cell in (*weighted.systems, weighted.overall):
        for key, measure in cell.measures.items():
            where = {"table": WEIGHTED, "system": cell.system or "", "figure": "people alone", "key": key}
            yield {**where, **_bounds(measure), "n": measure.n}
    yield from _difference_rows(WEIGHTED_DIFFERENCES, weighted.comparisons)


def _difference_rows(table: str, differences: Sequence[HybridDifference]) -> Iterator[dict[str, str | float | None]]:
    for row in differences:
        yield {
            "table": table, "system": row.a, "value": row.b, "figure": "difference", "key": row.measure,
            "estimate": row.difference, "low": row.low, "high": row.high,
        }  # fmt: skip


def _cells(hybrid: Hybrid) -> list[HybridSystem]:
    return [*hybrid.systems, *([hybrid.overall] if hybrid.overall else [])]


def _row(cell: HybridSystem, key: str, measure: HybridMeasure, names: Names) -> list[str]:
    return [
        names.all_systems if cell.system is None else cell.system,
        names.measure(key),
        _estimate(measure),
        _estimate(measure.human),
        percent_or_dash(measure.judge_alone),
        coefficient(measure.lambda_),
        count(measure.human.n),
        count(measure.n_judge),
    ]


def _estimate(estimate: HybridMeasure | PeopleAlone) -> str:
    bounds = interval(estimate.low, estimate.high)
    return f"{percent_or_dash(estimate.value)}{f' [{bounds}]' if bounds else ''}"


def _bounds(estimate: HybridMeasure | PeopleAlone) -> dict[str, float | None]:
    return {"estimate": estimate.value, "low": estimate.low, "high": estimate.high}


def _difference(row: HybridDifference, names: Names) -> list[str]:
    bounds = points_between(row.low, row.high)
    return [names.measure(row.measure), f"{row.a} − {row.b}", points(row.difference), bounds]
