"""In which words raters were asked. A protocol that comes with Factuary is shown in the rater's language; that these
were not its own words is a fact about the rating, so it is recorded when work is shown, once for each language.
"""

from django.db.models import Count, QuerySet

from ..audit import record
from ..models import Assignment, AuditEvent, Project
from ..protocol_words import wording_of

SHOWN = "show in translation"


def note_wording(assignment: Assignment) -> None:
    """Record that the rater is shown the protocol in the page's language, unless those are the protocol's own words."""
    language, target = wording_of(assignment.project.protocol.definition), f"assignment:{assignment.public_id}"
    if language and not _shown_in(assignment.project).filter(target=target, after=language).exists():
        record(assignment.rater, SHOWN, target, project=assignment.project, after=language)


def wordings_of(project: Project) -> dict[str, int]:
    """By language: how many times a response was shown to a rater with the protocol's words translated into it."""
    found = _shown_in(project).order_by().values_list("after").annotate(n=Count("target", distinct=True))
    return {str(language): n for language, n in found}


def _shown_in(project: Project) -> QuerySet[AuditEvent]:
    return AuditEvent.objects.filter(project=project, action=SHOWN)
