"""The same proportions under other common aggregations."""

from collections.abc import Iterator

from ....i18n.unit_names import unit_words
from ....models import Item
from ...report import Report
from ...tables import Column, Figure, Row, Table
from ...tables.kinds import LABEL, PERCENT, SHARE
from ...tables.tidy import rows_of
from ...text.figure_format import count, percent
from ...text.names import Names
from .figures import MeasureAggregation, by_measure

NOTE = (
    "Pooled: all assessed ratings together, as in the other tables. Majority: of the items with a majority; ties are "
    "excluded. Means: every item, response or prompt has the same weight."
)
MODEL_NOTE = (
    "Dawid-Skene: raters weighted by how well they agree with the others, estimated separately for each "
    "system and for all systems, so the value of all systems may lie outside theirs."
)


def tables(report: Report, names: Names) -> Iterator[Table]:
    aggregations = report.aggregations or ()
    rows = {}
    for row in aggregations:
        for key, measure in row.measures.items():
            undecided, model = measure.majority.undecided, measure.dawid_skene
            values = [
                names.measure(key),
                row.system or names.all_systems,
                Figure(measure.pooled),
                Figure.of(measure.majority, after=f"({count(undecided)} undecided)" if undecided else ""),
                Figure(measure.macro_item),
                Figure(measure.macro_response),
                Figure(measure.macro_prompt),
                Figure.of(measure.responses_with_any, is_shown=names.better(key) == "lower"),
                Figure.of(model, n=model.items) if model else None,
            ]
            where = {"system": row.system or "", "key": key}
            rows[key, row.system] = Row(values, where, is_total=row.system is None)
    if not rows:
        return
    with_model = any(measure.dawid_skene for *_, measure in by_measure(aggregations))
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
    for_people = [rows[key, system] for key, system, _ in by_measure(aggregations)]
    note = f"{NOTE} {MODEL_NOTE}" if with_model else NOTE
    stored = Table("aggregations", "", columns, list(rows.values()))
    yield Table(
        "aggregations", "Sensitivity to aggregation", columns, for_people, note, rows_of_csv=lambda: rows_of(stored)
    )


ALIKE = 0.02  # of one another: two points, less than most intervals are wide


def sentence(report: Report, names: Names) -> str:
    """Return where the aggregations differ most, and by how much; "" where none can be compared."""
    spreads = []
    for row in report.aggregations or ():
        for measure, figures in row.measures.items():
            ways = {"pooled": figures.pooled} if figures.pooled is not None else {}
            ways |= other_aggregations(figures, names.unit)
            if figures.pooled is not None and len(ways) > 1:
                spreads.append((max(ways.values()) - min(ways.values()), measure, row.system, ways))
    if not spreads:
        return ""
    spread, measure, system, ways = max(spreads, key=lambda each: each[0])
    if spread < ALIKE:
        return f"The aggregations agree: they differ by at most {100 * spread:.1f} points."
    low, high = min(ways, key=lambda way: ways[way]), max(ways, key=lambda way: ways[way])
    of_system = f" of {system}" if system else ""
    return (
        f"The aggregations differ most for {names.measure(measure).lower()}{of_system}: {percent(ways[low])} {low}, "
        f"{percent(ways[high])} {high}."
    )


MAJORITY = "by majority vote"
WHOLE_RESPONSES = (Item.Unit.RESPONSE, Item.Unit.PAIR)
"""Units with one item per response: an average over responses is one over items."""


def other_aggregations(measure: MeasureAggregation, unit: str) -> dict[str, float]:
    """Return the defined values of one measure other than the pooled one, by the name of the aggregation."""
    ways = {
        MAJORITY: measure.majority.value,
        f"with {unit_words(unit, 2)} weighted equally": measure.macro_item,
        "with responses weighted equally": measure.macro_response if unit not in WHOLE_RESPONSES else None,
        "with prompts weighted equally": measure.macro_prompt,
        "by the model of Dawid and Skene": measure.dawid_skene.value if measure.dawid_skene else None,
    }
    return {way: value for way, value in ways.items() if value is not None}
