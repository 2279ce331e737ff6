"""Pausing a rater and taking up again, by a lead or because too much of the hidden gold was wrong.

The gold is looked at when a response that is no gold was finished: a pause that comes right after a gold response would
tell which one it was. A pause frees the rater's leases; all answers are kept, and a response that nobody else took
meanwhile comes back when the pause is lifted.
"""

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from ..audit import record
from ..models import Assignment, Membership, Project, Purpose, Rating, User
from ..queue.errors import ProjectError
from ..queue.leases import free_leases
from .attempts import end_attempt_if_complete
from .gates import qualification_status
from .gold_comparison import Score, hidden_gold_scores

LOW_GOLD_REASON = gettext_noop(
    "A share of your answers differs from what the people who lead this project had agreed on beforehand. "
    "They have been told, and will get in touch or let you go on."
)
LEAD_REASON = gettext_noop("Somebody who leads this project has paused you. Ask them what comes next.")


@transaction.atomic
def pause_rater(project: Project, rater: User, reason: str = LEAD_REASON, *, actor: User | None = None) -> bool:
    """Give the rater no more work, and free their leases. Returns whether they were at work before."""
    membership = _membership(project, rater)
    if membership.role != Membership.Role.RATER:
        raise ProjectError(_("%(username)s leads this project: only raters are paused") % {"username": rater.username})
    if membership.paused_at:
        return False
    membership.paused_at, membership.pause_reason = timezone.now(), reason
    membership.save(update_fields=["paused_at", "pause_reason"])
    freed = free_leases(rater, project)
    after = {"reason": reason, "leases freed": freed}
    record(actor, "pause rater", f"user:{rater.username}", project=project, after=after)
    return True


@transaction.atomic
def lift_pause(project: Project, rater: User, *, actor: User | None = None) -> bool:
    """Let the rater work again. Hidden gold from before no longer pauses them."""
    membership = _membership(project, rater)
    if membership.paused_at is None:
        return False
    before = {"reason": membership.pause_reason}
    membership.paused_at, membership.pause_reason, membership.gold_since = None, "", timezone.now()
    membership.save(update_fields=["paused_at", "pause_reason", "gold_since"])
    _is_read_last(_begun(project, rater))
    record(actor, "lift pause", f"user:{rater.username}", project=project, before=before)
    return True


def _begun(project: Project, rater: User) -> Assignment | None:
    """What the pause has taken out of the rater's hands with answers in it."""
    given = Rating.objects.filter(assignment=OuterRef("pk"))
    freed = Assignment.objects.filter(project=project, rater=rater, finished_at=None, released_at=None, slot=None)
    return freed.filter(Exists(given)).order_by("taken_at").last()


def _is_read_last(begun: Assignment | None) -> None:
    """The queue goes on from it, and not from what was given ahead and never opened."""
    if begun:
        begun.taken_at = timezone.now()
        begun.save(update_fields=["taken_at"])


@transaction.atomic
def grant_attempt(project: Project, rater: User, *, actor: User | None = None) -> int:
    """One more try of the qualification. Returns how many the rater has left."""
    membership = _membership(project, rater)
    membership.project = project
    status = qualification_status(project, rater)
    used = len(status.attempts_for(Purpose.QUALIFICATION)) if status else 0
    before = membership.more_tries
    membership.more_tries = max(0, used - project.tries, before) + 1
    membership.save(update_fields=["more_tries"])
    record(
        actor, "grant try", f"user:{rater.username}", project=project, before=before, after=membership.more_tries
    )  # fmt: skip
    return project.tries + membership.more_tries - used


@transaction.atomic
def exempt_rater(project: Project, rater: User, *, actor: User | None = None) -> None:
    """Let the rater work without training and qualification."""
    membership = _membership(project, rater)
    if membership.let_in_at is None:
        membership.let_in_at = timezone.now()
        membership.save(update_fields=["let_in_at"])
        record(actor, "let rater in", f"user:{rater.username}", project=project)


def after_finishing(assignment: Assignment) -> str:
    """What finishing a response led to: `paused` or `failed`, of which leads are told; else nothing."""
    project, rater = assignment.project, assignment.rater
    if assignment.purpose in (Purpose.TRAINING, Purpose.QUALIFICATION):
        ended = end_attempt_if_complete(project, rater)
        status = qualification_status(project, rater) if ended else None
        return "failed" if status and status.gate == "failed" else ""
    return "paused" if assignment.purpose == Purpose.WORK and pause_if_below(project, rater) else ""


def pause_if_below(project: Project, rater: User) -> bool:
    """Pause the rater if too much of the hidden gold was wrong. Returns whether that happened now."""
    if project.least_gold is None:
        return False
    score = hidden_gold_scores(project, rater, since_lift=True).get(rater.pk, Score())
    if score.items < project.fewest_gold or score.reaches(project.least_gold):
        return False
    if not Membership.objects.filter(project=project, user=rater, role=Membership.Role.RATER).exists():
        return False
    return pause_rater(project, rater, LOW_GOLD_REASON)


def _membership(project: Project, rater: User) -> Membership:
    membership = Membership.objects.select_for_update().filter(project=project, user=rater).first()
    if membership is None:
        raise ProjectError(_("%(username)s is not a member of this project") % {"username": repr(rater.username)})
    return membership
