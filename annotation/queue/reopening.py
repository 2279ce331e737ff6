"""Reopen finished assignments. Only a lead can do it, and nothing else ends the state finished.

The answers stay, but do not count until the response is finished again. A rater who is still in the project gets a new
lease. If the rater has left, the slot is free for others, and the answers stay uncounted.
"""

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass

from django.db import connection, transaction
from django.db.models import Exists, OuterRef, QuerySet

from ..audit import record_each
from ..models import Assignment, Membership, Notification, Project, Rating, Slot, User
from ..models.queue import REOPENING
from ..notifications import notify
from .errors import NotFinished
from .leases import expiry
from .slots import free_slot, lock_open_project, lock_slots


@dataclass(frozen=True)
class ReopeningEffect:
    """What reopening changes: `annotations`, finished passes of raters on `responses` responses; `without_rater` of
    them, whose raters have left, so that their slots become free; `ratings`, which do not count until finished again.
    """

    responses: int
    annotations: int
    without_rater: int
    ratings: int


def finished_slots(project: Project, sheets: Collection[int]) -> QuerySet[Slot]:
    """Return the finished slots of the project's work on these sheets (primary keys); none of excluded ones."""
    return Slot.objects.filter(project=project, sheet__in=sheets, finished_at__isnull=False)


def reopening_effect(project: Project, sheets: Collection[int]) -> ReopeningEffect:
    """Return the effect of `reopen_responses`, without changes. Two queries."""
    slots = list(finished_slots(project, sheets).annotate(is_back=_IS_ACTIVE).values_list("sheet", "holder", "is_back"))
    ratings = Rating.objects.filter(assignment__in=[holder for _, holder, _ in slots], counted=True).count()
    without_rater = sum(not is_back for _, _, is_back in slots)
    return ReopeningEffect(len({sheet for sheet, _, _ in slots}), len(slots), without_rater, ratings)


@transaction.atomic
def reopen_responses(project: Project, sheets: Collection[int], *, reason: str = "", actor: User | None = None) -> int:
    """Reopen all finished work on these sheets (primary keys), for a `reason` that their raters see; return how many
    assignments. Raises ProjectError.
    """
    lock_open_project(project)
    slots = finished_slots(project, sheets)
    lock_slots(slots)
    return len(_reopen(project, slots, reason, actor))


@transaction.atomic
def reopen(assignment: Assignment, *, reason: str = "", actor: User | None = None) -> bool:
    """Reopen the finished assignment, for a `reason` that its rater sees. Return whether the rater has it again (else
    the slot is free for others).

    Locks the slot before the ratings, as every save does. Raises NotFinished or ProjectError.
    """
    lock_open_project(assignment.project)
    slots = Slot.objects.filter(holder=assignment, finished_at__isnull=False)
    lock_slots(slots)
    slot = slots.select_related("holder", "sheet__exclusion").first()
    if slot is None or slot.holder is None:
        raise NotFinished("This response is not finished, so it cannot be reopened.")
    if hasattr(slot.sheet, "exclusion"):
        raise NotFinished("This response is excluded. Include it again to reopen it.")
    [is_back] = _reopen(assignment.project, slots, reason, actor)
    assignment.finished_at = None
    return is_back


_IS_ACTIVE = Exists(
    Membership.objects.filter(project=OuterRef("holder__project"), user=OuterRef("holder__rater"), user__is_active=True)
)


def _reopen(project: Project, slots: QuerySet[Slot], reason: str, actor: User | None) -> list[bool]:
    """Reopen the locked finished `slots`; return for each whether its rater has it again.

    One statement changes all ratings: the tally's rows are then changed in the order of their keys, which prevents
    deadlocks.
    """
    reopened = list(slots.annotate(is_back=_IS_ACTIVE).select_related("sheet", "holder__rater"))
    holders = [slot.holder for slot in reopened if slot.holder]
    Rating.objects.filter(assignment__in=holders, counted=True).update(counted=False)
    with connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL {REOPENING} = 'on'")
        Slot.objects.filter(pk__in=[slot.pk for slot in reopened]).update(finished_at=None, expires_at=expiry())
        for slot in reopened:
            slot.finished_at = None
            if not slot.is_back:
                free_slot(slot)
        cursor.execute(f"SET LOCAL {REOPENING} = 'off'")
    Assignment.objects.filter(pk__in=[holder.pk for holder in holders]).update(finished_at=None)
    changes = [
        (
            f"assignment:{holder.public_id}",
            None,
            {"rater": holder.rater.username, "back with the rater": slot.is_back, "reason": reason},
        )
        for slot, holder in zip(reopened, holders, strict=True)
    ]
    record_each(actor, "reopen", changes, project=project)
    reopened_by_rater = Counter(slot.holder.rater_id for slot in reopened if slot.holder and slot.is_back)
    for rater, count in sorted(reopened_by_rater.items()):
        if actor is None or rater != actor.pk:
            notify([rater], Notification.Kind.REOPENED, project=project, count=count)
    return [slot.is_back for slot in reopened]
