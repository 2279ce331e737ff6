"""Attempts at the training or the qualification: begin, find the next response, end.

A new attempt starts without answers: those of the earlier attempt are deleted (the history has them), and its stored
outcome stays.
"""

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from ..audit import record
from ..models import Assignment, Attempt, Item, Membership, Project, Purpose, Rating, Sheet, Slot, User
from ..models.rated_items import is_rated
from ..queue.slots import lock_slots
from ..site.database_clock import database_now
from .gates import QualificationStatus, available_sheets, qualification_status
from .gold_comparison import Comparison, compare_answers, score_of


class AttemptRefused(ValueError):
    """The attempt cannot begin; the message gives the reason."""


def begin_attempt(project: Project, rater: User, purpose: str) -> Attempt:
    """Begin an attempt at the training or the qualification, or return the open one. Raises AttemptRefused. Call it in
    the transaction in which the project was fetched with `lock=True`.
    """
    status = qualification_status(project, rater)
    if status is None:
        raise AttemptRefused(_("Only members of the project can do this."))
    for attempt in status.attempts_for(purpose):
        if attempt.ended_at is None:
            return attempt
    if reason := _refusal(status, purpose):
        raise AttemptRefused(reason)
    earlier = Assignment.objects.filter(project=project, rater=rater, purpose=purpose)
    slots = Slot.objects.filter(holder__in=earlier)
    lock_slots(slots)  # before the ratings, as in every save
    Rating.objects.filter(assignment__in=earlier).delete()
    slots.delete()
    earlier.update(finished_at=None)
    return Attempt.objects.create(
        project=project,
        rater=rater,
        purpose=purpose,
        number=len(status.attempts_for(purpose)) + 1,
        started_at=database_now(),
    )


def _refusal(status: QualificationStatus, purpose: str) -> str:
    if status.project.archived_at:
        return _("This project is archived, so its rating has ended.")
    if status.gate == "paused":
        return status.message
    if purpose == Purpose.TRAINING:
        return "" if status.training else _("This project has no training for you.")
    if status.gate == "training":
        return status.message
    if not status.qualification:
        return _("This project has no qualification test for you.")
    if status.is_qualified:
        return _("You have already passed the qualification test.")
    return "" if status.tries_left else _("No attempts are left. A lead can grant another one.")


def next_sheet(status: QualificationStatus, attempt: Attempt) -> Sheet | None:
    """Return the next sheet of the attempt in the project's order, or None."""
    done = Assignment.objects.filter(
        project=status.project, rater=attempt.rater_id, purpose=attempt.purpose, finished_at__isnull=False
    )
    sheets = available_sheets(attempt.rater, attempt.purpose).filter(project=status.project)
    return sheets.exclude(pk__in=done.values("sheet")).order_by("rank", "pk").first()


@transaction.atomic
def end_attempt_if_complete(project: Project, rater: User) -> Attempt | None:
    """End the open attempt if all its responses are finished, and store its outcome.

    Returns the attempt if this call ended it, else None: of two requests that finish the last response, one gets it.
    """
    Membership.objects.select_for_update().filter(project=project, user=rater).first()
    status = qualification_status(project, rater)
    attempt = status.open_attempt if status else None
    if status is None or attempt is None or next_sheet(status, attempt):
        return None
    score = score_of(compare_attempt(project, attempt))
    attempt.right, attempt.items, attempt.ended_at = score.right, score.items, database_now()
    is_training = attempt.purpose == Purpose.TRAINING
    attempt.passed = is_training or score.reaches(project.pass_mark)
    attempt.save(update_fields=["right", "items", "ended_at", "passed"])
    after = {"attempt": attempt.number, "right": score.right, "items": score.items, "passed": attempt.passed}
    record(rater, f"end {attempt.purpose}", f"user:{rater.username}", project=project, after=after)
    return attempt


def compare_attempt(project: Project, attempt: Attempt) -> list[Comparison]:
    """Compare the newest attempt's answers with the gold answers; for training, the first answers, before feedback."""
    is_training = attempt.purpose == Purpose.TRAINING
    return compare_answers(
        project, attempt.rater, attempt_items(attempt), first_since=attempt.started_at if is_training else None
    )


def attempt_items(attempt: Attempt) -> QuerySet[Item]:
    """Return the answered items of the responses finished for the attempt's purpose, in order."""
    done = Assignment.objects.filter(
        project=attempt.project_id, rater=attempt.rater_id, purpose=attempt.purpose, finished_at__isnull=False
    )
    answered = Rating.objects.filter(assignment__in=done, role=Rating.Role.RATER)
    items = Item.objects.filter(is_rated(attempt.project), pk__in=answered.values("item"))
    return items.order_by("response_id", "start", "position")  # new items of a split have the last positions
