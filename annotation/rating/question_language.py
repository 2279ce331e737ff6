"""The language in which raters read the questions.

A built-in protocol is shown in the rater's language. A translation is recorded when work is shown, once per language;
reports count it only for work that was rated.
"""

from django.db.models import Count, Exists, OuterRef, QuerySet, UUIDField
from django.db.models.functions import Cast, Substr

from ..audit import record
from ..i18n.protocol_translation import shown_language
from ..models import Assignment, AuditEvent, Project, Rating

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
