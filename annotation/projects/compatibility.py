"""Whether a data set has what a protocol asks about.

Sentences, claims and pairs come with the data, and facts can be typed in. A whole response is there whatever the data
came from, so the item that stands for it is made when the first project needs it. It belongs to the response, as every
item: a second project about whole responses finds it there.
"""

from django.db import connection
from django.utils.translation import gettext as _

from ..i18n.unit_names import unit_words
from ..models import Dataset, Item

WHOLE = "whole"
"""The `splitter` of the items made here: no load knows of them."""

# Blank responses have nothing to rate. Two projects may be made at once: the later one finds the earlier one's items.
_MAKE_WHOLE = r"""
    INSERT INTO annotation_item (public_id, response_id, unit, position, kind, rate, start, "end", text, splitter)
    SELECT gen_random_uuid(), response.id, 'response', 0, 'response', true, 0, char_length(response.text),
        response.text, %(splitter)s
    FROM annotation_response response
    WHERE response.dataset_id = %(dataset)s AND response.text ~ '\S' AND NOT EXISTS (
        SELECT FROM annotation_item item WHERE item.response_id = response.id AND item.unit = 'response'
    )
    ORDER BY response.id
    ON CONFLICT ON CONSTRAINT unique_item_position DO NOTHING
"""


def create_response_items(dataset: int) -> int:
    """An item for each whole response of the data set (its primary key) that has none. Returns how many were made."""
    with connection.cursor() as cursor:
        cursor.execute(_MAKE_WHOLE, {"dataset": dataset, "splitter": WHOLE})
        return cursor.rowcount


def why_nothing_to_rate(dataset: Dataset, unit: str) -> str:
    """Why a protocol about `unit` cannot be used on the data set, and what to do; empty if it can. A data set without
    responses may yet get what is asked about."""
    if unit in (Item.Unit.RESPONSE, Item.Unit.FACT) or not dataset.responses.exists():
        return ""
    items = Item.objects.filter(response__dataset=dataset)
    if items.filter(unit=unit).exists():
        return ""
    there = sorted({*items.order_by().values_list("unit", flat=True).distinct(), Item.Unit.RESPONSE})
    return _(
        "data set %(dataset)s has no %(units)s, which this protocol asks about: choose a protocol about what it has "
        "(%(there)s), or load its responses as JSON lines that bring %(units)s (the field “%(field)s”)"
    ) % {
        "dataset": dataset.slug,
        "units": unit_words(unit, 2),
        "there": ", ".join(unit_words(each, 2) for each in there),
        "field": "pairs" if unit == Item.Unit.PAIR else "items",
    }
