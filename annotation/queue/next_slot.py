"""Find the next open slot for a rater and lock it.

The order: a slot of the document that the rater read last, so that a long article is read once; else the next one in
the project's order; else an earlier one; else one that the rater released before, so that no slot stays open. Slots
reserved for the rater come before unreserved ones; one index step skips slots reserved for others (see `slots`).

SKIP LOCKED gives raters who ask at the same time different slots. Nothing is counted, so no count can be wrong. When a
lead's change has locked all slots that are left, the request waits for it instead of finding nothing.
"""

from django.db import OperationalError, connection, transaction
from django.db.models import QuerySet, Value
from django.db.models.expressions import RawSQL
from psycopg.errors import LockNotAvailable

from ..models import Project, Slot, User
from ..site.composed_queries import ComposedQuery
from ..site.database_clock import database_now
from .open_work import IS_FREE_SQL
from .slots import RESERVED_BELOW

LOCK_TIMEOUT = "10s"
"""Maximum wait of a rater's request for a lead's change of many slots, in PostgreSQL's format."""


def find_next_slot(project: Project, rater: User) -> Slot | None:
    """Return the rater's next open slot, locked, or None.

    One statement tries the kinds of slots in turn, each through its index, and locks only the slot that it returns. It
    skips slots that others have locked; if there are no others, it waits for one of them and searches once more.
    """
    slot = _NEXT_UNLOCKED.first(project.pk, rater.pk, database_now())
    if slot is None and (locked := _NEXT.first(project.pk, rater.pk, database_now())):
        _wait_for(locked)
        slot = _NEXT_UNLOCKED.first(project.pk, rater.pk, database_now())
    return slot


def has_open_slot(project: Project, rater: User) -> bool:
    """Return whether a slot is open for the rater, locked by another transaction or not."""
    return _NEXT.first(project.pk, rater.pk, database_now()) is not None


def _wait_for(slot: Slot) -> None:
    """Wait until the transaction that has locked the slot ends, at most LOCK_TIMEOUT; the own lock is released at once.

    This cannot deadlock: the rater's request has locked only the membership and perhaps a sheet that is work again, and
    transactions that lock slots have locked both before (see `slots`). Deleting a project is the exception, but then
    the project is archived.
    """
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SELECT set_config('lock_timeout', %s, true)", [LOCK_TIMEOUT])
            cursor.execute("SELECT FROM annotation_slot WHERE id = %s FOR SHARE", [slot.pk])
            transaction.set_rollback(True)
    except OperationalError as error:
        if not isinstance(error.__cause__, LockNotAvailable):
            raise


def _open_slot_sql(condition: str, lock: str) -> str:
    """Return SQL of the first slot in the project's order that is free or has an expired lease, and meets `condition`.

    Each condition on the rater's own rows is a scalar subquery, which PostgreSQL runs slot by slot through an index.
    EXISTS may be planned as a join or a hash of all the rater's assignments, and of all slots; `IS NULL` is estimated
    to be true for few slots, so that all are read.
    """
    return f"""(
        SELECT slot.id FROM annotation_slot slot JOIN annotation_sheet sheet ON sheet.id = slot.sheet_id
        WHERE slot.project_id = me.project AND slot.finished_at IS NULL
            AND {_IS_FREE} AND sheet.purpose = 'work'
            AND {condition} AND NOT COALESCE(({_IMPORTED} LIMIT 1), FALSE)
        ORDER BY slot.rank, slot.k LIMIT 1 {lock}
    )"""  # noqa: S608 - only constants of this file


_IS_FREE = IS_FREE_SQL.format(now="me.now")
# The rater's imported ratings of the response, or of one of the pair's two: a rater reads a response only once. The
# same as `open_work.imported_ratings_of`; each half uses an index of its own.
_IMPORTED = """
    SELECT TRUE FROM annotation_item item JOIN annotation_rating rating ON rating.item_id = item.id
    WHERE (item.response_id IN (sheet.response_id, sheet.against_id)
            OR item.against_id IN (sheet.response_id, sheet.against_id)) AND rating.project_id = me.project
        AND rating.rater_id = me.rater AND rating.assignment_id IS NULL
"""
# A rater has at most one assignment to a sheet, which holds at most one slot.
_OWN_ASSIGNMENT = (
    "SELECT TRUE FROM annotation_assignment a WHERE a.sheet_id = slot.sheet_id AND a.rater_id = me.rater AND "
)
_IS_LEASED = "(SELECT TRUE FROM annotation_slot leased WHERE leased.holder_id = a.id)"  # when prefetching
# A sheet that the rater had for another purpose is neither new nor released: they know its gold answers.
_NOT_NEW = (
    f"{_OWN_ASSIGNMENT} (a.finished_at IS NOT NULL OR a.released_at IS NOT NULL OR a.purpose <> 'work' OR {_IS_LEASED})"
)
_IS_NEW = f"NOT COALESCE(({_NOT_NEW}), FALSE)"
_IS_RELEASED = f"({_OWN_ASSIGNMENT} a.finished_at IS NULL AND a.released_at IS NOT NULL AND a.purpose = 'work')"
_LAST_READ = """
    SELECT sheet.document_id AS document, sheet.rank
    FROM annotation_assignment a JOIN annotation_sheet sheet ON sheet.id = a.sheet_id
    WHERE a.project_id = me.project AND a.rater_id = me.rater ORDER BY a.taken_at DESC LIMIT 1
"""
_RESERVATION = """
    SELECT TRUE FROM annotation_reservation reservation
    WHERE reservation.sheet_id = slot.sheet_id AND reservation.rater_id = me.rater
"""
_IS_RESERVED = f"slot.rank < 0 AND ({_RESERVATION})"
_IS_OWN_NEW = f"{_IS_RESERVED} AND {_IS_NEW}"
_IS_UNRESERVED = "slot.rank >= 0"
# Whether to search the reserved slots at all: a rater who has finished all of theirs need not skip those of others.
_HAS_RESERVED = f"""
    SELECT EXISTS (
        SELECT FROM annotation_reservation reservation
        JOIN annotation_slot slot ON slot.sheet_id = reservation.sheet_id
        WHERE reservation.project_id = me.project AND reservation.rater_id = me.rater AND slot.finished_at IS NULL
            AND {_IS_FREE} AND {_IS_NEW}
    ) AS is_open
"""  # noqa: S608 - only constants of this file


def _next_slot_sql(lock: str) -> str:
    """Return SQL of the id of the rater's next slot, with the clause `lock`; NULL if there is none.

    Starting at the sheet read last avoids passing all that the rater has read: 10,000 slots after 5,000 responses.
    Written as SQL because Django took 10 ms to compose the query, more than the database takes to run it.
    """
    return f"""
        SELECT COALESCE(
            CASE WHEN reserved.is_open THEN COALESCE(
                {_open_slot_sql(f"slot.document_id = last_read.document AND {_IS_OWN_NEW}", lock)},
                {_open_slot_sql(f"slot.rank >= last_read.rank - {RESERVED_BELOW} AND {_IS_OWN_NEW}", lock)},
                {_open_slot_sql(_IS_OWN_NEW, lock)}
            ) END,
            {_open_slot_sql(f"slot.document_id = last_read.document AND {_IS_UNRESERVED} AND {_IS_NEW}", lock)},
            {_open_slot_sql(f"slot.rank >= last_read.rank AND {_IS_NEW}", lock)},
            {_open_slot_sql(f"{_IS_UNRESERVED} AND {_IS_NEW}", lock)},
            {_open_slot_sql(f"({_IS_UNRESERVED} OR {_IS_RESERVED}) AND {_IS_RELEASED}", lock)}
        )
        FROM (VALUES (%s::bigint, %s::bigint, %s::timestamptz)) me(project, rater, now)
        LEFT JOIN LATERAL ({_LAST_READ}) last_read ON TRUE
        CROSS JOIN LATERAL ({_HAS_RESERVED}) reserved
    """  # noqa: S608 - only constants of this file


def _slots(sql: str, *parameters: Value) -> QuerySet[Slot]:
    slot_id = RawSQL(sql, [parameter.value for parameter in parameters])  # noqa: S611 - only the constants below
    return Slot.objects.select_related("sheet").filter(pk=slot_id)


_SQL_UNLOCKED, _SQL = _next_slot_sql("FOR UPDATE OF slot SKIP LOCKED"), _next_slot_sql("")
# The values of both: project, rater and time.
_NEXT_UNLOCKED = ComposedQuery(lambda *parameters: _slots(_SQL_UNLOCKED, *parameters), 3)
_NEXT = ComposedQuery(lambda *parameters: _slots(_SQL, *parameters).filter(project__archived_at=None), 3)
