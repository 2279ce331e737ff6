"""One rater's answers about one response, for leads: where flags, questions and disputes lead to."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from ...access import project_for
from ...models import Assignment, Item, Project, RaterQuestion, Rating
from ...projects.responses import FLAGGED
from ...protocols import Option
from ...rating.evidence import paragraph_texts
from ...rating.rater_view import answered_items
from ...reviewing.disagreements import options_of
from ...reviewing.lead_ratings import current_ratings
from ..authentication import Request
from ..rating.sheet_html import reference_of, responses_of
from .anonymity import Anonymity
from .item_context import ItemRating, describe_rating


@dataclass(frozen=True)
class RatedItem:
    """An item of the response: the rater's rating, flag and questions, and the options of the current decision."""

    item: Item
    item_rating: ItemRating | None
    is_flagged: bool
    questions: list[RaterQuestion]
    decision: tuple[Option, ...]


@require_safe
def rater_response(request: Request, slug: str, public_id: UUID) -> HttpResponse:
    """Show the answers of an assignment. With `?anonymous` the rater is a letter while the review hides names."""
    project = project_for(request.user, slug, needs="lead")
    related = ("rater", "project__protocol", "slot", "sheet__exclusion", "sheet__against", "sheet__response__system")
    assignments = Assignment.objects.select_related(*related, "sheet__response__prompt__document")
    assignment = get_object_or_404(assignments, project=project, public_id=public_id)
    anonymity, response = Anonymity(request, project), assignment.sheet.response
    rater_name = anonymity.rater(assignment.rater) if "anonymous" in request.GET else str(assignment.rater)
    items = [item for item in answered_items(assignment) if item.rate]
    rows = _rows(project, assignment, items, rater_name)
    ratings = [row.item_rating.rating for row in rows if row.item_rating]
    reference = reference_of(project.protocol.translated, response.prompt)
    context = {
        "project": project,
        "assignment": assignment,
        "rater_name": rater_name,
        "unit": project.protocol.definition.unit,
        "prompt": response.prompt,
        "document": assignment.sheet.document,
        "system": anonymity.system(response.system),
        "responses": responses_of([response, assignment.sheet.against], items, reference),
        "rows": rows,
        "rated": len(ratings),
        "seconds": sum(rating.seconds or 0 for rating in ratings),
    }
    return render(request, "review/rater_response.html", context)


def _rows(project: Project, assignment: Assignment, items: Sequence[Item], rater_name: str) -> list[RatedItem]:
    protocol = project.protocol.translated
    ratings = _own_ratings(project, assignment, items, rater_name)
    flagged = set(assignment.bookmarks.filter(FLAGGED).values_list("item", flat=True))
    questions: dict[int, list[RaterQuestion]] = defaultdict(list)
    for question in RaterQuestion.objects.filter(project=project, asker=assignment.rater, item__in=items):
        questions[question.item_id].append(question)
    decisions = {
        rating.item_id: options_of(protocol, rating.answers)
        for rating in current_ratings(project, Rating.Role.ADJUDICATOR).filter(item__in=items)
    }
    return [
        RatedItem(item, ratings.get(item.pk), item.pk in flagged, questions[item.pk], tuple(decisions.get(item.pk, ())))
        for item in items
    ]


def _own_ratings(
    project: Project, assignment: Assignment, items: Sequence[Item], rater_name: str
) -> Mapping[int, ItemRating]:
    paragraphs = paragraph_texts(assignment.sheet.document)
    own = Rating.objects.filter(project=project, rater=assignment.rater, role=Rating.Role.RATER, item__in=items)
    return {
        rating.item_id: describe_rating(rating, rater_name, project.protocol.translated, paragraphs)
        for rating in own.select_related("assignment")
    }
