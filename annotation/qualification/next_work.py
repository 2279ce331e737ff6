"""The queue: which sheet a rater gets next.

Somebody who has unfinished work gets it back. Else the next open slot of the document they read last, so that a long
article is read once; else the next in the project's order, from where they were; else one before that; else one that
they gave back earlier, so that nothing stays unserved. What is kept for the rater comes before what is for everybody,
and what is kept for others is passed in one step of the index (see `slots`). The slot itself is locked with SKIP
LOCKED: thirty-two raters who ask at once get thirty-two different slots, and no count can be wrong because nothing is
counted. When a lead's change holds all that is left, the rater waits for it rather than be told that nothing is. An
archived project gives nothing, and a rater before a gate (see `gates`) gets what the gate asks for, or nothing.
"""

from uuid import UUID, uuid4

from django.db import OperationalError, connection, transaction
from django.db.models import QuerySet
from django.db.models.expressions import RawSQL
from django.utils import timezone
from psycopg.errors import LockNotAvailable

from ..models import Assignment, Membership, Project, Purpose, Slot, User
from ..queue.leases import expiry
from ..queue.slots import RESERVED_BELOW, slot_aside
from .attempts import end_if_done, next_sheet
from .gates import Gated, QualificationStatus, standing_of
from .hidden_gold import gold_due, gold_given_back

PATIENCE = "10s"
"""How long a rater's request waits for a lead's change of many slots, as PostgreSQL writes it."""


def take_next(project: Project, rater: User, *, after: UUID | None = None) -> Assignment | None:
    """The rater's next work in `project`: an unfinished lease resumed, or a new one. None when nothing is left. Raises
    Gated when the rater must do something else first, or is paused.

    `after` is the public id of work in hand, and asks for what comes after it: so a program has the next response
    before this one is finished. What was given ahead is given again (`ahead` gives pages several). None while training
    or qualification come next: they are given one by one, as each may be the last before a page about how it went.

    Called inside the transaction in which the project was fetched with `lock=True`: so a rater's own requests come one
    after the other, and two tabs get the same work.
    """
    if project.archived_at:
        return None
    standing = standing_of(project, rater)
    if standing and standing.gate == "paused":
        raise Gated(standing)
    slot = _unfinished(project, rater, after)
    if slot is not None:
        return _renew(slot)
    if after and standing and (standing.gate or standing.open_attempt):
        return None
    slot = (_of_an_attempt(standing) or next_slot(standing)) if standing else _next_open(project, rater)
    return lease(slot, rater) if slot else None


def next_slot(standing: QualificationStatus) -> Slot | None:
    """The slot, locked, on the rater's next ordinary response, or on hidden gold that is due."""
    project, membership = standing.project, standing.membership
    mixes_gold = membership.role == Membership.Role.RATER and project.gold_every is not None
    return (_work_or_gold if mixes_gold else _next_open)(project, membership.user)


def _unfinished(project: Project, rater: User, besides: UUID | None) -> Slot | None:
    """The work taken first: what was given ahead comes after what is in hand."""
    held = (
        Slot.objects.select_for_update(of=("self",))
        .select_related("holder", "sheet")
        .filter(holder__project=project, holder__rater=rater, holder__finished_at=None, finished_at=None)
        .order_by("holder__taken_at")
    )
    return (held.exclude(holder__public_id=besides) if besides else held).first()


def _of_an_attempt(standing: QualificationStatus) -> Slot | None:
    """A slot on the next response of the training or qualification that the rater has begun. Raises Gated when one
    of them is still to be begun or was not passed."""
    rater, attempt = standing.membership.user, standing.open_attempt
    if attempt and (sheet := next_sheet(standing, attempt)):
        return slot_aside(sheet) or _of_an_attempt(standing)  # a sheet that was taken out just now is not found again
    if attempt and end_if_done(standing.project, rater):  # what was left of it was taken out meanwhile
        standing = standing_of(standing.project, rater) or standing
    if standing.gate:
        raise Gated(standing)
    return None


def _work_or_gold(project: Project, rater: User) -> Slot | None:
    """The next open slot, or one on hidden gold if some is due while other work is left, or was given back and nothing
    else is. Gold is looked for first: its sheet is locked, which comes before any slot (see `slots`)."""
    due = gold_due(project, rater, _read_last(project, rater))
    if due and _found(_NEXT_IN_SIGHT, project, rater).exists() and (gold := slot_aside(due)):
        return gold
    slot = _next_open(project, rater)
    if slot is None and (given_back := gold_given_back(project, rater)):
        return slot_aside(given_back)
    return slot


def _read_last(project: Project, rater: User) -> int | None:
    """The document of the response that the rater took last."""
    taken = Assignment.objects.filter(project=project, rater=rater).order_by("-taken_at")
    return taken.values_list("sheet__document", flat=True).first()


def _next_open(project: Project, rater: User) -> Slot | None:
    """The next open slot, locked: of the document read last, else further on in the project's order, else from its
    beginning (first among what is kept for the rater, then among what is for everybody), else one given back.

    One statement: they are tried in turn inside it, each by its index, and only the one that is found is locked. It
    passes slots that others have locked. Where there are only such, it waits for one of them and looks once more.
    """
    slot = _found(_NEXT_OPEN, project, rater).first()
    if slot is None and (passed := _found(_NEXT_IN_SIGHT, project, rater).filter(project__archived_at=None).first()):
        _wait_for(passed)
        slot = _found(_NEXT_OPEN, project, rater).first()
    return slot


def _found(sql: str, project: Project, rater: User) -> QuerySet[Slot]:
    found = RawSQL(sql, [project.pk, rater.pk, timezone.now()])  # noqa: S611 - only the constants below
    return Slot.objects.select_related("sheet").filter(pk=found)


def _wait_for(slot: Slot) -> None:
    """Until whoever has locked the slot is done, at most PATIENCE; it is let go again at once.

    No circle: all that the rater's request has locked is the membership, perhaps a sheet that is no longer aside, and
    whoever locks slots has done before with both (see `slots`). That is not so while a project is deleted, but then
    it is archived.
    """
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SELECT set_config('lock_timeout', %s, true)", [PATIENCE])
            cursor.execute("SELECT FROM annotation_slot WHERE id = %s FOR SHARE", [slot.pk])
            transaction.set_rollback(True)
    except OperationalError as error:
        if not isinstance(error.__cause__, LockNotAvailable):
            raise


def _open_slot(which: str, lock: str) -> str:
    """SQL: the first slot in the project's order that is free or whose lease ran out, and `which`; with `lock`.

    CASE, so that the raters' own rows are looked up slot by slot: a plain NOT EXISTS becomes a join with all of
    them, which may be chosen before the statistics know of a large import (then one rater's next work took 26 s).
    """
    return f"""(
        SELECT slot.id FROM annotation_slot slot JOIN annotation_sheet sheet ON sheet.id = slot.sheet_id
        WHERE slot.project_id = me.project AND slot.finished_at IS NULL
            AND {_IS_FREE} AND sheet.purpose = 'work'
            AND {which} AND CASE WHEN EXISTS ({_IMPORTED}) THEN FALSE ELSE TRUE END
        ORDER BY slot.rank, slot.k LIMIT 1 {lock}
    )"""  # noqa: S608 - only constants of this file


# What was finished and is offered to its rater again is nobody else's.
_IS_FREE = "(slot.holder_id IS NULL OR slot.expires_at < me.now AND slot.was_finished_at IS NULL)"
# The rater's imported ratings of the response, or of one of the pair's two: nobody reads a response twice. As in
# `imported.imported_about`; each half by an index of its own.
_IMPORTED = """
    SELECT FROM annotation_item item JOIN annotation_rating rating ON rating.item_id = item.id
    WHERE (item.response_id IN (sheet.response_id, sheet.against_id)
            OR item.against_id IN (sheet.response_id, sheet.against_id)) AND rating.project_id = me.project
        AND rating.rater_id = me.rater AND rating.assignment_id IS NULL
"""
_MINE = "SELECT FROM annotation_assignment a WHERE a.sheet_id = slot.sheet_id AND a.rater_id = me.rater AND "
_IN_HAND = "EXISTS (SELECT FROM annotation_slot held WHERE held.holder_id = a.id)"  # while one is asked for ahead
# What the rater has had for another purpose (then they know its gold answers) is neither fresh nor given back.
_OLD = f"{_MINE} (a.finished_at IS NOT NULL OR a.released_at IS NOT NULL OR a.purpose <> 'work' OR {_IN_HAND})"
_FRESH = f"CASE WHEN EXISTS ({_OLD}) THEN FALSE ELSE TRUE END"
_GIVEN_BACK = f"EXISTS ({_MINE} a.finished_at IS NULL AND a.released_at IS NOT NULL AND a.purpose = 'work')"
_LAST_READ = """
    SELECT sheet.document_id AS document, sheet.rank
    FROM annotation_assignment a JOIN annotation_sheet sheet ON sheet.id = a.sheet_id
    WHERE a.project_id = me.project AND a.rater_id = me.rater ORDER BY a.taken_at DESC LIMIT 1
"""
_KEPT = "SELECT FROM annotation_reservation kept WHERE kept.sheet_id = slot.sheet_id AND kept.rater_id = me.rater"
_MINE_ALONE = f"slot.rank < 0 AND CASE WHEN EXISTS ({_KEPT}) THEN TRUE ELSE FALSE END"
_FOR_ALL = "slot.rank >= 0"
# Whether to look among the reserved slots at all: whoever has finished their part need not pass the others'.
_HAS_PART = f"""
    SELECT EXISTS (
        SELECT FROM annotation_reservation kept JOIN annotation_slot slot ON slot.sheet_id = kept.sheet_id
        WHERE kept.project_id = me.project AND kept.rater_id = me.rater AND slot.finished_at IS NULL
            AND {_IS_FREE} AND {_FRESH}
    ) AS there
"""  # noqa: S608 - only constants of this file


def _next_slot(lock: str) -> str:
    """SQL: the slot that the rater gets next, with `lock`; NULL if there is none.

    Going on from where the rater was spares passing everything they have read: 10,000 slots after 5,000 responses.
    Written as SQL because Django took 10 ms to put it together, more than the database takes to run it.
    """
    return f"""
        SELECT COALESCE(
            CASE WHEN part.there THEN COALESCE(
                {_open_slot(f"slot.document_id = last_read.document AND {_MINE_ALONE} AND {_FRESH}", lock)},
                {_open_slot(f"slot.rank >= last_read.rank - {RESERVED_BELOW} AND {_MINE_ALONE} AND {_FRESH}", lock)},
                {_open_slot(f"{_MINE_ALONE} AND {_FRESH}", lock)}
            ) END,
            {_open_slot(f"slot.document_id = last_read.document AND {_FOR_ALL} AND {_FRESH}", lock)},
            {_open_slot(f"slot.rank >= last_read.rank AND {_FRESH}", lock)},
            {_open_slot(f"{_FOR_ALL} AND {_FRESH}", lock)},
            {_open_slot(f"({_FOR_ALL} OR {_MINE_ALONE}) AND {_GIVEN_BACK}", lock)}
        )
        FROM (VALUES (%s::bigint, %s::bigint, %s::timestamptz)) me(project, rater, now)
        LEFT JOIN LATERAL ({_LAST_READ}) last_read ON TRUE
        CROSS JOIN LATERAL ({_HAS_PART}) part
    """  # noqa: S608 - only constants of this file


_NEXT_OPEN = _next_slot("FOR UPDATE OF slot SKIP LOCKED")
_NEXT_IN_SIGHT = _next_slot("")


def _renew(slot: Slot) -> Assignment:
    slot.expires_at = max(expiry(), slot.expires_at or expiry())  # what is offered again is kept for longer
    slot.save(update_fields=["expires_at"])
    return _assignment(slot)


# The rater's one assignment to the sheet is the earlier one, with its public id, if they held it before.
_LEASE = """
    WITH tied AS (
        INSERT INTO annotation_assignment (public_id, sheet_id, project_id, rater_id, taken_at, purpose)
        VALUES (%(public_id)s, %(sheet)s, %(project)s, %(rater)s, %(now)s, %(purpose)s)
        ON CONFLICT (sheet_id, rater_id) DO UPDATE
            SET taken_at = EXCLUDED.taken_at, purpose = EXCLUDED.purpose, released_at = NULL
        RETURNING *
    ), leased AS (
        UPDATE annotation_slot SET holder_id = tied.id, expires_at = %(expires_at)s
        FROM tied WHERE annotation_slot.id = %(slot)s
    )
    SELECT * FROM tied
"""


def lease(slot: Slot, rater: User) -> Assignment:
    """Give the locked open `slot` to `rater`."""
    now = timezone.now()
    expires_at = expiry(now)
    values = {
        "public_id": uuid4(),
        "sheet": slot.sheet_id,
        "project": slot.sheet.project_id,
        "rater": rater.pk,
        "now": now,
        "purpose": Purpose.WORK if slot.project_id else slot.sheet.purpose,
        "expires_at": expires_at,
        "slot": slot.pk,
    }
    [slot.holder] = Assignment.objects.raw(_LEASE, values)
    slot.expires_at = expires_at
    return _assignment(slot)


def _assignment(slot: Slot) -> Assignment:
    """The holder, with its sheet and slot."""
    assignment = slot.holder
    assert assignment is not None  # a leased slot has a holder
    assignment.sheet, assignment.slot = slot.sheet, slot
    return assignment
