"""What is on a sheet."""

from django.db.models import QuerySet

from ..models import Assignment, Item, Sheet


def fetch_texts(assignment: Assignment, *, with_article: bool) -> None:
    """Fetch what is shown of the assignment's sheet, in one query: prompt, responses and document. A page shows the
    article's text too; a program asks for it by its own address."""
    sheets = Sheet.objects.select_related("response__prompt", "against", "document")
    sheets = sheets if with_article else sheets.defer("document__sections")
    assignment.sheet = sheets.get(pk=assignment.sheet_id)


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
