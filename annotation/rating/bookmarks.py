"""The pile to come back to: items of a sheet that its rater is not sure of, and those that leads ask about again.

Marks are the rater's own: they count nothing and nobody else sees them. Marking and unmarking are safe to repeat.
"""

from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _

from ..access import assignments_for
from ..models import Assignment, Bookmark, Item, Project, Rating, User
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


def add_bookmark(rater: User, assignment: UUID, item: UUID) -> Bookmark:
    """Put an item on the pile. What lies there stays as it is. Raises NoSuchItem."""
    found, wanted = sheet_item(rater, assignment, item)
    return Bookmark.objects.get_or_create(assignment=found, item=wanted)[0]


def remove_bookmark(rater: User, assignment: UUID, item: UUID) -> None:
    """Take an item off the pile, if it lies there. Raises NoSuchItem."""
    found, wanted = sheet_item(rater, assignment, item)
    Bookmark.objects.filter(assignment=found, item=wanted).delete()


def bookmarks_of(rater: User, project: Project) -> QuerySet[Bookmark]:
    """The rater's marks on responses of a project that they hold, the newest first. What was to be looked at again is
    done with once it was answered again."""
    return (
        open_bookmarks()
        .filter(
            assignment__rater=rater, assignment__project=project, assignment__slot__isnull=False, item__retired_at=None
        )
        .select_related("assignment", "item")
        .order_by("-created_at", "pk")
    )


def open_bookmarks() -> QuerySet[Bookmark]:
    """All marks but those that ask to look again at what was answered since."""
    answered = Rating.objects.filter(
        assignment=OuterRef("assignment"),
        item=OuterRef("item"),
        role=Rating.Role.RATER,
        rated_at__gt=OuterRef("created_at"),
    )
    return Bookmark.objects.exclude(Q(reason=Bookmark.Reason.GUIDELINES) & Exists(answered))
