"""Prefetched responses: leases besides the work in progress, for rating without a network.

Each is an ordinary lease: the slot belongs to the rater until it expires, then it is open for others. Their number is
the project's `prefetch_limit`, and less when little work is left: of the slots that are open or prefetched, a rater
prefetches at most an equal share among the active raters, and at least one. Leases above that share are released when
the rater's page asks again, unless they have answers.

Nothing is stored about prefetching. A slot is prefetched if its rater leased another one before and has not answered.
"""

from collections.abc import Collection
from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import Exists, F, Max, OuterRef, Q, QuerySet
from django.db.models.functions import Greatest, Least

from ..models import Assignment, Membership, Project, Rating, Reservation, Slot, User
from ..models.projects import MAX_PREFETCH
from ..queue.leases import expiry, lease
from ..queue.slots import free_slot, lock_slots
from ..site.database_clock import database_now
from .gates import BlockedByGate, QualificationStatus, qualification_status
from .next_work import find_work_slot


def renew_prefetched(project: Project, rater: User, after: UUID) -> list[UUID]:
    """Renew the rater's leases besides the assignment `after`, up to their share, and release the others.

    Returns the public ids of the renewed assignments in the order of work. Raises BlockedByGate for paused raters.

    Call it in the transaction in which the project was fetched with `lock=True`, and `prefetch_next` in another such
    transaction: this one locks slots in the order of their ids, and the search for a slot may wait for one.
    """
    if project.archived_at:
        return []
    _required_status(project, rater)
    leased = _leased(project, rater, after)
    lock_slots(leased)
    limit = prefetch_share(project, rater)
    slots = list(leased.annotate(is_begun=_IS_BEGUN).select_related("holder", "sheet").order_by("holder__taken_at"))
    renewed = [slot for n, slot in enumerate(slots) if n < limit or slot.is_begun or slot.was_finished_at]
    _free_unused([slot for slot in slots if slot not in renewed])
    renewed = renewed[:MAX_PREFETCH]
    Slot.objects.filter(pk__in=[slot.pk for slot in renewed]).update(expires_at=Greatest(F("expires_at"), expiry()))
    return [slot.holder.public_id for slot in renewed if slot.holder]


def prefetch_next(project: Project, rater: User, after: UUID) -> Assignment | None:
    """Lease one more response to the rater besides the assignment `after`.

    None when the rater has their share, no work is left, or training or qualification come next, which are leased one
    by one. Raises BlockedByGate for paused raters.
    """
    if project.archived_at:
        return None
    status = _required_status(project, rater)
    if status.gate or status.open_attempt or _leased(project, rater, after).count() >= prefetch_share(project, rater):
        return None
    slot = find_work_slot(status)
    return lease(slot, rater) if slot else None


def release_prefetched(project: Project, rater: User) -> int:
    """Free the rater's prefetched slots, for a rater who stops. Return how many; the queue may give them again.

    Call it in the transaction in which the project was fetched with `lock=True`.
    """
    prefetched = Slot.objects.filter(is_prefetched(), holder__project=project, holder__rater=rater)
    lock_slots(prefetched)
    slots = list(prefetched.select_related("holder", "sheet").order_by("pk"))
    _free_unused(slots)
    return len(slots)


def _free_unused(slots: Collection[Slot]) -> None:
    """Free slots of one rater and date their leases before the others, from the newest of which the queue continues."""
    holders = [slot.holder for slot in slots if slot.holder]
    if holders:
        assignments = Assignment.objects.filter(project=holders[0].project_id, rater=holders[0].rater_id)
        freed = assignments.filter(pk__in=[holder.pk for holder in holders])
        if last_lease := assignments.exclude(pk__in=freed).aggregate(last=Max("taken_at"))["last"]:
            freed.update(taken_at=Least(F("taken_at"), last_lease - timedelta(microseconds=1)))
    for slot in slots:
        free_slot(slot)


def _required_status(project: Project, rater: User) -> QualificationStatus:
    status = qualification_status(project, rater)
    assert status  # an admin, who belongs to no project, rates in none
    if status.gate == "paused":
        raise BlockedByGate(status)
    return status


def _leased(project: Project, rater: User, after: UUID) -> QuerySet[Slot]:
    slots = Slot.objects.filter(holder__project=project, holder__rater=rater, holder__finished_at=None)
    return slots.filter(finished_at=None).exclude(holder__public_id=after)


_IS_BEGUN = Exists(Rating.objects.filter(assignment=OuterRef("holder"), role=Rating.Role.RATER))


def is_prefetched(now: datetime | None = None) -> Q:
    """Return a condition on slots: leased, without answers, and not the one that the rater would resume."""
    earlier = Slot.objects.filter(
        holder__project=OuterRef("holder__project"),
        holder__rater=OuterRef("holder__rater"),
        holder__taken_at__lt=OuterRef("holder__taken_at"),
        holder__finished_at=None,  # an index has these alone
        finished_at=None,
    )
    is_leased = Q(finished_at=None, was_finished_at=None, holder__isnull=False, expires_at__gte=now or database_now())
    return is_leased & Exists(earlier) & ~_IS_BEGUN


def prefetch_share(project: Project, rater: User) -> int:
    """Return how many responses the rater may prefetch now. Two queries."""
    raters = Membership.objects.filter(project=project, role=Membership.Role.RATER, user__is_active=True)
    others = raters.exclude(paused_at__isnull=False).exclude(user=rater).count()
    now = database_now()
    is_open = Q(holder=None) | Q(expires_at__lt=now, was_finished_at=None)
    is_reserved = Exists(Reservation.objects.filter(sheet=OuterRef("sheet"), rater=rater))
    pool = Slot.objects.filter(
        is_open | is_prefetched(now), Q(rank__gte=0) | is_reserved, project=project, finished_at=None
    )
    limit = project.prefetch_limit * (others + 1)
    return max(1, pool.order_by()[:limit].count() // (others + 1))
