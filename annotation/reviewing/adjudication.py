"""Adjudications: leads' decisions about items that raters disagree on, stored as ratings of their own.

The newest adjudication of an item is current. A report uses adjudications only with `answers="adjudicated"`.
"""

from collections.abc import Sequence

from django.db import transaction

from ..models import Item, Notification, Project, Rating, User
from ..notifications import notify
from ..protocols import SentAnswers
from ..rating.counting import counted_ratings
from ..rating.evidence import Passage
from .lead_ratings import check_version, current_rating, lock_item, record_change, save_verdict, validate_review

ADJUDICATOR = Rating.Role.ADJUDICATOR


@transaction.atomic
def adjudicate(
    project: Project,
    item: Item,
    answers: SentAnswers,
    reason: str,
    actor: User,
    *,
    expected_version: str | None = None,
    evidence: Sequence[Passage] = (),
) -> Rating:
    """Store the decision about `item` with its reason and passages. It replaces the actor's earlier adjudication.

    `expected_version`: the `token` of the adjudication that the actor saw. The same decision again changes nothing.
    Raises NoSuchItem, ProjectArchived, NotAllowed (`.errors` by question, `reason` or `evidence`) or ReviewedMeanwhile.
    """
    lock_item(project, item)
    allowed_answers = validate_review(project, item, answers, reason, field="reason", needed=True, evidence=evidence)
    before = current_rating(project, item, ADJUDICATOR)
    decision = (actor.pk, allowed_answers, reason.strip(), list(evidence))
    if before and (before.rater_id, before.answers, before.comment, before.evidence) == decision:
        return before
    check_version(before, expected_version)
    rating = save_verdict(project, item, ADJUDICATOR, allowed_answers, reason, actor, evidence)
    record_change(actor, "adjudicate", item, project, before, rating)
    if project.shows_decisions:
        raters = counted_ratings(project).filter(item=item).exclude(rater=actor).values_list("rater", flat=True)
        notify(raters, Notification.Kind.ADJUDICATED, project=project)
    return rating


@transaction.atomic
def withdraw(project: Project, item: Item, actor: User, *, expected_version: str | None = None) -> Rating | None:
    """Delete the current adjudication; the history keeps it. Return the one that is current then: an earlier one of
    another lead, or None.

    Without one nothing changes, as requests may repeat. Raises NoSuchItem, ProjectArchived or ReviewedMeanwhile.
    """
    lock_item(project, item)
    before = current_rating(project, item, ADJUDICATOR)
    if before is None:
        return None
    check_version(before, expected_version)
    Rating.objects.filter(pk=before.pk).delete()
    after = current_rating(project, item, ADJUDICATOR)
    record_change(actor, "withdraw adjudication", item, project, before, after)
    return after
