"""Compatibility of data sets and protocols: does a data set have items of the protocol's unit?

Sentences, claims and pairs come with the data; facts can be entered. The item of a whole response is created when the
first project needs it, and further projects use it too.
"""

from django.db import connection
from django.db.models import Exists, OuterRef

from ..i18n.unit_names import unit_words
from ..models import Dataset, Item

WHOLE = "whole"
"""The `splitter` of the items that this module creates."""

# Blank responses have nothing to rate. Of two projects created at once, the later one finds the items of the other.
_INSERT_RESPONSE_ITEMS = r"""
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
    """Create an item for each response of the data set (a primary key) that has none. Return how many."""
    with connection.cursor() as cursor:
        cursor.execute(_INSERT_RESPONSE_ITEMS, {"dataset": dataset, "splitter": WHOLE})
        return cursor.rowcount


def why_nothing_to_rate(dataset: Dataset, unit: str) -> str:
    """Return why a protocol about `unit` cannot be used on the data set, with the remedy; "" if it can.

    A data set without responses passes: its responses may still come with such items.
    """
    if unit in (Item.Unit.RESPONSE, Item.Unit.FACT) or not dataset.responses.exists():
        return ""
    items = Item.objects.filter(response=OuterRef("pk"), unit=unit)
    if dataset.responses.filter(Exists(items)).exists():  # as a join, it was begun with the items of all data sets
        return ""
    items = Item.objects.filter(response__dataset=dataset)
    units = sorted({*items.order_by().values_list("unit", flat=True).distinct(), Item.Unit.RESPONSE})
    return (
        f"data set {dataset.slug} has no {unit_words(unit, 2)}, which this protocol asks about: choose a protocol "
        f"for its units ({', '.join(unit_words(each, 2) for each in units)}), or import its responses as JSON "
        f"Lines with {unit_words(unit, 2)} (the field "
        f"“{'pairs' if unit == Item.Unit.PAIR else 'items'}”)"
    )
