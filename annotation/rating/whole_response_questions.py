"""The questions about one item, among them those about the whole response, which come with its last item.

Some questions depend on the item's kind. Items can change later: an answer about the whole response stays with its item
until that item is retired, is changed there, and is not asked with another item. So each rater answers it once.

Under such a protocol a sample is of whole responses only, so that the last item is the same for raters and judges.
"""

from collections.abc import Iterable

from django.db.models import Exists, OuterRef, Q, QuerySet

from ..models import Item, Project, Rating
from ..models.rated_items import is_rateable
from ..protocols import Protocol, SentAnswers


def last_items(project: Project, items: Iterable[int]) -> QuerySet[Item]:
    """Return those of these items (primary keys) that are the last of their response and unit that can be rated."""
    same_sheet = Q(against=OuterRef("against")) | Q(against=None)  # a pair always has one, other units never
    comes_later = Q(start__gt=OuterRef("start"), unit=Item.Unit.SENTENCE)  # the order of queue.sheets.items_of
    comes_later |= Q(kind__gt=OuterRef("kind"), unit=Item.Unit.FACT)
    comes_later |= Q(position__gt=OuterRef("position"), kind=OuterRef("kind"), unit=Item.Unit.FACT)
    comes_later |= Q(position__gt=OuterRef("position")) & ~Q(unit__in=[Item.Unit.SENTENCE, Item.Unit.FACT])
    later = Item.objects.filter(same_sheet, comes_later, response=OuterRef("response"), unit=OuterRef("unit"))
    return Item.objects.filter(~Exists(later.filter(is_rateable(project))), pk__in=items)


def protocol_for_item(
    project: Project, protocol: Protocol, item: int, ratings: QuerySet[Rating], answers: SentAnswers | None = None
) -> Protocol:
    """Return the project's questions about the item with this primary key. Queries only if items differ.

    `ratings`, such as the rater's own, may have an answer about the whole response already. If not, such an answer is
    accepted among the `answers` to any item, because a later item may have appeared while the page was open.
    """
    if not protocol.varies_by_item:
        return protocol
    row = Item.objects.get(pk=item)
    if not protocol.asks_once:
        return protocol.for_item(is_last=True, kind=row.kind)
    answered = whole_response_ratings(project, protocol, ratings, [row.response_id]).filter(
        item__against=row.against_id
    )
    items = set(answered.values_list("item", flat=True))
    is_answered = any((answers or {}).get(key) is not None for key in protocol.once_keys)
    is_asked = item in items or (not items and (is_answered or last_items(project, [item]).exists()))
    return protocol.for_item(is_last=is_asked, kind=row.kind)


def whole_response_ratings(
    project: Project, protocol: Protocol, ratings: QuerySet[Rating], responses: Iterable[int]
) -> QuerySet[Rating]:
    """Return those of `ratings` that answer questions about these whole responses and whose item is not retired."""
    return ratings.filter(
        is_rateable(project, "item__"),
        item__response__in=responses,
        item__unit=protocol.unit,
        answers__has_any_keys=protocol.once_keys,
    )
