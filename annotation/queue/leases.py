"""Lease slots: lease, renew, release.

A lease lasts four hours from the last save. An expired lease can be taken by another rater; until then the holder keeps
it, and a late save renews it.
"""

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

from django.db import transaction
from django.db.models import Exists, F, OuterRef, QuerySet, Subquery, Value
from django.utils.translation import gettext as _

from ..audit import record
from ..models import Assignment, Membership, Project, Purpose, Rating, Slot, User
from ..site.composed_queries import ComposedQuery
from ..site.database_clock import database_now
from .errors import ARCHIVED, AlreadyFinished, LeaseLost, ProjectArchived, RaterPaused
from .slots import free_slot, lock_project, lock_slots

LEASE = timedelta(hours=4)


def expiry(now: datetime | None = None) -> datetime:
    """Return when a lease that is renewed at `now` expires, by the database's clock."""
    return (now or database_now()) + LEASE


# A rater has one assignment for each sheet: leasing it again updates it, and its public id stays.
_LEASE = """
    WITH assigned AS (
        INSERT INTO annotation_assignment (public_id, sheet_id, project_id, rater_id, taken_at, purpose)
        VALUES (%(public_id)s, %(sheet)s, %(project)s, %(rater)s, %(now)s, %(purpose)s)
        ON CONFLICT (sheet_id, rater_id) DO UPDATE
            SET taken_at = EXCLUDED.taken_at, purpose = EXCLUDED.purpose, released_at = NULL
        RETURNING *
    ), leased AS (
        UPDATE annotation_slot SET holder_id = assigned.id, expires_at = %(expires_at)s
        FROM assigned WHERE annotation_slot.id = %(slot)s
    )
    SELECT * FROM assigned
"""


def lease(slot: Slot, rater: User) -> Assignment:
    now = database_now()
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
    return _holder(slot)


def renew(slot: Slot) -> Assignment:
    slot.expires_at = max(expiry(), slot.expires_at or expiry())  # a slot that is offered again has a longer lease
    slot.save(update_fields=["expires_at"])
    return _holder(slot)


def _holder(slot: Slot) -> Assignment:
    assignment = slot.holder
    assert assignment is not None  # a leased slot has a holder
    assignment.sheet, assignment.slot = slot.sheet, slot
    return assignment


def _held_slots(assignment: Value) -> QuerySet[Any]:
    paused = Membership.objects.filter(
        Membership.PAUSED, project=OuterRef("holder__project"), user=OuterRef("holder__rater")
    )
    slots = Slot.objects.select_for_update(of=("self",)).select_related("holder__project")
    return slots.annotate(is_paused=Exists(paused)).filter(holder=assignment)


_HELD_SLOT = ComposedQuery(_held_slots, 1)


def lock_held_slot(assignment: Assignment) -> Slot:
    """Return the locked slot that the assignment holds. Raises LeaseLost, RaterPaused or ProjectArchived."""
    slot = _HELD_SLOT.first(assignment.pk)
    if slot is None or slot.holder is None or slot.is_paused:
        raise lost_lease_error(assignment.pk)
    if slot.holder.project.archived_at:
        raise ProjectArchived(ARCHIVED)
    return slot


def lost_lease_error(assignment: int) -> LeaseLost | RaterPaused:
    """Return the error to raise where the rater of `assignment` (primary key) is paused, or no longer holds a slot."""
    assignments = Assignment.objects.filter(pk=assignment)
    paused = Membership.objects.filter(Membership.PAUSED, project=OuterRef("project"), user=OuterRef("rater"))
    if assignments.filter(Exists(paused)).exists():
        return RaterPaused(_("You are paused in this project, so nothing is saved. Your answers are kept."))
    if assignments.filter(sheet__exclusion__isnull=False).exists():
        return LeaseLost(_("A lead has excluded this response, so its rating has ended. Your answers are kept."))
    return LeaseLost(_("Another rater has taken this response. Your answers are kept."))


@transaction.atomic
def release(assignment: Assignment, *, actor: User | None = None) -> bool:
    """Release unfinished work; return whether its slot is open for others now.

    Its answers are stored, and count only if the same rater finishes it later. A response that was offered again is
    finished as before. An assignment without a slot is released already.

    `actor` is the lead who frees another person's lease; None means the rater. Raises AlreadyFinished.
    """
    slots = Slot.objects.filter(holder=assignment)
    lock_slots(slots)
    slot = slots.first()
    if slot is None:
        return True
    if slot.finished_at:
        raise AlreadyFinished(
            _("This response is finished and cannot be returned to the queue. You can still change its answers.")
        )
    _release(slots, actor)
    return slot.was_finished_at is None


@dataclass(frozen=True)
class FreeingEffect:
    """What freeing changes: `leases` on `responses` responses end, of which `reoffered` are finished as before;
    `raters` has the number of leases by user name.
    """

    responses: int
    leases: int
    reoffered: int
    raters: dict[str, int]


def freeing_effect(project: Project, sheets: Collection[int]) -> FreeingEffect:
    """Return the effect of `free_responses`, without changes. One query."""
    rows = leased_slots(project, sheets).order_by("holder__rater__username")
    leases = list(rows.values_list("sheet", "holder__rater__username", "was_finished_at"))
    return FreeingEffect(
        responses=len({sheet for sheet, _, _ in leases}),
        leases=len(leases),
        reoffered=sum(was_finished_at is not None for _, _, was_finished_at in leases),
        raters=dict(Counter(name for _, name, _ in leases)),
    )


@transaction.atomic
def free_responses(project: Project, sheets: Collection[int], *, actor: User) -> int:
    """Free the leases on these sheets (primary keys), as `release` does; return how many."""
    lock_project(project)
    slots = leased_slots(project, sheets)
    lock_slots(slots)
    return _release(slots, actor)


def leased_slots(project: Project, sheets: Collection[int]) -> QuerySet[Slot]:
    """Return the slots on these sheets (primary keys) with unfinished work, also work that is offered again."""
    return Slot.objects.filter(holder__project=project, sheet__in=sheets, finished_at=None)


def _release(slots: QuerySet[Slot], actor: User | None) -> int:
    """Release the locked unfinished `slots`; return how many."""
    released = list(slots.select_related("holder__rater", "holder__project", "sheet").order_by("pk"))
    close_reoffers(Slot.objects.filter(pk__in=[slot.pk for slot in released]))
    for slot in released:
        assignment = slot.holder
        if assignment is None:
            continue
        if slot.was_finished_at is None:
            free_slot(slot)
            Assignment.objects.filter(pk=assignment.pk).update(released_at=database_now())
        action = "free lease" if actor else "release"
        record(actor or assignment.rater, action, f"assignment:{assignment.public_id}", project=assignment.project)
    return len(released)


def free_leases(rater: User, project: Project | None = None, *, for_good: bool = False) -> int:
    """Free the rater's unfinished leases in `project`, or in all projects (lock these first); return how many.

    Responses that are offered again stay leased; with `for_good` they are finished as before.
    """
    leased = Slot.objects.filter(holder__rater=rater, finished_at=None)
    if project:
        leased = leased.filter(holder__project=project)
    lock_slots(leased)
    if for_good:
        close_reoffers(leased)
    return leased.filter(was_finished_at=None).update(holder=None, expires_at=None)


def close_reoffers(slots: QuerySet[Slot]) -> int:
    """Finish those of the locked `slots` that were offered again to their raters; return how many.

    Answers that were changed or added meanwhile count, as in every finished response.
    """
    holders = end_reoffers(slots)
    if holders:
        Rating.objects.filter(
            assignment__in=holders, role=Rating.Role.RATER, counted=False, item__retired_at=None
        ).update(counted=True)
    return len(holders)


def end_reoffers(slots: QuerySet[Slot]) -> list[int]:
    """Finish those of the locked `slots` that were offered again, without counting the answers given meanwhile.

    Return their assignments (primary keys).
    """
    holders = dict(slots.filter(was_finished_at__isnull=False).values_list("pk", "holder"))
    finished_at = Slot.objects.filter(holder=OuterRef("pk")).values("was_finished_at")
    Assignment.objects.filter(pk__in=holders.values()).update(finished_at=Subquery(finished_at))
    Slot.objects.filter(pk__in=holders).update(
        finished_at=F("was_finished_at"), expires_at=F("was_finished_at") + LEASE, was_finished_at=None
    )
    return list(holders.values())
