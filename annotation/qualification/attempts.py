"""Going through the training or the qualification: beginning, the next response, the end.

Whoever begins again gives all the answers anew: the earlier ones are taken back (the history keeps them), and the
outcome of the earlier attempt stays as it was written down.
"""

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from ..audit import record
from ..models import Assignment, Attempt, Item, Membership, Project, Purpose, Rating, Sheet, Slot, User
from ..queue.slots import lock_slots
from .gates import QualificationStatus, available_sheets, qualification_status
from .gold_comparison import Comparison, compare_answers, score_of


class AttemptRefused(ValueError):
    """The attempt cannot be begun; the message says why."""


def begin_attempt(project: Project, rater: User, purpose: str) -> Attempt:
    """Begin the training or the qualification, or go on with the attempt that is under way.

    Raises NoTryLeft. Called inside the transaction in which the project was fetched with `lock=True`.
    """
    status = qualification_status(project, rater)
    if status is None:
        raise AttemptRefused(_("Only members of the project can do this."))
    for attempt in status.attempts_for(purpose):
        if attempt.ended_at is None:
            return attempt
    if why := _why_not(status, purpose):
        raise AttemptRefused(why)
    _take_answers_back(project, rater, purpose)
    return Attempt.objects.create(
        project=project,
        rater=rater,
        purpose=purpose,
        number=len(status.attempts_for(purpose)) + 1,
        started_at=timezone.now(),
    )


def _why_not(status: QualificationStatus, purpose: str) -> str:
    if status.project.archived_at:
        return _("This project is archived, so nobody rates in it any more.")
    if status.gate == "paused":
        return status.message
    if purpose == Purpose.TRAINING:
        return "" if status.training else _("There is no training in this project for you.")
    if status.gate == "training":
        return status.message
    if not status.qualification:
        return _("There is no qualification in this project for you.")
    if status.is_qualified:
        return _("You have passed the qualification already.")
    return "" if status.tries_left else _("No try is left. A lead can grant another one.")


def _take_answers_back(project: Project, rater: User, purpose: str) -> None:
    earlier = Assignment.objects.filter(project=project, rater=rater, purpose=purpose)
    slots = Slot.objects.filter(holder__in=earlier)
    lock_slots(slots)  # before the ratings, as in every save
    Rating.objects.filter(assignment__in=earlier).delete()
    slots.delete()
    earlier.update(finished_at=None)


def next_sheet(status: QualificationStatus, attempt: Attempt) -> Sheet | None:
    """The next response of the attempt in the project's order, or None."""
    done = Assignment.objects.filter(
        project=status.project, rater=attempt.rater_id, purpose=attempt.purpose, finished_at__isnull=False
    )
    sheets = available_sheets(attempt.rater, attempt.purpose).filter(project=status.project)
    return sheets.exclude(pk__in=done.values("sheet")).order_by("rank", "pk").first()


@transaction.atomic
def end_attempt_if_complete(project: Project, rater: User) -> Attempt | None:
    """End the attempt that is under way if nothing is left of it, and write its outcome down. Returns it if it ended
    now: of two requests that finish the last response only one is told."""
    Membership.objects.select_for_update().filter(project=project, user=rater).first()
    status = qualification_status(project, rater)
    attempt = status.open_attempt if status else None
    if status is None or attempt is None or next_sheet(status, attempt):
        return None
    score = score_of(compare_attempt(project, attempt))
    attempt.right, attempt.items, attempt.ended_at = score.right, score.items, timezone.now()
    is_training = attempt.purpose == Purpose.TRAINING
    attempt.passed = is_training or score.reaches(project.pass_mark)
    attempt.save(update_fields=["right", "items", "ended_at", "passed"])
    after = {"attempt": attempt.number, "right": score.right, "items": score.items, "passed": attempt.passed}
    record(rater, f"end {attempt.purpose}", f"user:{rater.username}", project=project, after=after)
    return attempt


def compare_attempt(project: Project, attempt: Attempt) -> list[Comparison]:
    """The answers of the newest attempt, marked: in training the first ones given, before the feedback."""
    is_training = attempt.purpose == Purpose.TRAINING
    return compare_answers(
        project, attempt.rater, attempt_items(attempt), first_since=attempt.started_at if is_training else None
    )


def attempt_items(attempt: Attempt) -> QuerySet[Item]:
    """The items that were answered in responses finished for the attempt's purpose, in order."""
    done = Assignment.objects.filter(
        project=attempt.project_id, rater=attempt.rater_id, purpose=attempt.purpose, finished_at__isnull=False
    )
    answered = Rating.objects.filter(assignment__in=done, role=Rating.Role.RATER)
    found = Item.objects.filter(pk__in=answered.values("item"), rate=True, retired_at=None)
    return found.order_by("response_id", "start", "position")  # a sentence that was cut by hand has the last position
