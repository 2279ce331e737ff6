"""Change how many raters read each response, after the start.

More raters: every sheet gets further slots. Fewer: only free slots are deleted, so no leased or finished work is lost;
responses with more holders than the new overlap stay as they are, and are counted.
"""

from dataclasses import dataclass

from django.db import connection
from django.db.models import Count

from ..models import Project, Slot
from ..queue.slots import add_slots, lock_slots
from ..webhooks import queue_finished_project


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
    """Return the effect of another overlap, without changes. One query."""
    with connection.cursor() as cursor:
        cursor.execute(_EFFECT, {"project": project.pk, "overlap": overlap})
        return OverlapChange(*map(int, cursor.fetchone()))


def fit_slots_to_overlap(_before: Project, project: Project) -> dict[str, int]:
    """Add slots up to the overlap, and delete free ones above it, also those that were leased at the last change.

    Returns how many, for the audit. The caller has locked the project.
    """
    added = add_slots(project)
    # Free slots are locked first, so that none is leased between counting and deleting. Only slots of sheets with too
    # many are locked; requests for work meanwhile skip them.
    sheets = Slot.objects.filter(project=project).order_by().values("sheet")
    with_more = sheets.annotate(n=Count("pk")).filter(n__gt=project.overlap).values("sheet")
    lock_slots(Slot.objects.filter(project=project, holder=None, sheet__in=with_more))
    with connection.cursor() as cursor:
        cursor.execute(_REMOVE, {"project": project.pk, "overlap": project.overlap})
        removed = cursor.rowcount
    queue_finished_project(project, removed=removed)
    return {"places added": added, "places removed": removed}


# Slots with a holder come first, so that free ones are deleted.
_REMOVE = """
    DELETE FROM annotation_slot slot USING (
        SELECT id, row_number() OVER (PARTITION BY sheet_id ORDER BY holder_id IS NULL, k) AS n
        FROM annotation_slot WHERE project_id = %(project)s
    ) numbered
    WHERE slot.id = numbered.id AND numbered.n > %(overlap)s AND slot.holder_id IS NULL
"""
