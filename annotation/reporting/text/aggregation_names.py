"""Names of the ways to aggregate ratings."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from ...i18n.unit_names import unit_words
from ...models import Item
from ..report import MeasureAggregation

MAJORITY = gettext_noop("by majority vote")
WHOLE_RESPONSES = (Item.Unit.RESPONSE, Item.Unit.PAIR)
"""Units with one item per response: an average over responses is one over items."""


def other_aggregations(measure: MeasureAggregation, unit: str) -> dict[str, float]:
    """Return the defined values of one measure other than the pooled one, by the name of the aggregation."""
    ways = {
        _(MAJORITY): measure.majority.value,
        _("with %(units)s weighted equally") % {"units": unit_words(unit, 2)}: measure.macro_item,
        _("with responses weighted equally"): measure.macro_response if unit not in WHOLE_RESPONSES else None,
        _("with prompts weighted equally"): measure.macro_prompt,
        _("by the model of Dawid and Skene"): measure.dawid_skene.value if measure.dawid_skene else None,
    }
    return {way: value for way, value in ways.items() if value is not None}
