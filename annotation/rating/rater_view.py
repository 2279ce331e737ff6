"""The items of a sheet with the rater's own answers."""

from functools import cache
from typing import Any

from django.db.models import F, FilteredRelation, Q, QuerySet, Value

from ..models import Assignment, Rating
from ..models.rated_items import rated_among
from ..protocols import in_rater_order
from ..queue.sheets import items_of, responses_of, sheet_of
from ..site.composed_queries import ComposedQuery


def answered_items(assignment: Assignment) -> list[Any]:
    """Return the sheet's items in order with the rater's `answers`, in their order of a pair, `version`, `comment`,
    `evidence`, `suggestions` and `seconds`; all None before the first answer. `rate`: whether
    the project asks about it.
    """
    protocol, responses = assignment.project.protocol.definition, responses_of(assignment.sheet)
    query = _answered_items(protocol.unit, len(responses))
    items = query.all(assignment.project_id, assignment.rater_id, *responses)
    rated = rated_among(assignment.project, items)
    for item in items:
        item.rate = item.pk in rated
        if item.answers is not None:
            item.answers = in_rater_order(protocol, assignment.public_id, item.answers)
    return items


@cache
def _answered_items(unit: str, responses: int) -> ComposedQuery[Any]:
    """Return the query whose values are project, rater, and the response, or both of a pair."""

    def compose(project: Value, rater: Value, *responses: Value) -> QuerySet[Any]:
        own = Q(ratings__project=project, ratings__rater=rater, ratings__role=Rating.Role.RATER)
        return (
            items_of(sheet_of(*responses), unit)
            .annotate(own=FilteredRelation("ratings", condition=own))
            .annotate(answers=F("own__answers"), version=F("own__version"), comment=F("own__comment"))
            .annotate(evidence=F("own__evidence"), suggestions=F("own__suggestions"), seconds=F("own__seconds"))
        )

    return ComposedQuery(compose, 2 + responses)
