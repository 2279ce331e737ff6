"""The same proportions under other common aggregations."""

from collections.abc import Iterator

from ...report import Report
from ...tables import Column, Figure, Row, Table
from ...tables.kinds import LABEL, PERCENT, SHARE
from ...tables.tidy import rows_of
from ...text import figure_format
from ...text.names import Names
from .figures import MeasureAggregation

NOTE = (
    "Pooled: all assessed ratings together, as in the other tables. Majority: of the items with a majority; ties are "
    "excluded. Means: every item, response or prompt has the same weight."
)
MODEL_NOTE = (
    "Dawid-Skene: raters weighted by how well they agree with the others, estimated separately for each "
    "system and for all systems, so the value of all systems may lie outside theirs."
)


def tables(report: Report, names: Names) -> Iterator[Table]:
    """Yield one table, without a column of models where none is estimated."""
    parts = [(row.system, key, measure) for row in report.aggregations or () for key, measure in row.measures.items()]
    if not parts:
        return
    with_model = any(measure.dawid_skene for _, _, measure in parts)
    columns = [
        Column("Measure", LABEL),
        Column(names.system_head, LABEL),
        Column("Pooled", PERCENT, "pooled"),
        Column("Majority vote", SHARE, "majority"),
        Column(f"Mean of {names.unit}s", PERCENT, "macro_item"),
        Column("Mean of responses", PERCENT, "macro_response"),
        Column("Mean of prompts", PERCENT, "macro_prompt"),
        Column("Responses with any", SHARE, "responses_with_any"),
        Column("Dawid-Skene", PERCENT, "dawid_skene", shown="everywhere" if with_model else "csv"),
    ]
    rows = [
        Row(
            [names.measure(key), system or names.all_systems, *_figures(measure, names.better(key))],
            {"system": system or "", "key": key},
            is_total=system is None,
        )
        for system, key, measure in parts
    ]
    measures = list(dict.fromkeys(key for _, key, _ in parts))
    is_alone = len(report.aggregations or ()) == 2  # one system, which all together repeat
    rows_for_people = sorted(
        (row for row in rows if not (is_alone and row.is_total)),
        key=lambda row: (measures.index(row.where["key"]), row.is_total),
    )
    note = f"{NOTE} {MODEL_NOTE}" if with_model else NOTE
    yield Table(
        "aggregations",
        "Sensitivity to aggregation",
        columns,
        rows_for_people,
        note,
        rows_of_csv=lambda: rows_of(Table("aggregations", "", columns, rows)),
    )


def _figures(measure: MeasureAggregation, better: str) -> list[Figure | None]:
    majority, model = measure.majority, measure.dawid_skene
    undecided = f"({figure_format.count(majority.undecided)} undecided)" if majority.undecided else ""
    any_counts = measure.responses_with_any
    return [
        Figure(measure.pooled),
        Figure.of(majority, after=undecided),
        Figure(measure.macro_item),
        Figure(measure.macro_response),
        Figure(measure.macro_prompt),
        Figure.of(any_counts, is_shown=better == "lower"),
        Figure.of(model, n=model.items) if model else None,
    ]
