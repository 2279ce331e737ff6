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
from ..queue.slots import lock_in_order
from .gates import QualificationStatus, sheets_for, standing_of
from .gold_comparison import Marked, marked, score_of


class NoTryLeft(ValueError):
    """The attempt cannot be begun; the message says why."""


def begin(project: Project, rater: User, purpose: str) -> Attempt:
    """Begin the training or the qualification, or go on with the attempt that is under way.

    Raises NoTryLeft. Called inside the transaction in which the project was fetched with `lock=True`.
    """
    standing = standing_of(project, rater)
    if standing is None:
        raise NoTryLeft(_("Only members of the project can do this."))
    for attempt in standing.of(purpose):
        if attempt.ended_at is None:
            return attempt
    if why := _why_not(standing, purpose):
        raise NoTryLeft(why)
    _take_answers_back(project, rater, purpose)
    return Attempt.objects.create(
        project=project,
        rater=rater,
        purpose=purpose,
        number=len(standing.of(purpose)) + 1,
        started_at=timezone.now(),
    )


def _why_not(standing: QualificationStatus, purpose: str) -> str:
    if standing.project.archived_at:
        return _("This project is archived, so nobody rates in it any more.")
    if standing.gate == "paused":
        return standing.words
    if purpose == Purpose.TRAINING:
        return "" if standing.training else _("There is no training in this project for you.")
    if standing.gate == "training":
        return standing.words
    if not standing.qualification:
        return _("There is no qualification in this project for you.")
    if standing.is_qualified:
        return _("You have passed the qualification already.")
    return "" if standing.tries_left else _("No try is left. A lead can grant another one.")


def _take_answers_back(project: Project, rater: User, purpose: str) -> None:
    earlier = Assignment.objects.filter(project=project, rater=rater, purpose=purpose)
    slots = Slot.objects.filter(holder__in=earlier)
    lock_in_order(slots)  # before the ratings, as in every save
    Rating.objects.filter(assignment__in=earlier).delete()
    slots.delete()
    earlier.update(finished_at=None)


def next_sheet(standing: QualificationStatus, attempt: Attempt) -> Sheet | None:
    """The next response of the attempt in the project's order, or None."""
    done = Assignment.objects.filter(
        project=standing.project, rater=attempt.rater_id, purpose=attempt.purpose, finished_at__isnull=False
    )
    sheets = sheets_for(attempt.rater, attempt.purpose).filter(project=standing.project)
    return sheets.exclude(pk__in=done.values("sheet")).order_by("rank", "pk").first()


@transaction.atomic
def end_if_done(project: Project, rater: User) -> Attempt | None:
    """End the attempt that is under way if nothing is left of it, and write its outcome down. Returns it if it ended
    now: of two requests that finish the last response only one is told."""
    Membership.objects.select_for_update().filter(project=project, user=rater).first()
    standing = standing_of(project, rater)
    attempt = standing.open_attempt if standing else None
    if standing is None or attempt is None or next_sheet(standing, attempt):
        return None
    score = score_of(marks_of(project, attempt))
    attempt.right, attempt.items, attempt.ended_at = score.right, score.items, timezone.now()
    is_training = attempt.purpose == Purpose.TRAINING
    attempt.passed = is_training or score.reaches(project.pass_mark)
    attempt.save(update_fields=["right", "items", "ended_at", "passed"])
    after = {"attempt": attempt.number, "right": score.right, "items": score.items, "passed": attempt.passed}
    record(rater, f"end {attempt.purpose}", f"user:{rater.username}", project=project, after=after)
    return attempt


def marks_of(project: Project, attempt: Attempt) -> list[Marked]:
    """The answers of the newest attempt, marked: in training the first ones given, before the feedback."""
    is_training = attempt.purpose == Purpose.TRAINING
    return marked(
        project, attempt.rater, items_of_attempt(attempt), first_since=attempt.started_at if is_training else None
    )


def items_of_attempt(attempt: Attempt) -> QuerySet[Item]:
    """The items that were answered in responses finished for the attempt's purpose, in order."""
    done = Assignment.objects.filter(
        project=attempt.project_id, rater=attempt.rater_id, purpose=attempt.purpose, finished_at__isnull=False
    )
    answered = Rating.objects.filter(assignment__in=done, role=Rating.Role.RATER)
    found = Item.objects.filter(pk__in=answered.values("item"), rate=True, retired_at=None)
    return found.order_by("response_id", "start", "position")  # a sentence that was cut by hand has the last position
