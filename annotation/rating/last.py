"""Which item is a response's last one: with it raters are asked what a protocol asks once about the whole response."""

from collections.abc import Iterable

from django.db.models import Exists, OuterRef, Q, QuerySet

from ..models import Item
from ..protocols import Protocol


def last_items(items: Iterable[int]) -> QuerySet[Item]:
    """Those of these items (primary keys) after which raters are asked about no other of their unit."""
    same_sheet = Q(against=OuterRef("against")) | Q(against=None)  # a pair always has one, other units never
    comes_later = Q(start__gt=OuterRef("start"), unit=Item.Unit.SENTENCE)  # the order of assigning.sheets.items_of
    comes_later |= Q(position__gt=OuterRef("position")) & ~Q(unit=Item.Unit.SENTENCE)
    later = Item.objects.filter(same_sheet, comes_later, response=OuterRef("response"), unit=OuterRef("unit"))
    return Item.objects.filter(~Exists(later.filter(rate=True, retired_at=None)), pk__in=items)


def asked_about(protocol: Protocol, item: int) -> Protocol:
    """What the protocol asks about the item with this primary key. Takes a query only where something is asked once."""
    return protocol.about(last=not protocol.asks_once or last_items([item]).exists())
