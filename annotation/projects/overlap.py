"""Change how many raters read each response, after the start.

More raters: every sheet gets further slots. Fewer: only free slots are deleted, so no leased or finished work is lost;
responses with more holders than the new overlap stay as they are, and are counted.
"""

from dataclasses import dataclass

from django.db import connection, transaction
from django.db.models import Count, QuerySet

from ..audit import record
from ..models import Project, Slot, User
from ..queue.slots import add_slots, lock_open_project, lock_slots
from ..webhooks import queue_finished_project
from .create import check_overlap


@dataclass(frozen=True)
class OverlapChange:
    """Numbers of slots added and removed, and of responses with more holders than the new overlap."""

    added: int
    removed: int
    with_more: int


_EFFECT = """
    SELECT COALESCE(sum(greatest(%(overlap)s - existing.n, 0)) FILTER (WHERE sheet.purpose = 'work'), 0),
        COALESCE(sum(least(greatest(existing.n - %(overlap)s, 0), existing.free)), 0),
        count(*) FILTER (WHERE greatest(existing.n - existing.free, least(existing.n, %(overlap)s)) > %(overlap)s)
    FROM (
        SELECT sheet_id, count(*) AS n, count(*) FILTER (WHERE holder_id IS NULL) AS free
        FROM annotation_slot WHERE project_id = %(project)s GROUP BY sheet_id
    ) existing JOIN annotation_sheet sheet ON sheet.id = existing.sheet_id
"""


def overlap_effect(project: Project, overlap: int) -> OverlapChange:
    """Return the effect of `change_overlap`, without changes. One query. Raises ProjectError."""
    check_overlap(overlap)
    with connection.cursor() as cursor:
        cursor.execute(_EFFECT, {"project": project.pk, "overlap": overlap})
        return OverlapChange(*map(int, cursor.fetchone()))


@transaction.atomic
def change_overlap(project: Project, overlap: int, *, actor: User | None = None) -> OverlapChange:
    """Set how many raters read each response. Raises ProjectError."""
    before = project.overlap
    change = _change_slots(project, overlap)
    if before != overlap:
        after = {"overlap": overlap, "places added": change.added, "places removed": change.removed}
        record(actor, "change overlap", f"project:{project.slug}", project=project, before=before, after=after)
    project.overlap = overlap
    queue_finished_project(project, removed=change.removed)
    return change


def _change_slots(project: Project, overlap: int) -> OverlapChange:
    check_overlap(overlap)
    locked = lock_open_project(project)
    locked.overlap = overlap
    locked.save(update_fields=["overlap"])
    return OverlapChange(add_slots(locked), _delete_free_slots(locked), _sheets_with_more(locked).count())


def _sheets_with_more(project: Project) -> QuerySet:
    """Return the sheets that have more slots than the overlap."""
    slots = Slot.objects.filter(project=project).order_by().values("sheet")
    return slots.annotate(n=Count("pk")).filter(n__gt=project.overlap).values("sheet")


# Slots with a holder come first, so that free ones are deleted.
_REMOVE = """
    DELETE FROM annotation_slot slot USING (
        SELECT id, row_number() OVER (PARTITION BY sheet_id ORDER BY holder_id IS NULL, k) AS n
        FROM annotation_slot WHERE project_id = %(project)s
    ) numbered
    WHERE slot.id = numbered.id AND numbered.n > %(overlap)s AND slot.holder_id IS NULL
"""


def _delete_free_slots(project: Project) -> int:
    """Delete free slots above the overlap. Return how many.

    They are locked first, so that none is leased between counting and deleting. Only slots of sheets with too many are
    locked; requests for work meanwhile skip them.
    """
    lock_slots(Slot.objects.filter(project=project, holder=None, sheet__in=_sheets_with_more(project)))
    with connection.cursor() as cursor:
        cursor.execute(_REMOVE, {"project": project.pk, "overlap": project.overlap})
        return cursor.rowcount
