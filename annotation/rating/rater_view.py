"""What a rater sees of a sheet: its items with their own answers, and nobody else's."""

from typing import Any

from django.db.models import F, FilteredRelation, Q, QuerySet

from ..models import Assignment, Rating
from ..protocols import as_seen
from ..queue.sheets import items_of


def answered_items(assignment: Assignment) -> list[Any]:
    """The sheet's items in order, each with `answers` as the rater gave them (None before the first), `version`,
    `comment`, `evidence`, `suggestions` and `seconds` (None too)."""
    protocol, items = assignment.project.protocol.definition, list(_items(assignment))
    for item in items:
        if item.answers is not None:
            item.answers = as_seen(protocol, assignment.public_id, item.answers)
    return items


def _items(assignment: Assignment) -> QuerySet[Any]:
    own = Q(ratings__project=assignment.project_id, ratings__rater=assignment.rater_id, ratings__role=Rating.Role.RATER)
    return (
        items_of(assignment.sheet, assignment.project.protocol.definition.unit)
        .annotate(own=FilteredRelation("ratings", condition=own))
        .annotate(answers=F("own__answers"), version=F("own__version"), comment=F("own__comment"))
        .annotate(evidence=F("own__evidence"), suggestions=F("own__suggestions"), seconds=F("own__seconds"))
    )
