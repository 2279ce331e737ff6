"""What is asked about an item. Some of it depends on the item's kind, and with a response's last item raters are asked
what a protocol asks once about the whole response."""

from collections.abc import Iterable

from django.db.models import Exists, OuterRef, Q, QuerySet

from ..models import Item
from ..protocols import Protocol


def last_items(items: Iterable[int]) -> QuerySet[Item]:
    """Those of these items (primary keys) after which raters are asked about no other of their unit."""
    same_sheet = Q(against=OuterRef("against")) | Q(against=None)  # a pair always has one, other units never
    comes_later = Q(start__gt=OuterRef("start"), unit=Item.Unit.SENTENCE)  # the order of assigning.sheets.items_of
    comes_later |= Q(kind__gt=OuterRef("kind"), unit=Item.Unit.FACT)
    comes_later |= Q(position__gt=OuterRef("position"), kind=OuterRef("kind"), unit=Item.Unit.FACT)
    comes_later |= Q(position__gt=OuterRef("position")) & ~Q(unit__in=[Item.Unit.SENTENCE, Item.Unit.FACT])
    later = Item.objects.filter(same_sheet, comes_later, response=OuterRef("response"), unit=OuterRef("unit"))
    return Item.objects.filter(~Exists(later.filter(rate=True, retired_at=None)), pk__in=items)


def asked_about(protocol: Protocol, item: int) -> Protocol:
    """What the protocol asks about the item with this primary key. Takes queries only where items differ."""
    if not (protocol.asks_once or protocol.asks_by_kind):
        return protocol
    kind = Item.objects.values_list("kind", flat=True).get(pk=item)
    return protocol.about(last=not protocol.asks_once or last_items([item]).exists(), kind=kind)
