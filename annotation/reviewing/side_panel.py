"""The side panel of a rater's page, updated regularly: the newest guidelines, questions with answers, bookmarks, and
the current items (a lead may have split one)."""

from collections.abc import Sequence
from typing import Any

from django.db.models import Q

from ..models import Assignment, Item, RaterQuestion
from ..models.rated_items import rated_among
from ..projects.guidelines import guideline_versions
from ..queue.sheets import items_of
from ..rating.bookmarks import open_bookmarks
from .sentence_boundaries import replacement_items


def panel_contents(assignment: Assignment, items: Sequence[Item] | None = None) -> dict[str, Any]:
    """Return the contents for the assignment's rater. `items` are the sheet's, if already fetched."""
    sheet_items = items or items_of(assignment.sheet, assignment.project.protocol.definition.unit)
    keys = rated_among(assignment.project, sheet_items)
    rated = [item for item in sheet_items if item.pk in keys]
    sheet, rater = assignment.sheet, assignment.rater_id
    about = Q(item__response=sheet.response_id, item__against=sheet.against_id)
    questions = RaterQuestion.objects.filter(
        about, Q(asker=rater) | Q(is_published=True), project=assignment.project_id
    )
    bookmarks = open_bookmarks().filter(assignment=assignment.pk)
    reasons = dict(bookmarks.values_list("item", "reason"))
    return {
        "guidelines": guideline_versions(assignment.project).values("number", "note").first(),
        "items": [item.public_id for item in rated],
        "questions": [
            {
                "id": rater_question.public_id,
                "item": _current_id(rater_question.item),
                "kind": rater_question.kind,
                "text": rater_question.text,
                "answer": rater_question.answer,
                "asked_at": rater_question.asked_at,
                "answered_at": rater_question.answered_at,
                "own": rater_question.asker_id == rater,
                "new": bool(
                    rater_question.asker_id == rater and rater_question.answered_at and not rater_question.seen_at
                ),
            }
            for rater_question in questions.select_related("item").order_by("asked_at", "pk")
        ],
        "marks": [{"item": item.public_id, "why": reasons[item.pk]} for item in rated if item.pk in reasons],
    }


def _current_id(item: Item) -> Any:
    """Return the id of the item, or of the first one that replaces it."""
    current_items = replacement_items(item) if item.retired_at else [item]
    return current_items[0].public_id if current_items else None
