"""Lease a rater's next work.

A rater with unfinished work gets it back. Otherwise a rater in training or qualification gets its next response, and
others the next open slot of the work (`queue.next_slot`), or hidden gold that is due. An archived project gives no
work, and a rater blocked by a gate (see `gates`) gets the work of that gate, or none.
"""

from uuid import UUID

from django.db.models import QuerySet, Value

from ..models import Assignment, Membership, Project, Slot, User
from ..queue.leases import lease, renew
from ..queue.next_slot import find_next_slot, has_open_slot
from ..queue.slots import lock_check_slot
from ..site.composed_queries import ComposedQuery
from .attempts import end_attempt_if_complete, next_sheet
from .gates import BlockedByGate, QualificationStatus, qualification_status
from .hidden_gold import due_gold_sheet, released_gold_sheet


def take_next(project: Project, rater: User, *, after: UUID | None = None) -> Assignment | None:
    """Return the rater's unfinished lease in `project`, renewed, or a new one; None if no work is left.

    `after` is the public id of an assignment; the result is the work after it, so a program has the next response
    before it finishes this one. Prefetched work is returned again (`prefetch` leases several for a page). None while
    training or qualification come next: those are leased one by one, as each may be the last before a results page.

    Raises BlockedByGate when the rater must do something else first, or is paused. Call it in the transaction in which
    the project was fetched with `lock=True`, so that a rater's requests run one after the other and two tabs get the
    same work.
    """
    if project.archived_at:
        return None
    status = qualification_status(project, rater)
    if status and status.gate == "paused":
        raise BlockedByGate(status)
    # The one leased first, because prefetched work comes after the work in progress.
    own = (project.pk, rater.pk)
    slot = _UNFINISHED_AFTER.first(*own, after) if after else _UNFINISHED.first(*own)
    if slot is not None:
        return renew(slot)
    if after and status and (status.gate or status.open_attempt):
        return None
    slot = (_lock_attempt_slot(status) or find_work_slot(status)) if status else find_next_slot(project, rater)
    return lease(slot, rater) if slot else None


def find_work_slot(status: QualificationStatus) -> Slot | None:
    """Return the slot, locked, of the rater's next ordinary response, of hidden gold if some is due while work is left,
    or of gold that the rater released.
    """
    project, rater = status.project, status.membership.user
    if status.membership.role != Membership.Role.RATER or project.gold_every is None:
        return find_next_slot(project, rater)
    # Gold is checked first: its sheet must be locked before any slot (see `queue.slots`). The document read last is
    # preferred.
    assignments = Assignment.objects.filter(project=project, rater=rater).order_by("-taken_at")
    sheet = due_gold_sheet(project, rater, assignments.values_list("sheet__document", flat=True).first())
    if sheet and has_open_slot(project, rater) and (gold_slot := lock_check_slot(sheet)):
        return gold_slot
    slot = find_next_slot(project, rater)
    if slot is None and (released := released_gold_sheet(project, rater)):
        return lock_check_slot(released)
    return slot


def _unfinished(project: Value, rater: Value) -> QuerySet[Slot]:
    return (
        Slot.objects.select_for_update(of=("self",))
        .select_related("holder", "sheet")
        .filter(holder__project=project, holder__rater=rater, holder__finished_at=None, finished_at=None)
        .order_by("holder__taken_at")
    )


_UNFINISHED = ComposedQuery(lambda project, rater: _unfinished(project, rater)[:1], 2)
_UNFINISHED_AFTER = ComposedQuery(
    lambda project, rater, after: _unfinished(project, rater).exclude(holder__public_id=after)[:1], 3
)


def _lock_attempt_slot(status: QualificationStatus) -> Slot | None:
    """Return a slot of the next response of the open training or qualification attempt. Raises BlockedByGate when an
    attempt must still be begun, or the qualification was not passed.
    """
    rater, attempt = status.membership.user, status.open_attempt
    if attempt and (sheet := next_sheet(status, attempt)):
        return lock_check_slot(sheet) or _lock_attempt_slot(status)  # a sheet whose purpose changed is skipped now
    if attempt and end_attempt_if_complete(status.project, rater):  # its remaining sheets have become work meanwhile
        status = qualification_status(status.project, rater) or status
    if status.gate:
        raise BlockedByGate(status)
    return None
