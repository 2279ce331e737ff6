"""What is on a sheet."""

from django.db.models import QuerySet

from ..models import Item, Sheet

_ORDERS: dict[str, tuple[str, ...]] = {
    Item.Unit.SENTENCE: ("start", "position"),
    Item.Unit.FACT: ("kind", "position"),
}


def items_of(sheet: Sheet, unit: str) -> QuerySet[Item]:
    """The sheet's items of one unit in their order, without retired ones; rated or only shown.

    Sentences come as they stand in the text: one that was cut by hand has the last position wherever it stands. Facts
    of the response come before those of the reference answer. `rating.last` knows this order too.
    """
    return Item.objects.filter(
        response_id=sheet.response_id, against_id=sheet.against_id, unit=unit, retired_at=None
    ).order_by(*_ORDERS.get(unit, ("position",)))
