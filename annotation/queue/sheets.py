"""The texts and items of a sheet."""

from django.db.models import QuerySet, Value

from ..models import Assignment, Item, Sheet
from ..site.composed_queries import ComposedQuery


def _with_texts(sheet: Value) -> QuerySet[Sheet]:
    return Sheet.objects.select_related("response__prompt", "against", "document").filter(pk=sheet)


_WITH_ARTICLE = ComposedQuery(_with_texts, 1)
_WITHOUT_ARTICLE = ComposedQuery(lambda sheet: _with_texts(sheet).defer("document__sections"), 1)


def fetch_texts(assignment: Assignment, *, with_article: bool) -> None:
    """Fetch the prompt, responses and document of the assignment's sheet in one query.

    Pages need the document's text (`with_article`); API clients fetch it from its own endpoint.
    """
    [assignment.sheet] = (_WITH_ARTICLE if with_article else _WITHOUT_ARTICLE).all(assignment.sheet_id)


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


def responses_of(sheet: Sheet) -> tuple[int, ...]:
    """Return the primary keys of the sheet's response, or of both responses of its pair."""
    return (sheet.response_id,) if sheet.against_id is None else (sheet.response_id, sheet.against_id)


def sheet_of(response: Value, against: Value | None = None) -> Sheet:
    """Return a sheet for `items_of` in a composed query, whose responses are parameters."""
    return Sheet(response_id=response, against_id=against)
