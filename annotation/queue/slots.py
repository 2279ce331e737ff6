"""The slots of a project's sheets: as many as the overlap, and in the order in which the queue looks at them.

A slot repeats its sheet's rank. While the sheet is kept for named raters, its slots stand 2^62 further down, below
zero: so the queue passes all reserved work in one step of the index, however much there is, and only those raters look
there. Whoever makes or ends reservations calls `update_slot_ranks` in the same transaction.

Nobody waits in a circle, because all lock in one order: projects, then a person's membership, then the sheets whose
purpose changes or is relied on, then slots, the sheets and the slots by their ids. A rater's request locks the own
membership and one slot, and before a slot aside its sheet.
"""

from django.db import connection
from django.db.models import Exists, Max, OuterRef, Q, QuerySet

from ..models import Project, Purpose, Reservation, Sheet, Slot

RESERVED_BELOW = 2**62
"""How far below its sheet's rank (0 to 2^62 - 1) a reserved slot stands."""

MANY = 1000

_IS_RESERVED = "EXISTS (SELECT FROM annotation_reservation kept WHERE kept.sheet_id = sheet.id)"
RANK = f"sheet.rank - CASE WHEN {_IS_RESERVED} THEN {RESERVED_BELOW} ELSE 0 END"
"""SQL: where a slot of `sheet` stands."""

# Sorted, so that all is looked up before the first slot is stored: otherwise a plan made while the table was small
# would look through it again for every sheet while it grows.
_ADD = f"""
    INSERT INTO annotation_slot (sheet_id, k, project_id, document_id, rank)
    SELECT sheet.id, had.next + extra.i, sheet.project_id, sheet.document_id, {RANK}
    FROM annotation_sheet sheet
    CROSS JOIN LATERAL (
        SELECT count(slot.project_id) AS n, COALESCE(max(slot.k) + 1, 0) AS next
        FROM annotation_slot slot WHERE slot.sheet_id = sheet.id
    ) had
    CROSS JOIN LATERAL generate_series(0, %(overlap)s - had.n - 1) extra(i)
    WHERE sheet.project_id = %(project)s AND sheet.purpose = 'work' AND EXISTS (
        SELECT FROM annotation_item item
        WHERE item.response_id = sheet.response_id AND item.against_id IS NOT DISTINCT FROM sheet.against_id
            AND item.unit = %(unit)s AND item.rate AND item.retired_at IS NULL
    )
    ORDER BY sheet.rank, extra.i
"""  # noqa: S608 - only constants
_PUT_IN_ORDER = f"""
    UPDATE annotation_slot slot SET rank = {RANK} FROM annotation_sheet sheet
    WHERE sheet.project_id = %(project)s AND slot.sheet_id = sheet.id AND slot.rank <> {RANK}
"""  # noqa: S608 - only constants


def add_slots(project: Project) -> int:
    """Give every sheet of the work that has something to rate as many slots as the overlap. Returns how many were
    added."""
    values = {"project": project.pk, "overlap": project.overlap, "unit": project.protocol.definition.unit}
    return _run(_ADD, values)


def lock_project(project: Project, *, nowait: bool = False) -> Project:
    """The project as it is now, locked until the transaction ends: one change of its slots at a time, as each must see
    what the others did. Raters' work goes on meanwhile. With `nowait` it raises OperationalError rather than wait."""
    rows = Project.objects.select_for_update(nowait=nowait, no_key=True, of=("self",)).select_related("protocol")
    return rows.get(pk=project.pk)


def lock_slots(slots: QuerySet[Slot]) -> None:
    """Lock `slots` until the transaction ends, from the lowest id on: two who lock some of the same in different
    orders could wait for each other for ever."""
    list(slots.select_for_update(of=("self",)).order_by("pk").values_list("pk"))


def update_slot_ranks(project: Project) -> int:
    """Let the slots' ranks say which sheets are reserved. Returns how many slots moved."""
    is_kept = Exists(Reservation.objects.filter(sheet=OuterRef("sheet")))
    lock_slots(Slot.objects.filter(Q(is_kept, rank__gte=0) | Q(~is_kept, rank__lt=0), project=project))
    return _run(_PUT_IN_ORDER, {"project": project.pk})


def lock_check_slot(sheet: Sheet) -> Slot | None:
    """A free slot on a sheet that is set aside, which is no part of the project's work; locked. None when the sheet's
    purpose has changed meanwhile."""
    sheets = Sheet.objects.select_related("response__prompt", "against", "document").defer("document__sections")
    locked = sheets.select_for_update(of=("self",), no_key=True).filter(pk=sheet.pk, purpose=sheet.purpose).first()
    if locked is None:
        return None
    slots = Slot.objects.filter(sheet=locked)
    free = slots.select_for_update().filter(project=None, holder=None).order_by("k").first()
    if free:
        free.sheet = locked
        return free
    most = slots.aggregate(k=Max("k"))["k"]
    k = 0 if most is None else most + 1
    return Slot.objects.create(sheet=locked, k=k, document_id=locked.document_id, rank=locked.rank)


def free_slot(slot: Slot) -> None:
    """Free the slot for others. On a sheet that was set aside meanwhile nobody else works, so there it goes."""
    slot.holder = slot.expires_at = None
    slot.save(update_fields=["holder", "expires_at"])
    if slot.project_id and slot.sheet.purpose != Purpose.WORK:
        slot.delete()


def _run(sql: str, values: dict) -> int:
    """How many rows the statement changed. After many the planner is told at once, not when autovacuum comes by: until
    then it would look through all slots for a rater's next work."""
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        changed = cursor.rowcount
        if changed > MANY:
            cursor.execute("ANALYZE annotation_slot, annotation_sheet, annotation_reservation")
        return changed
