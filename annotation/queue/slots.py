"""The slots of a project's sheets: as many as the overlap, ordered by rank.

A slot repeats its sheet's rank. While its sheet is reserved for named raters, its rank is 2^62 lower, below zero: the
search for a slot skips all reserved work in one index step, and only those raters search it. Call `update_slot_ranks`
in the transaction that creates or ends reservations.

Lock order, which prevents deadlocks: projects, then a person's membership, then sheets whose purpose changes or
matters, then slots; sheets and slots by their ids. A rater's request locks the rater's membership and one slot, and
before a slot outside the work its sheet.
"""

from django.db import connection
from django.db.models import Exists, Max, OuterRef, Q, QuerySet

from ..models import Project, Purpose, Reservation, Sheet, Slot
from ..models.rated_items import is_rated_sql
from ..site.database_transactions import analyze_after, lengthen_statement_limit
from .errors import ProjectError

RESERVED_BELOW = 2**62
"""How far the rank of a reserved slot is below its sheet's (0 to 2^62 - 1)."""

_IS_RESERVED = "EXISTS (SELECT FROM annotation_reservation reservation WHERE reservation.sheet_id = sheet.id)"
RANK = f"sheet.rank - CASE WHEN {_IS_RESERVED} THEN {RESERVED_BELOW} ELSE 0 END"
"""SQL: the rank of a slot of `sheet`."""

_IS_RATED = is_rated_sql("item", skips="%(skips)s", design="%(design)s", project="%(project)s")
# Sorted, so that PostgreSQL reads everything before it stores the first slot: otherwise a plan made while the table was
# small would scan the growing table for every sheet.
_ADD = f"""
    INSERT INTO annotation_slot (sheet_id, k, project_id, document_id, rank)
    SELECT sheet.id, existing.next + extra.i, sheet.project_id, sheet.document_id, {RANK}
    FROM annotation_sheet sheet
    CROSS JOIN LATERAL (
        SELECT count(slot.project_id) AS n, COALESCE(max(slot.k) + 1, 0) AS next
        FROM annotation_slot slot WHERE slot.sheet_id = sheet.id
    ) existing
    CROSS JOIN LATERAL generate_series(0, %(overlap)s - existing.n - 1) extra(i)
    WHERE sheet.project_id = %(project)s AND sheet.purpose = 'work' AND NOT EXISTS (
        SELECT FROM annotation_exclusion exclusion WHERE exclusion.sheet_id = sheet.id
    ) AND EXISTS (
        SELECT FROM annotation_item item
        WHERE item.response_id = sheet.response_id AND item.against_id IS NOT DISTINCT FROM sheet.against_id
            AND item.unit = %(unit)s AND {_IS_RATED}
    )
    ORDER BY sheet.rank, extra.i
"""  # noqa: S608 - only constants
_UPDATE_RANKS = f"""
    UPDATE annotation_slot slot SET rank = {RANK} FROM annotation_sheet sheet
    WHERE sheet.project_id = %(project)s AND slot.sheet_id = sheet.id AND slot.rank <> {RANK}
"""  # noqa: S608 - only constants


def add_slots(project: Project) -> int:
    """Add slots up to the overlap to every work sheet that has rated items and is not excluded. Return how many.

    If the project has a sample, new items are drawn first. The caller has locked the project.
    """
    if project.sampling_design:
        from .sampling import draw_sample  # loads NumPy

        draw_sample(project)
    values = {
        "project": project.pk,
        "overlap": project.overlap,
        "unit": project.protocol.definition.unit,
        "skips": project.skips_claim_free,
        "design": project.sampling_design,
    }
    return _run(_ADD, values)


def lock_project(project: Project, *, nowait: bool = False) -> Project:
    """Return the project's current row, locked until the transaction ends.

    Changes of a project's slots run one at a time, as each must see the result of the others; raters continue to work.
    Waiting and the rest of the transaction have the longer statement limit of leads. With `nowait` it raises
    OperationalError instead of waiting.
    """
    lengthen_statement_limit()
    rows = Project.objects.select_for_update(nowait=nowait, no_key=True, of=("self",)).select_related("protocol")
    return rows.get(pk=project.pk)


def lock_open_project(project: Project) -> Project:
    """Return the project as `lock_project` does. Raises ProjectError if it is archived."""
    locked = lock_project(project)
    if locked.archived_at:
        raise ProjectError("this project is archived: unarchive it first")
    return locked


def lock_slots(slots: QuerySet[Slot]) -> None:
    """Lock `slots` until the transaction ends, in the order of their ids, which prevents deadlocks."""
    list(slots.select_for_update(of=("self",)).order_by("pk").values_list("pk"))


def update_slot_ranks(project: Project) -> int:
    """Make the slots' ranks match the reservations. Return how many slots changed."""
    is_reserved = Exists(Reservation.objects.filter(sheet=OuterRef("sheet")))
    lock_slots(Slot.objects.filter(Q(is_reserved, rank__gte=0) | Q(~is_reserved, rank__lt=0), project=project))
    return _run(_UPDATE_RANKS, {"project": project.pk})


def lock_check_slot(sheet: Sheet) -> Slot | None:
    """Return a free slot, locked, of a sheet for training, qualification or hidden gold; create one if needed.

    Such a slot is not part of the project's work. None if the sheet's purpose has changed meanwhile.
    """
    sheets = Sheet.objects.select_related("response__prompt", "against", "document").defer("document__sections")
    locked = sheets.select_for_update(of=("self",), no_key=True).filter(pk=sheet.pk, purpose=sheet.purpose).first()
    if locked is None:
        return None
    slots = Slot.objects.filter(sheet=locked)
    free = slots.select_for_update().filter(project=None, holder=None).order_by("k").first()
    if free:
        free.sheet = locked
        return free
    highest = slots.aggregate(k=Max("k"))["k"]
    k = 0 if highest is None else highest + 1
    return Slot.objects.create(sheet=locked, k=k, document_id=locked.document_id, rank=locked.rank)


def free_slot(slot: Slot) -> None:
    """Free the slot for others; delete it if its sheet is no longer work."""
    slot.holder = slot.expires_at = None
    slot.save(update_fields=["holder", "expires_at"])
    if slot.project_id and slot.sheet.purpose != Purpose.WORK:
        slot.delete()


def _run(sql: str, values: dict) -> int:
    """Execute the statement and return the number of changed rows.

    After many changes the tables are analyzed: otherwise the planner would scan all slots for a rater's next work.
    """
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        changed = cursor.rowcount
    analyze_after(changed, Slot, Sheet, Reservation)
    return changed
