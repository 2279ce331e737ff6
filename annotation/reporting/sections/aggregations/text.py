"""Where the aggregations of a report differ most."""

from ....i18n.unit_names import unit_words
from ....models import Item
from ...report import Report
from ...text.figure_format import percent
from ...text.names import Names
from .figures import MeasureAggregation

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
