"""In which words raters were asked. A protocol that comes with Factuary is shown in the rater's language; that these
were not its own words is a fact about the rating, so it is recorded when work is sent to be shown, once for each
language. What was shown and never rated, as what was given ahead and went back, is told to nobody.
"""

from django.db.models import Count, Exists, OuterRef, QuerySet, UUIDField
from django.db.models.functions import Cast, Substr

from ..audit import record
from ..i18n.protocol_translation import wording_of
from ..models import Assignment, AuditEvent, Project, Rating

SHOWN_ACTION = "show in translation"
_WORK = "assignment:"


def record_question_language(assignment: Assignment) -> None:
    """Record that the rater is shown the protocol in the page's language, unless those are the protocol's own words."""
    language, target = wording_of(assignment.project.protocol.definition), f"{_WORK}{assignment.public_id}"
    if language and not _shown_in(assignment.project).filter(target=target, after=language).exists():
        record(assignment.rater, SHOWN_ACTION, target, project=assignment.project, after=language)


def count_question_languages(project: Project) -> dict[str, int]:
    """By language: how many readings have ratings that count and were saved after the protocol's words were shown
    translated into it. A later look in another language changes nothing, so it follows from the ratings."""
    saved = Rating.objects.filter(assignment__public_id=OuterRef("work"), counted=True, rated_at__gte=OuterRef("at"))
    shown = _shown_in(project).annotate(work=Cast(Substr("target", len(_WORK) + 1), UUIDField())).filter(Exists(saved))
    found = shown.order_by().values_list("after").annotate(n=Count("work", distinct=True))
    return {str(language): n for language, n in sorted(found)}


def _shown_in(project: Project) -> QuerySet[AuditEvent]:
    return AuditEvent.objects.filter(project=project, action=SHOWN_ACTION, target__startswith=_WORK)
