"""Names of the ways to aggregate ratings."""

from ...i18n.unit_names import unit_words
from ...models import Item
from ..report import MeasureAggregation

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
