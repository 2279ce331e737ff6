"""Changing how many raters read each response, after the start.

More raters: every sheet gets the slots that it lacks. Fewer: only slots that nobody holds go, so nothing that was
taken or finished is lost; responses that more raters have taken already keep what they have, and that is said.
"""

from dataclasses import dataclass

from django.db import connection, transaction
from django.db.models import Count, QuerySet
from django.utils.translation import gettext as _

from ..audit import record
from ..models import Project, Slot, User
from ..queue.errors import ProjectError
from ..queue.slots import add_slots, lock_project, lock_slots
from .create import check_overlap


@dataclass(frozen=True)
class OverlapChange:
    """Slots added and removed, and responses that keep more slots than the new overlap because raters hold them."""

    added: int
    removed: int
    with_more: int


_EFFECT = """
    SELECT COALESCE(sum(greatest(%(overlap)s - had.n, 0)), 0),
        COALESCE(sum(least(greatest(had.n - %(overlap)s, 0), had.free)), 0),
        count(*) FILTER (WHERE greatest(had.n - had.free, least(had.n, %(overlap)s)) > %(overlap)s)
    FROM (
        SELECT count(*) AS n, count(*) FILTER (WHERE holder_id IS NULL) AS free
        FROM annotation_slot WHERE project_id = %(project)s GROUP BY sheet_id
    ) had
"""


def overlap_effect(project: Project, overlap: int) -> OverlapChange:
    """What `change_overlap` would do at this moment: one query, and nothing is changed. Raises ProjectError."""
    check_overlap(overlap)
    with connection.cursor() as cursor:
        cursor.execute(_EFFECT, {"project": project.pk, "overlap": overlap})
        return OverlapChange(*map(int, cursor.fetchone()))


@transaction.atomic
def change_overlap(project: Project, overlap: int, *, actor: User | None = None) -> OverlapChange:
    """Let `overlap` raters read each response from now on. Raises ProjectError."""
    before = project.overlap
    change = _change(project, overlap)
    if before != overlap:
        after = {"overlap": overlap, "places added": change.added, "places removed": change.removed}
        record(actor, "change overlap", f"project:{project.slug}", project=project, before=before, after=after)
    project.overlap = overlap
    return change


def _change(project: Project, overlap: int) -> OverlapChange:
    check_overlap(overlap)
    locked = lock_project(project)
    if locked.archived_at:
        raise ProjectError(_("this project is archived: take it up again first"))
    locked.overlap = overlap
    locked.save(update_fields=["overlap"])
    return OverlapChange(add_slots(locked), _remove_free_slots(locked), _sheets_with_more(locked).count())


def _sheets_with_more(project: Project) -> QuerySet:
    """The sheets that have more slots than the overlap, a row each."""
    slots = Slot.objects.filter(project=project).order_by().values("sheet")
    return slots.annotate(n=Count("pk")).filter(n__gt=project.overlap).values("sheet")


# Held slots are counted first, so that what goes is free.
_REMOVE = """
    DELETE FROM annotation_slot slot USING (
        SELECT id, row_number() OVER (PARTITION BY sheet_id ORDER BY holder_id IS NULL, k) AS n
        FROM annotation_slot WHERE project_id = %(project)s
    ) numbered
    WHERE slot.id = numbered.id AND numbered.n > %(overlap)s AND slot.holder_id IS NULL
"""


def _remove_free_slots(project: Project) -> int:
    """Nobody takes a slot between counting and removing, so no sheet keeps one too many. Only slots of such sheets
    are locked: whoever asks for work meanwhile passes them, and finds others sooner."""
    lock_slots(Slot.objects.filter(project=project, holder=None, sheet__in=_sheets_with_more(project)))
    with connection.cursor() as cursor:
        cursor.execute(_REMOVE, {"project": project.pk, "overlap": project.overlap})
        return cursor.rowcount
