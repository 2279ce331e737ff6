"""What is asked about an item. Some of it depends on the item's kind, and with a response's last item raters are asked
what a protocol asks once about the whole response.

Items come and go after that: an answer about the whole stays with the item that it was given with while that one
stands, is changed there, and is asked with no other. So each rater says it once, whatever becomes the last item.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet

from ..models import Item, Rating
from ..protocols import Protocol


def last_items(items: Iterable[int]) -> QuerySet[Item]:
    """Those of these items (primary keys) after which raters are asked about no other of their unit."""
    same_sheet = Q(against=OuterRef("against")) | Q(against=None)  # a pair always has one, other units never
    comes_later = Q(start__gt=OuterRef("start"), unit=Item.Unit.SENTENCE)  # the order of queue.sheets.items_of
    comes_later |= Q(kind__gt=OuterRef("kind"), unit=Item.Unit.FACT)
    comes_later |= Q(position__gt=OuterRef("position"), kind=OuterRef("kind"), unit=Item.Unit.FACT)
    comes_later |= Q(position__gt=OuterRef("position")) & ~Q(unit__in=[Item.Unit.SENTENCE, Item.Unit.FACT])
    later = Item.objects.filter(same_sheet, comes_later, response=OuterRef("response"), unit=OuterRef("unit"))
    return Item.objects.filter(~Exists(later.filter(rate=True, retired_at=None)), pk__in=items)


def protocol_for_item(
    protocol: Protocol, item: int, ratings: QuerySet[Rating], given: Mapping[str, Any] | None = None
) -> Protocol:
    """What the protocol asks about the item with this primary key. Takes queries only where items differ.

    `ratings` are those, such as the rater's own, in which an answer about the whole may stand already. Where none does,
    it is taken with whatever item it is `given`: an item may have come after it while the page was open.
    """
    if not (protocol.asks_once or protocol.asks_by_kind):
        return protocol
    about = Item.objects.get(pk=item)
    if not protocol.asks_once:
        return protocol.about(last=True, kind=about.kind)
    spoken = whole_response_ratings(protocol, ratings, [about.response_id]).filter(item__against=about.against_id)
    holders = set(spoken.values_list("item", flat=True))
    is_given = any((given or {}).get(key) is not None for key in protocol.once_keys)
    is_asked = item in holders or (not holders and (is_given or last_items([item]).exists()))
    return protocol.about(last=is_asked, kind=about.kind)


def whole_response_ratings(protocol: Protocol, ratings: QuerySet[Rating], responses: Iterable[int]) -> QuerySet[Rating]:
    """Those of `ratings` that answer what is asked once about these responses, and whose item stands."""
    return ratings.filter(
        item__response__in=responses,
        item__unit=protocol.unit,
        item__rate=True,
        item__retired_at=None,
        answers__has_any_keys=protocol.once_keys,
    )
