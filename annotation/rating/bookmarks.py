"""Bookmarks: items that a rater is unsure about, or that leads ask about again after a change of the guidelines.

Only the rater sees them. Adding and removing are safe to repeat.
"""

from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _

from ..access import assignments_for
from ..models import Assignment, Bookmark, Item, Project, Rating, User
from ..models.rated_items import is_rated
from ..queue.sheets import items_of
from .submit import NoSuchItem


def sheet_item(rater: User, assignment: UUID, item: UUID) -> tuple[Assignment, Item]:
    """Return one of the rater's assignments and a rated item of its sheet. Raises NoSuchItem."""
    row = assignments_for(rater).filter(public_id=assignment).first()
    items = items_of(row.sheet, row.project.protocol.definition.unit) if row else Item.objects.none()
    rated_item = items.filter(is_rated(row.project), public_id=item).first() if row else None
    if row is None or rated_item is None:
        raise NoSuchItem(_("You have no such item."))
    return row, rated_item


def add_bookmark(rater: User, assignment: UUID, item: UUID) -> Bookmark:
    """Bookmark an item; an existing bookmark stays. Raises NoSuchItem."""
    row, rated_item = sheet_item(rater, assignment, item)
    return Bookmark.objects.get_or_create(assignment=row, item=rated_item)[0]


def remove_bookmark(rater: User, assignment: UUID, item: UUID) -> None:
    """Delete the bookmark of an item, if any. Raises NoSuchItem."""
    row, rated_item = sheet_item(rater, assignment, item)
    Bookmark.objects.filter(assignment=row, item=rated_item).delete()


def bookmarks_of(rater: User, project: Project) -> QuerySet[Bookmark]:
    """Return the rater's open bookmarks on responses that they hold or finished in a project, newest first."""
    return (
        open_bookmarks()
        .filter(
            assignment__rater=rater, assignment__project=project, assignment__slot__isnull=False, item__retired_at=None
        )
        .select_related("assignment", "item")
        .order_by("-created_at", "pk")
    )


def open_bookmarks() -> QuerySet[Bookmark]:
    """Return all bookmarks, without those for changed guidelines whose item was answered since."""
    answered = Rating.objects.filter(
        assignment=OuterRef("assignment"),
        item=OuterRef("item"),
        role=Rating.Role.RATER,
        rated_at__gt=OuterRef("created_at"),
    )
    return Bookmark.objects.exclude(Q(reason=Bookmark.Reason.GUIDELINES) & Exists(answered))
