"""Responses given ahead: what a rater has on the device besides the one in hand, to go on without a network.

Each is an ordinary lease: the slot is the rater's for as long as any lease lasts, and free for others after that. How
many there are is the project's `ahead`, and less where work is short: of the slots that are open or given ahead, a
rater holds no more ahead than an equal share among those who rate, and one at least. What is over, because the work
has become short since, goes back when the rater's page asks again, unless it was begun.

Nothing is stored about it. Given ahead is what a rater holds besides the work that would be resumed and has no answer.
"""

from collections.abc import Collection
from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, F, Max, OuterRef, Q, QuerySet
from django.db.models.functions import Greatest, Least
from django.utils import timezone
from django.utils.translation import gettext as _

from ..audit import change_setting
from ..models import Assignment, Membership, Project, Rating, Reservation, Slot, User
from ..queue.errors import ProjectError
from ..queue.leases import expiry, lease
from ..queue.slots import free_slot, lock_slots
from .gates import BlockedByGate, QualificationStatus, qualification_status
from .next_work import find_work_slot

MIN_PREFETCH, MAX_PREFETCH = 1, 10


@transaction.atomic
def set_prefetch_limit(project: Project, n: int, *, actor: User | None = None) -> Project:
    """Give raters of `project` up to `n` responses ahead. Raises ProjectError."""
    if not MIN_PREFETCH <= n <= MAX_PREFETCH:
        raise ProjectError(
            _("%(n)s responses ahead: choose a number from %(fewest)s to %(most)s")
            % {"n": n, "fewest": MIN_PREFETCH, "most": MAX_PREFETCH}
        )
    return change_setting(project, "ahead", n, "set ahead", actor=actor)


def renew_prefetched(project: Project, rater: User, after: UUID) -> list[UUID]:
    """Renew what the rater holds besides the work `after`, as far as it may stay, and give back the rest. Returns the
    public ids of what stays, in the order in which it comes. Raises Gated for the paused.

    Called inside the transaction in which the project was fetched with `lock=True`, as `prefetch_next` is, and in another
    than that: it locks slots in the order of their ids, and who looks for a slot may wait for one.
    """
    if project.archived_at:
        return []
    _required_status(project, rater)
    held = _held(project, rater, after)
    lock_slots(held)
    most = prefetch_share(project, rater)
    slots = list(held.annotate(is_begun=_IS_BEGUN).select_related("holder", "sheet").order_by("holder__taken_at"))
    staying = [p for n, p in enumerate(slots) if n < most or p.is_begun or p.was_finished_at]
    _let_go([slot for slot in slots if slot not in staying])
    staying = staying[:MAX_PREFETCH]
    Slot.objects.filter(pk__in=[slot.pk for slot in staying]).update(expires_at=Greatest(F("expires_at"), expiry()))
    return [slot.holder.public_id for slot in staying if slot.holder]


def prefetch_next(project: Project, rater: User, after: UUID) -> Assignment | None:
    """One response more for the rater to have ahead, besides the work `after`. None when there are enough, none is
    left, or training or qualification come next, which are given one by one. Raises Gated for the paused."""
    if project.archived_at:
        return None
    status = _required_status(project, rater)
    if status.gate or status.open_attempt or _held(project, rater, after).count() >= prefetch_share(project, rater):
        return None
    slot = find_work_slot(status)
    return lease(slot, rater) if slot else None


def release_prefetched(project: Project, rater: User) -> int:
    """Free what was given ahead, for whoever stops here; as never taken, so it may come again. Returns how many.

    Called inside the transaction in which the project was fetched with `lock=True`.
    """
    ahead = Slot.objects.filter(is_prefetched(), holder__project=project, holder__rater=rater)
    lock_slots(ahead)
    slots = list(ahead.select_related("holder", "sheet").order_by("pk"))
    _let_go(slots)
    return len(slots)


def _let_go(slots: Collection[Slot]) -> None:
    """Free the slots of one rater, as never taken: what the rater took last, from which the queue goes on, is other
    work."""
    holders = [slot.holder for slot in slots if slot.holder]
    if holders:
        mine = Assignment.objects.filter(project=holders[0].project_id, rater=holders[0].rater_id)
        those = mine.filter(pk__in=[holder.pk for holder in holders])
        if last := mine.exclude(pk__in=those).aggregate(at=Max("taken_at"))["at"]:
            those.update(taken_at=Least(F("taken_at"), last - timedelta(microseconds=1)))
    for slot in slots:
        free_slot(slot)


def _required_status(project: Project, rater: User) -> QualificationStatus:
    status = qualification_status(project, rater)
    assert status  # an admin, who belongs to no project, rates in none
    if status.gate == "paused":
        raise BlockedByGate(status)
    return status


def _held(project: Project, rater: User, besides: UUID) -> QuerySet[Slot]:
    mine = Slot.objects.filter(holder__project=project, holder__rater=rater, holder__finished_at=None)
    return mine.filter(finished_at=None).exclude(holder__public_id=besides)


_IS_BEGUN = Exists(Rating.objects.filter(assignment=OuterRef("holder"), role=Rating.Role.RATER))


def is_prefetched(now: datetime | None = None) -> Q:
    """Of slots: what somebody holds, has not begun, and would not be given when they come back."""
    earlier = Slot.objects.filter(
        holder__project=OuterRef("holder__project"),
        holder__rater=OuterRef("holder__rater"),
        holder__taken_at__lt=OuterRef("holder__taken_at"),
        finished_at=None,
    )
    is_leased = Q(finished_at=None, was_finished_at=None, holder__isnull=False, expires_at__gte=now or timezone.now())
    return is_leased & Exists(earlier) & ~_IS_BEGUN


def prefetch_share(project: Project, rater: User) -> int:
    """How many responses the rater may have ahead at this moment. Two queries."""
    raters = Membership.objects.filter(project=project, role=Membership.Role.RATER, user__is_active=True)
    others = raters.exclude(paused_at__isnull=False).exclude(user=rater).count()
    now = timezone.now()
    is_open = Q(holder=None) | Q(expires_at__lt=now, was_finished_at=None)
    is_mine = Exists(Reservation.objects.filter(sheet=OuterRef("sheet"), rater=rater))
    pool = Slot.objects.filter(
        is_open | is_prefetched(now), Q(rank__gte=0) | is_mine, project=project, finished_at=None
    )
    enough = project.ahead * (others + 1)
    return max(MIN_PREFETCH, pool.order_by()[:enough].count() // (others + 1))
