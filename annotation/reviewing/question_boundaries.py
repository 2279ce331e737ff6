"""Changing the boundaries of the item that a rater's question is about."""

from collections.abc import Sequence
from enum import StrEnum

from django.db import transaction

from ..models import Project, RaterQuestion, User
from .rater_questions import MAX_TEXT_LENGTH, answer_question
from .sentence_boundaries import BoundaryChange, BoundaryChangeRefused, change_refusal, merge, neighbors, split


class How(StrEnum):
    """Split the item, or merge it with the item before or after it."""

    SPLIT = "split"
    BEFORE = "before"
    AFTER = "after"


@transaction.atomic
def change_question_boundaries(
    project: Project, question: RaterQuestion, how: str, parts: Sequence[str] = (), *, actor: User
) -> BoundaryChange:
    """Change the boundaries of the question's item; a report of a wrong split without an answer is answered with the
    new text. `how` is a value of How; `parts` are the lines of a split. Raises BoundaryChangeRefused.
    """
    done = _split_or_merge(project, question, how, parts, actor)
    if question.kind == RaterQuestion.Kind.SPLIT and not question.answered_at:
        new_text = " | ".join(" ".join(item.text.split()) for item in done.new_items)
        thanks = "The boundaries are edited."
        answer_question(project, question.public_id, f"{thanks} {new_text}"[:MAX_TEXT_LENGTH], actor=actor)
    return done


def _split_or_merge(
    project: Project, question: RaterQuestion, how: str, parts: Sequence[str], actor: User
) -> BoundaryChange:
    item = question.item
    if item.retired_at:
        raise BoundaryChangeRefused("The boundaries were edited already.")
    if why := change_refusal(item):
        raise BoundaryChangeRefused(why)
    if how == How.SPLIT:
        return split(project, item, parts, actor=actor)
    before, after = neighbors(item)
    other = {How.BEFORE: before, How.AFTER: after}.get(How(how)) if how in list(How) else None
    if other is None:
        raise BoundaryChangeRefused("There is nothing to merge with.")
    return merge(project, item, other, actor=actor)
