"""Gold answers, which raters' answers are compared with: entered by a lead, copied from an adjudication, or imported.

An item has one gold answer; a new one replaces it, whoever gave it. Raters never see it, and it never counts.
"""

from typing import Any

from django.db import transaction

from ..models import Item, Project, Rating, User
from ..protocols import SentAnswers
from .adjudication import ADJUDICATOR
from .disagreements import PAGE, Listing, rows_of
from .lead_ratings import (
    ReviewedMeanwhile,
    check_version,
    current_rating,
    current_ratings,
    lock_item,
    record_change,
    save_verdict,
    validate_review,
)

GOLD = Rating.Role.GOLD


@transaction.atomic
def set_gold(
    project: Project,
    item: Item,
    answers: SentAnswers,
    actor: User,
    note_text: str = "",
    *,
    expected_version: str | None = None,
) -> Rating:
    """Make these the gold answers of `item`, with an optional note.

    `expected_version` as in `adjudicate`. Raises NoSuchItem, ProjectArchived, NotAllowed (`.errors` by question, or
    `note`) or ReviewedMeanwhile.
    """
    lock_item(project, item)
    allowed_answers = validate_review(project, item, answers, note_text, field="note", needed=False)
    before = current_rating(project, item, GOLD)
    if before and (before.rater_id, before.answers, before.comment) == (actor.pk, allowed_answers, note_text.strip()):
        return before
    check_version(before, expected_version)
    _all_of(project, item).exclude(rater=actor).delete()
    rating = save_verdict(project, item, GOLD, allowed_answers, note_text, actor)
    record_change(actor, "set gold", item, project, before, rating)
    return rating


@transaction.atomic
def make_adjudication_gold(project: Project, item: Item, actor: User, *, expected_version: str) -> Rating:
    """Copy the current adjudication, whose token is `expected_version`, to the gold answer, and its reason to the note.
    Raises NoSuchItem, ProjectArchived or ReviewedMeanwhile.
    """
    lock_item(project, item)
    decided = current_rating(project, item, ADJUDICATOR)
    check_version(decided, expected_version)
    if decided is None:
        raise ReviewedMeanwhile(None)
    return set_gold(project, item, decided.answers, actor, decided.comment)


@transaction.atomic
def remove_gold(project: Project, item: Item, actor: User, *, expected_version: str | None = None) -> None:
    """Delete the gold answer, if any; the history keeps it. Raises NoSuchItem, ProjectArchived or ReviewedMeanwhile."""
    lock_item(project, item)
    before = current_rating(project, item, GOLD)
    if before is None:
        return
    check_version(before, expected_version)
    _all_of(project, item).delete()
    record_change(actor, "remove gold", item, project, before, None)


def gold_items(project: Project, *, offset: int = 0, limit: int = PAGE) -> Listing:
    """Return the items with a gold answer, newest first, with the raters' answers."""
    ratings = current_ratings(project, GOLD).filter(item__retired_at=None)
    newest = [item for _, item in sorted(ratings.values_list("rated_at", "item_id"), reverse=True)]
    return Listing(rows_of(project, newest[offset : offset + limit]), len(newest))


def _all_of(project: Project, item: Item) -> Any:
    return Rating.objects.filter(project=project, item=item, role=GOLD)
