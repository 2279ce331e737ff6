"""The tables of Fact-QA scores: means by groups, and correlations with people's scores."""

from collections.abc import Iterator

from ..reporting.report import FactMeans, FactQAReport, HumanCorrelation, Report
from ..reporting.text.fact_qa import (
    FIGURES,
    GROUPS,
    correlation_note,
    fact_qa_note,
    group_name,
    not_scored,
    with_bounds,
)
from ..reporting.text.figure_format import coefficient, coefficient_bounds, count
from .table import Grid

MEANS, CORRELATIONS = "fact_qa", "fact_qa_correlations"
SINGULAR = {"systems": "System", "source_classes": "Source class", "question_types": "Question type"}


def fact_qa_grids(report: Report) -> Iterator[Grid]:
    """Yield the means of all judges, and the correlations; nothing without scores."""
    parts = report.fact_qa or ()
    if not parts:
        return
    rows = [
        [part.judge, by, name, *(with_bounds(getattr(means, figure)) for figure in FIGURES), count(means.responses)]
        for part in parts
        for by, name, means in _groups(part)
    ]
    head = ["Judge", "By", "Value", *FIGURES.values(), "Responses"]
    yield Grid(MEANS, "Fact-QA: precision and recall of facts", head, rows, " ".join(_notes(report)), 3)
    rows = [
        [part.judge, FIGURES[row.figure], _with_bounds(row), count(row.n)]
        for part in parts
        if part.is_compared
        for row in part.correlations
    ]
    if rows:
        head = ["Judge", "Figure", "Pearson’s r", "Responses"]
        yield Grid(CORRELATIONS, "Fact-QA: correlation with people", head, rows, correlation_note(), 2)


def fact_qa_rows(report: Report) -> Iterator[dict[str, str | float | None]]:
    """Yield the same figures as rows of the tidy table: `value` is the judge and, of a group, its name."""
    for part in report.fact_qa or ():
        for key, groups in _keyed_groups(part):
            for means in groups:
                is_system = key == "systems"
                where = {
                    "table": MEANS,
                    "system": (means.value or "") if is_system else "",
                    "value": part.judge if is_system or means.value is None else f"{part.judge}: {means.value}",
                }
                for figure in FIGURES:
                    mean = getattr(means, figure)
                    bounds = {"estimate": mean.value, "low": mean.low, "high": mean.high, "method": mean.method}
                    yield {**where, "figure": "mean", "key": figure, "n": mean.n, **bounds}
        for row in part.correlations:
            yield {
                "table": CORRELATIONS, "value": part.judge, "figure": "pearson", "key": row.figure, "n": row.n,
                "estimate": row.pearson, "low": row.low, "high": row.high,
            }  # fmt: skip


def _keyed_groups(part: FactQAReport) -> list[tuple[str, list[FactMeans]]]:
    return [*((key, list(getattr(part, key))) for key in GROUPS), ("", [part.overall])]


def _groups(part: FactQAReport) -> Iterator[tuple[str, str, FactMeans]]:
    """Yield what the groups are, the label of each, and its means: all responses first."""
    yield "All", group_name("systems", None), part.overall
    for key, by in SINGULAR.items():
        yield from ((by, group_name(key, means.value), means) for means in getattr(part, key))


def _notes(report: Report) -> Iterator[str]:
    notes = {fact_qa_note(part): None for part in report.fact_qa or ()}
    yield from notes
    for part in report.fact_qa or ():
        if reasons := not_scored(part):
            yield f"{part.judge}: {reasons}."


def _with_bounds(row: HumanCorrelation) -> str:
    bounds = coefficient_bounds(row)
    return f"{coefficient(row.pearson)}{f' [{bounds}]' if bounds else ''}"
