"""Finishing a response: from then on its ratings count."""

from functools import cache
from uuid import UUID

from django.db import connection, transaction
from django.db.models import QuerySet, Value
from django.utils.translation import ngettext

from ..models import Assignment, Item, Project, Purpose, Rating
from ..models.rated_items import is_drawn, is_rateable, is_rated
from ..protocols import problems
from ..qualification.pausing import after_finishing
from ..queue.leases import expiry, lock_held_slot
from ..queue.sheets import items_of, responses_of, sheet_of
from ..site.composed_queries import ComposedQuery
from ..site.database_clock import database_now
from ..webhooks import queue_finished_response
from .whole_response_questions import protocol_for_item


class StillOpen(ValueError):
    """Some items have no answer. `.open` are their public ids, in order."""

    def __init__(self, items: list[UUID]):
        n = len(items)
        super().__init__(ngettext("One item has no answer.", "%(n)s items have no answer.", n) % {"n": n})
        self.open = items


def finish(assignment: Assignment) -> str:
    """Finish the response: its ratings count from now on. A second call changes nothing.

    Returns the result of the checks, `paused`, `failed` or mostly an empty string (see `qualification.pausing`). Raises
    LeaseLost, RaterPaused, ProjectArchived, or StillOpen if rated items have no answer.
    """
    _finish(assignment)
    return after_finishing(assignment)  # in another transaction: it locks the membership, as leasing work does first


@transaction.atomic
def _finish(assignment: Assignment) -> None:
    slot = lock_held_slot(assignment)
    if slot.finished_at:
        return
    if missing := open_items(assignment):
        raise StillOpen([item.public_id for item in missing])
    now, is_first_time = database_now(), slot.was_finished_at is None
    slot.finished_at, slot.was_finished_at, slot.expires_at = now, None, expiry(now)
    assignment.finished_at, assignment.released_at = now, None
    with connection.cursor() as cursor:
        cursor.execute(
            _FINISH, {"now": now, "expires_at": slot.expires_at, "slot": slot.pk, "assignment": assignment.pk}
        )
        if assignment.purpose == Purpose.WORK:
            values = {
                "project": assignment.project_id,
                "rater": assignment.rater_id,
                "response": assignment.sheet.response_id,
                "against": assignment.sheet.against_id,
                "unit": assignment.project.protocol.definition.unit,
            }
            cursor.execute(_COUNT_RATINGS, values)
    queue_finished_response(assignment, is_first_time=is_first_time)


# Written as SQL because Django took longer to compose the statements than the database takes to run them. Ratings are
# counted by a statement of their own, whose trigger finds the assignment finished.
_FINISH = """
    WITH finished_slot AS (
        UPDATE annotation_slot SET finished_at = %(now)s, was_finished_at = NULL, expires_at = %(expires_at)s
        WHERE id = %(slot)s
    )
    UPDATE annotation_assignment SET finished_at = %(now)s, released_at = NULL WHERE id = %(assignment)s
"""
_COUNT_RATINGS = """
    UPDATE annotation_rating rating SET counted = TRUE
    FROM annotation_item item
    WHERE item.response_id = %(response)s AND item.against_id IS NOT DISTINCT FROM %(against)s::bigint
        AND item.unit = %(unit)s AND item.retired_at IS NULL AND rating.item_id = item.id
        AND rating.project_id = %(project)s AND rating.rater_id = %(rater)s AND rating.role = 'rater'
        AND NOT rating.counted
"""


def open_items(assignment: Assignment) -> list[Item]:
    """Return the rated items that the rater has not answered, in order.

    The last item is among them also if the answers about the whole response belonged to an item retired since.
    """
    protocol, responses = assignment.project.protocol.definition, responses_of(assignment.sheet)
    project = assignment.project
    query = _unanswered_items(protocol.unit, len(responses), project.skips_claim_free, bool(project.sampling_design))
    unanswered = query.all(assignment.project_id, assignment.rater_id, *responses)
    if not protocol.asks_once:
        return unanswered
    last = items_of(assignment.sheet, protocol.unit).filter(is_rated(assignment.project)).last()
    if last and last not in unanswered:
        own = Rating.objects.filter(project=assignment.project_id, rater=assignment.rater_id, role=Rating.Role.RATER)
        wrong = problems(protocol_for_item(assignment.project, protocol, last.pk, own), own.get(item=last).answers)
        unanswered += [last] if wrong.keys() & set(protocol.once_keys) else []
    return unanswered


@cache
def _unanswered_items(unit: str, responses: int, skips_claim_free: bool, has_sample: bool) -> ComposedQuery[Item]:
    """Return the query whose values are project, rater, and the response, or both of a pair."""
    project_settings = Project(skips_claim_free=skips_claim_free)

    def compose(project: Value, rater: Value, *responses: Value) -> QuerySet[Item]:
        own = Rating.objects.filter(project=project, rater=rater, role=Rating.Role.RATER)
        items = items_of(sheet_of(*responses), unit).filter(is_rateable(project_settings))
        items = items.filter(is_drawn(project)) if has_sample else items
        return items.exclude(pk__in=own.values("item"))

    return ComposedQuery(compose, 2 + responses)
