"""The pile to come back to: items of a sheet that its rater is not sure of, and those that leads ask about again.

Marks are the rater's own: they count nothing and nobody else sees them. Marking and unmarking are safe to repeat.
"""

from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _

from ..access import assignments_for
from ..models import Assignment, Item, Mark, Project, Rating, User
from ..queue.sheets import items_of
from .submit import NoSuchItem


def sheet_item(rater: User, assignment: UUID, item: UUID) -> tuple[Assignment, Item]:
    """One of the rater's assignments and an item that is asked about on its sheet. Raises NoSuchItem."""
    found = assignments_for(rater).filter(public_id=assignment).first()
    items = items_of(found.sheet, found.project.protocol.definition.unit) if found else Item.objects.none()
    wanted = items.filter(public_id=item, rate=True).first()
    if found is None or wanted is None:
        raise NoSuchItem(_("There is no such item on a sheet of yours."))
    return found, wanted


def mark(rater: User, assignment: UUID, item: UUID) -> Mark:
    """Put an item on the pile. What lies there stays as it is. Raises NoSuchItem."""
    found, wanted = sheet_item(rater, assignment, item)
    return Mark.objects.get_or_create(assignment=found, item=wanted)[0]


def unmark(rater: User, assignment: UUID, item: UUID) -> None:
    """Take an item off the pile, if it lies there. Raises NoSuchItem."""
    found, wanted = sheet_item(rater, assignment, item)
    Mark.objects.filter(assignment=found, item=wanted).delete()


def pile_of(rater: User, project: Project) -> QuerySet[Mark]:
    """The rater's marks on responses of a project that they hold, the newest first. What was to be looked at again is
    done with once it was answered again."""
    return (
        standing_marks()
        .filter(
            assignment__rater=rater, assignment__project=project, assignment__place__isnull=False, item__retired_at=None
        )
        .select_related("assignment", "item")
        .order_by("-made_at", "pk")
    )


def standing_marks() -> QuerySet[Mark]:
    """All marks but those that ask to look again at what was answered since."""
    answered = Rating.objects.filter(
        assignment=OuterRef("assignment"),
        item=OuterRef("item"),
        role=Rating.Role.RATER,
        rated_at__gt=OuterRef("made_at"),
    )
    return Mark.objects.exclude(Q(why=Mark.Why.GUIDELINES) & Exists(answered))
