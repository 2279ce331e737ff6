"""Pause raters, and lift pauses: by a lead, or because too many hidden gold answers were wrong.

Hidden gold is checked when an ordinary response is finished: a pause right after a gold response would reveal it. A
pause frees the rater's leases; all answers stay stored, and a response that no other rater has leased meanwhile is
returned when the pause is lifted.
"""

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils.translation import gettext_noop

from ..audit import record
from ..models import Assignment, Membership, Notification, Project, Purpose, Rating, User, Webhook
from ..notifications import leads_of, notify
from ..pseudonyms import shown_rater
from ..queue.errors import ProjectError
from ..queue.leases import free_leases
from ..site.database_clock import database_now
from ..webhooks import queue_event
from .attempts import end_attempt_if_complete
from .gates import qualification_status
from .gold_comparison import Score, hidden_gold_scores

LOW_GOLD_REASON = gettext_noop(
    "Some of your answers differ from the gold answers. The project leads have been notified; "
    "they will contact you or lift the pause."
)
LEAD_REASON = gettext_noop("A project lead has paused you. Ask the leads what to do next.")


@transaction.atomic
def pause_rater(project: Project, rater: User, reason: str = LEAD_REASON, *, actor: User | None = None) -> bool:
    """Stop the rater's work and free their leases. Return False if they were paused already."""
    membership = _membership(project, rater)
    if membership.role != Membership.Role.RATER:
        raise ProjectError(f"{shown_rater(rater.username)} leads this project: only raters can be paused")
    if membership.paused_at:
        return False
    membership.paused_at, membership.pause_reason = database_now(), reason
    membership.save(update_fields=["paused_at", "pause_reason"])
    freed = free_leases(rater, project)
    after = {"reason": reason, "leases freed": freed}
    record(actor, "pause rater", f"user:{rater.username}", project=project, after=after)
    notify(leads_of(project, actor=actor), Notification.Kind.PAUSED, project=project, rater=rater)
    queue_event(project, Webhook.Event.RATER_PAUSED, {"automatic": reason == LOW_GOLD_REASON}, rater=rater)
    return True


@transaction.atomic
def lift_pause(project: Project, rater: User, *, actor: User | None = None) -> bool:
    """Let the rater work again; earlier hidden gold no longer pauses them. Return False if they were not paused."""
    membership = _membership(project, rater)
    if membership.paused_at is None:
        return False
    before = {"reason": membership.pause_reason}
    membership.paused_at, membership.pause_reason, membership.gold_since = None, "", database_now()
    membership.save(update_fields=["paused_at", "pause_reason", "gold_since"])
    # The queue continues from the interrupted work, not from prefetched work that was never opened.
    ratings = Rating.objects.filter(assignment=OuterRef("pk"))
    freed = Assignment.objects.filter(project=project, rater=rater, finished_at=None, released_at=None, slot=None)
    assignment = freed.filter(Exists(ratings)).order_by("taken_at").last()
    if assignment:
        assignment.taken_at = database_now()
        assignment.save(update_fields=["taken_at"])
    record(actor, "lift pause", f"user:{rater.username}", project=project, before=before)
    return True


@transaction.atomic
def grant_attempt(project: Project, rater: User, *, actor: User | None = None) -> int:
    """Grant one more attempt at the qualification. Return how many the rater has left."""
    membership = _membership(project, rater)
    membership.project = project
    status = qualification_status(project, rater)
    used = len(status.attempts_for(Purpose.QUALIFICATION)) if status else 0
    before = membership.more_tries
    membership.more_tries = max(0, used - project.tries, before) + 1
    membership.save(update_fields=["more_tries"])
    changed = {"before": before, "after": membership.more_tries}
    record(actor, "grant try", f"user:{rater.username}", project=project, **changed)
    return project.tries + membership.more_tries - used


@transaction.atomic
def exempt_rater(project: Project, rater: User, *, actor: User | None = None) -> None:
    """Let the rater work without training and qualification."""
    membership = _membership(project, rater)
    if membership.let_in_at is None:
        membership.let_in_at = database_now()
        membership.save(update_fields=["let_in_at"])
        record(actor, "let rater in", f"user:{rater.username}", project=project)


def after_finishing(assignment: Assignment) -> str:
    """Apply the checks after a response is finished. Return `paused` or `failed`, of which leads know, or ''."""
    if assignment.purpose == Purpose.WORK and assignment.project.least_gold is None:
        return ""  # no check, so no transaction
    project, rater = assignment.project, assignment.rater
    with transaction.atomic():
        if assignment.purpose not in (Purpose.TRAINING, Purpose.QUALIFICATION):
            return "paused" if assignment.purpose == Purpose.WORK and pause_if_below(project, rater) else ""
        ended = end_attempt_if_complete(project, rater)
        status = qualification_status(project, rater) if ended else None
        if status is None or status.gate != "failed":
            return ""
        notify(leads_of(project), Notification.Kind.FAILED, project=project, rater=rater)
        return "failed"


def pause_if_below(project: Project, rater: User) -> bool:
    """Pause the rater if too many hidden gold answers were wrong. Return whether this call paused them."""
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
        raise ProjectError(f"{shown_rater(rater.username)!r} is not a member of this project")
    return membership
