"""What a rater reads: a sheet's items with the rater's own answers, a pair in random order, the language of questions.

A built-in protocol is shown in the rater's language. A translation is recorded when work is shown, once per language;
reports count it only for work that was rated.
"""

from functools import cache
from typing import Any

from django.db.models import Count, Exists, F, FilteredRelation, OuterRef, Q, QuerySet, UUIDField, Value
from django.db.models.functions import Cast, Substr

from ..audit import record
from ..i18n.protocol_translation import shown_language
from ..models import Assignment, AuditEvent, Project, Rating, Response
from ..models.rated_items import rated_among
from ..protocols import are_swapped, in_rater_order
from ..queue.sheets import items_of, responses_of, sheet_of
from ..site.composed_queries import ComposedQuery


def answered_items(assignment: Assignment) -> list[Any]:
    """Return the sheet's items in order with the rater's `answers`, in their order of a pair, `version`, `comment`,
    `evidence`, `suggestions` and `seconds`; all None before the first answer. `rate`: whether
    the project asks about it.
    """
    protocol, responses = assignment.project.protocol.definition, responses_of(assignment.sheet)
    query = _answered_items(protocol.unit, len(responses))
    items = query.all(assignment.project_id, assignment.rater_id, *responses)
    rated = rated_among(assignment.project, items)
    for item in items:
        item.rate = item.pk in rated
        if item.answers is not None:
            item.answers = in_rater_order(protocol, assignment.public_id, item.answers)
    return items


@cache
def _answered_items(unit: str, responses: int) -> ComposedQuery[Any]:
    """Return the query whose values are project, rater, and the response, or both of a pair."""

    def compose(project: Value, rater: Value, *responses: Value) -> QuerySet[Any]:
        own = Q(ratings__project=project, ratings__rater=rater, ratings__role=Rating.Role.RATER)
        return (
            items_of(sheet_of(*responses), unit)
            .annotate(own=FilteredRelation("ratings", condition=own))
            .annotate(answers=F("own__answers"), version=F("own__version"), comment=F("own__comment"))
            .annotate(evidence=F("own__evidence"), suggestions=F("own__suggestions"), seconds=F("own__seconds"))
        )

    return ComposedQuery(compose, 2 + responses)


def responses_as_seen(assignment: Assignment) -> list[Response]:
    """Return the one response of a sheet, or both in the rater's order."""
    sheet, protocol = assignment.sheet, assignment.project.protocol.definition
    if sheet.against is None:
        return [sheet.response]
    pair = [sheet.response, sheet.against]
    return pair[::-1] if are_swapped(protocol, assignment.public_id) else pair


SHOWN_ACTION = "show in translation"
_TARGET_PREFIX = "assignment:"


def record_question_language(assignment: Assignment) -> None:
    """Record that the rater sees the protocol translated into the page's language, if it is translated."""
    language, target = shown_language(assignment.project.protocol.definition), f"{_TARGET_PREFIX}{assignment.public_id}"
    if language and not _translation_events(assignment.project).filter(target=target, after=language).exists():
        record(assignment.rater, SHOWN_ACTION, target, project=assignment.project, after=language)


def count_question_languages(project: Project) -> dict[str, int]:
    """Return by language how many readings have counted ratings saved after the questions were shown in it."""
    saved = Rating.objects.filter(assignment__public_id=OuterRef("work"), counted=True, rated_at__gte=OuterRef("at"))
    events = (
        _translation_events(project)
        .annotate(work=Cast(Substr("target", len(_TARGET_PREFIX) + 1), UUIDField()))
        .filter(Exists(saved))
    )
    counts = events.order_by().values_list("after").annotate(n=Count("work", distinct=True))
    return {str(language): n for language, n in sorted(counts)}


def _translation_events(project: Project) -> QuerySet[AuditEvent]:
    return AuditEvent.objects.filter(project=project, action=SHOWN_ACTION, target__startswith=_TARGET_PREFIX)
