"""The texts and items of a sheet."""

from django.db.models import QuerySet

from ..models import Assignment, Item, Sheet


def fetch_texts(assignment: Assignment, *, with_article: bool) -> None:
    """Fetch the prompt, responses and document of the assignment's sheet in one query.

    Pages need the document's text (`with_article`); API clients fetch it from its own endpoint.
    """
    sheets = Sheet.objects.select_related("response__prompt", "against", "document")
    sheets = sheets if with_article else sheets.defer("document__sections")
    assignment.sheet = sheets.get(pk=assignment.sheet_id)


_ORDERS: dict[str, tuple[str, ...]] = {
    Item.Unit.SENTENCE: ("start", "position"),
    Item.Unit.FACT: ("kind", "position"),
}


def items_of(sheet: Sheet, unit: str) -> QuerySet[Item]:
    """Return the sheet's items of one unit in order, rated or not, without retired ones.

    Sentences are in the order of the text: an item that a person has split has a new, last position. Facts of the
    response come before those of the reference answer. `rating.whole_response_questions` has the same order.
    """
    return Item.objects.filter(
        response_id=sheet.response_id, against_id=sheet.against_id, unit=unit, retired_at=None
    ).order_by(*_ORDERS.get(unit, ("position",)))
