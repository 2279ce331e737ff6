"""The items of a sheet with the rater's own answers."""

from typing import Any

from django.db.models import F, FilteredRelation, Q, QuerySet

from ..models import Assignment, Rating
from ..models.rated_items import asks_about
from ..protocols import in_rater_order
from ..queue.sheets import items_of


def answered_items(assignment: Assignment) -> list[Any]:
    """Return the sheet's items in order with the rater's `answers`, in their order of a pair, `version`, `comment`,
    `evidence`, `suggestions` and `seconds`; all None before the first answer. `rate`: whether
    the project asks about it.
    """
    protocol, items = assignment.project.protocol.definition, list(_items(assignment))
    for item in items:
        item.rate = asks_about(assignment.project, item)
        if item.answers is not None:
            item.answers = in_rater_order(protocol, assignment.public_id, item.answers)
    return items


def _items(assignment: Assignment) -> QuerySet[Any]:
    own = Q(ratings__project=assignment.project_id, ratings__rater=assignment.rater_id, ratings__role=Rating.Role.RATER)
    return (
        items_of(assignment.sheet, assignment.project.protocol.definition.unit)
        .annotate(own=FilteredRelation("ratings", condition=own))
        .annotate(answers=F("own__answers"), version=F("own__version"), comment=F("own__comment"))
        .annotate(evidence=F("own__evidence"), suggestions=F("own__suggestions"), seconds=F("own__seconds"))
    )
