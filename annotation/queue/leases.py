"""Leases on slots: renewing, losing, releasing.

A lease lasts four hours from the last save. When it has run out the slot may be taken by somebody else; until that
happens the holder keeps it, and a late save renews it.
"""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, F, OuterRef, QuerySet, Subquery
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ..audit import record
from ..models import Assignment, Membership, Project, Rating, Slot, User
from .slots import let_go, lock_in_order

LEASE = timedelta(hours=4)
ARCHIVED = gettext_lazy("This project is archived, so nothing is saved in it any more. Your earlier answers are kept.")


class LeaseLost(Exception):
    """The slot has another holder now. The answers given so far are kept."""


class RaterPaused(ValueError):
    """The rater is paused, and their leases are free. The answers given so far are kept."""


class ProjectArchived(ValueError):
    """Nobody rates in an archived project. Answers given before are kept."""


class AlreadyFinished(ValueError):
    """Finished work cannot be given back."""


def expiry(now: datetime | None = None) -> datetime:
    """When a lease that is renewed at `now` runs out."""
    return (now or timezone.now()) + LEASE


def locked_slot(assignment: Assignment) -> Slot:
    """The slot that the assignment holds, locked until the transaction ends. Raises LeaseLost, RaterPaused or
    ProjectArchived."""
    paused = Membership.objects.filter(Membership.PAUSED, project=assignment.project_id, user=assignment.rater_id)
    slots = Slot.objects.select_for_update(of=("self",)).select_related("holder__project")
    slot = slots.annotate(is_paused=Exists(paused)).filter(holder=assignment).first()
    if slot is None or slot.holder is None or slot.is_paused:
        raise why_lost(assignment.project_id, assignment.rater_id)
    if slot.holder.project.archived_at:
        raise ProjectArchived(ARCHIVED)
    return slot


def why_lost(project: int, rater: int) -> LeaseLost | RaterPaused:
    """What to raise where the rater is paused, or no longer holds a slot that they held."""
    if Membership.objects.filter(Membership.PAUSED, project=project, user=rater).exists():
        return RaterPaused(_("You are paused in this project, so nothing is saved just now. Your answers are kept."))
    return LeaseLost(_("Somebody else has taken this response meanwhile. Your answers are kept."))


@transaction.atomic
def release(assignment: Assignment, *, actor: User | None = None) -> bool:
    """Give unfinished work back. Its answers are kept, and count only if the same rater finishes it later; what was
    offered again is finished as before. Returns whether its slot is free for others now.

    `actor` is the lead who frees somebody else's lease; without one it is the rater. What is no longer held needs no
    giving back. Raises AlreadyFinished.
    """
    slot = Slot.objects.select_for_update().filter(holder=assignment).first()
    if slot is None:
        return True
    if slot.finished_at:
        raise AlreadyFinished(
            _("This response is finished and cannot be given back. Its answers can still be changed.")
        )
    is_free = not end_offers(Slot.objects.filter(pk=slot.pk))
    if is_free:
        let_go(slot)
        assignment.released_at = timezone.now()
        assignment.save(update_fields=["released_at"])
    action = "free lease" if actor else "release"
    record(actor or assignment.rater, action, f"assignment:{assignment.public_id}", project=assignment.project)
    return is_free


def free_leases(rater: User, project: Project | None = None, *, for_good: bool = False) -> int:
    """Free what `rater` has begun and never finished, in `project` or in all (then these are locked first). Returns how
    many. What they are offered again stays theirs, and with `for_good` is finished as before."""
    leased = Slot.objects.filter(holder__rater=rater, finished_at=None)
    if project:
        leased = leased.filter(holder__project=project)
    lock_in_order(leased)
    if for_good:
        end_offers(leased)
    return leased.filter(was_finished_at=None).update(holder=None, expires_at=None)


def end_offers(slots: QuerySet[Slot]) -> int:
    """Those of `slots` that were offered to their raters again are finished as before; what was changed or answered
    meanwhile counts, as in every finished response. Returns how many. The caller has locked them."""
    offered = dict(slots.filter(was_finished_at__isnull=False).values_list("pk", "holder"))
    if not offered:
        return 0
    before = Slot.objects.filter(holder=OuterRef("pk")).values("was_finished_at")
    Assignment.objects.filter(pk__in=offered.values()).update(finished_at=Subquery(before))
    Slot.objects.filter(pk__in=offered).update(
        finished_at=F("was_finished_at"), expires_at=F("was_finished_at") + LEASE, was_finished_at=None
    )
    Rating.objects.filter(
        assignment__in=offered.values(), role=Rating.Role.RATER, counted=False, item__retired_at=None
    ).update(counted=True)
    return len(offered)
