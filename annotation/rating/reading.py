"""What a rater sees of a sheet: its items with their own answers, and nobody else's."""

from django.db.models import F, FilteredRelation, Q, QuerySet

from ..assigning.sheets import items_of
from ..models import Assignment, Item, Rating


def answered_items(assignment: Assignment) -> QuerySet[Item]:
    """The sheet's items in order, each with `answers` (None before the first), `version`, `comment`, `evidence`,
    `suggestions` and `seconds` (None too)."""
    own = Q(ratings__project=assignment.project_id, ratings__rater=assignment.rater_id, ratings__role=Rating.Role.RATER)
    return (
        items_of(assignment.sheet, assignment.project.protocol.definition.unit)
        .annotate(own=FilteredRelation("ratings", condition=own))
        .annotate(answers=F("own__answers"), version=F("own__version"), comment=F("own__comment"))
        .annotate(evidence=F("own__evidence"), suggestions=F("own__suggestions"), seconds=F("own__seconds"))
    )
