"""Raters' replies to adjudications: raters see their answer, the decision and its reason, and may reply once whether
they agree. Leads read the replies in the review; a reply changes neither rating nor decision.
"""

from collections.abc import Collection
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction
from django.db.models import F, OuterRef, QuerySet, Subquery
from django.utils.translation import gettext as _

from ..audit import record
from ..models import Item, Notification, Project, Rating, Reply, User
from ..notifications import leads_of, notify
from ..protocols import Option, are_swapped, has_sides, in_rater_order
from ..qualification.gold_comparison import options_of
from ..queue.errors import ARCHIVED, ProjectArchived
from ..rating.counting import COUNTS
from ..rating.submit import NotAllowed
from ..site.database_clock import database_now
from .lead_ratings import (
    NOTHING,
    NoSuchItem,
    ReviewedMeanwhile,
    assignment_id,
    current_rating,
    text_problem,
    version_token,
)

MAX_COMMENT_LENGTH = 2_000


class RepliedAlready(ValueError):
    """The rater has already replied about this item."""


@dataclass(frozen=True)
class RaterDecision:
    """An adjudicated item that the rater answered: the options of both, the reason, and the reply. Options about a pair
    are in the rater's order; `is_swapped`: the text of the reason is not."""

    item: Item
    assignment: UUID | None
    answer_options: tuple[Option, ...]
    decision_options: tuple[Option, ...]
    reason: str
    token: str
    is_same: bool
    is_swapped: bool
    reply: Reply | None


def decided_ratings(project: Project, rater: User) -> QuerySet[Rating]:
    """Return the rater's counted ratings of adjudicated items, newest first; none unless the project shows
    decisions."""
    if not project.shows_decisions:
        return Rating.objects.none()
    decisions = Rating.objects.filter(project=project, role=Rating.Role.ADJUDICATOR, item=OuterRef("item"))
    newest = decisions.order_by("-rated_at", "-pk").values("rated_at")[:1]
    own = Rating.objects.filter(COUNTS, project=project, rater=rater, item__retired_at=None)
    return (
        own.select_related("assignment")
        .annotate(decided_at=Subquery(newest))
        .filter(decided_at__isnull=False)
        .order_by("-decided_at", "-pk")
    )


def rater_decisions(project: Project, rater: User, ratings: list[Rating]) -> list[RaterDecision]:
    """Return the decisions about the rater's `ratings`. Three queries."""
    items = Item.objects.select_related("response__prompt").in_bulk([rating.item_id for rating in ratings])
    decisions = Rating.objects.filter(project=project, role=Rating.Role.ADJUDICATOR, item__in=items)
    newest = decisions.order_by("item_id", "-rated_at", "-pk").distinct("item_id")
    decided = {decision.item_id: decision for decision in newest}
    replies = {reply.item_id: reply for reply in Reply.objects.filter(project=project, rater=rater, item__in=items)}
    protocol = project.protocol.translated
    rows = []
    for rating in ratings:
        decision = decided.get(rating.item_id)
        if decision is None:
            continue
        assignment = rating.assignment.public_id if rating.assignment else None
        answer_options, decision_options = (
            options_of(protocol, in_rater_order(protocol, assignment, answers) if assignment else answers)
            for answers in (rating.answers, decision.answers)
        )
        rows.append(
            RaterDecision(
                item=items[rating.item_id],
                assignment=assignment,
                answer_options=answer_options,
                decision_options=decision_options,
                reason=decision.comment,
                token=version_token(decision),
                is_same=rating.choices == decision.choices,
                is_swapped=assignment is not None and are_swapped(protocol, assignment),
                reply=replies.get(rating.item_id),
            )
        )
    return rows


@transaction.atomic
def add_reply(project: Project, rater: User, item: Item, *, agrees: bool, comment: str, expected_version: str) -> Reply:
    """Store whether the rater agrees with the decision whose token is `expected_version`, once; a dispute needs a
    comment.

    Raises ProjectArchived, NoSuchItem, ReviewedMeanwhile, RepliedAlready or NotAllowed (`.errors["comment"]`).
    """
    stored = Project.objects.get(pk=project.pk)
    if stored.archived_at:
        raise ProjectArchived(ARCHIVED)
    own = decided_ratings(stored, rater).filter(item=item).first()
    decision = current_rating(project, item, Rating.Role.ADJUDICATOR)
    if own is None:
        raise NoSuchItem(_("There is no such adjudication of your answers."))
    if decision is None or expected_version in ("", NOTHING) or expected_version != version_token(decision):
        raise ReviewedMeanwhile(decision)
    if not agrees and not comment.strip():
        raise NotAllowed({"comment": [_("Enter a reason: the project leads need it to check the adjudication.")]})
    if wrong := text_problem(comment, needed=False, longest=MAX_COMMENT_LENGTH):
        raise NotAllowed({"comment": [wrong]})
    created, is_new = Reply.objects.get_or_create(
        project=project,
        item=item,
        rater=rater,
        defaults={
            "agrees": agrees,
            "comment": comment.strip(),
            "decided": decision.answers,
            "answers": own.answers,
            "made_at": database_now(),
        },
    )
    if not is_new:
        raise RepliedAlready(_("You have already replied to this adjudication."))
    after = {"agrees": agrees, "comment": created.comment}
    record(rater, "reply to decision", f"item:{item.public_id}", project=project, after=after)
    if not agrees:
        notify(leads_of(project, actor=rater), Notification.Kind.DISPUTED, project=project)
    return created


def replies_of(project: Project) -> QuerySet[Reply]:
    """Return the raters' replies: disputes first, the newest first. `assignment` is the public id of the rater's."""
    replies = Reply.objects.filter(project=project).select_related("rater", "item__response__prompt")
    return replies.annotate(assignment=assignment_id("rater")).order_by(F("agrees").asc(), "-made_at")


def swapped_replies(project: Project, replies: Collection[Reply]) -> set[int]:
    """Return those replies (primary keys) whose rater saw the pair's responses in the other order, which their text
    refers to. No query if the protocol has no sides, else one."""
    protocol = project.protocol.definition
    if not has_sides(protocol):
        return set()
    own = Rating.objects.filter(project=project, role=Rating.Role.RATER, item__in=[reply.item_id for reply in replies])
    at_work = own.exclude(assignment=None).values_list("item_id", "rater_id", "assignment__public_id")
    swapped = {(item, rater) for item, rater, assignment in at_work if are_swapped(protocol, assignment)}
    return {reply.pk for reply in replies if (reply.item_id, reply.rater_id) in swapped}


def count_disputes(project: Project) -> int:
    """Return the number of disputes whose decisions are unchanged since the reply."""
    decisions = Rating.objects.filter(project=project, role=Rating.Role.ADJUDICATOR, item=OuterRef("item"))
    newest = decisions.order_by("-rated_at", "-pk").values("answers")[:1]
    return Reply.objects.filter(project=project, agrees=False, decided=Subquery(newest)).count()
