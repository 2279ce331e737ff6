"""Archiving a project: nobody rates in it any more; it can be read and exported as before, and taken up again.

It takes effect at once: the queue gives nothing, and saves, imported ratings and verdicts are refused with a word why.
Who is in the project can change: people must always be able to leave. Leases are left as they are and
run out by themselves, so that whoever was in the middle of a response goes on there when the project is unarchived
soon.
"""

from django.db import transaction
from django.utils import timezone

from ..audit import record
from ..models import Project, User
from ..queue.errors import ProjectArchived
from .create import add_responses


def require_not_archived(project: Project, otherwise: str) -> None:
    """Raises ProjectArchived with the words `otherwise` if it is archived by now."""
    if Project.objects.filter(pk=project.pk, archived_at__isnull=False).exists():
        raise ProjectArchived(otherwise)


@transaction.atomic
def archive(project: Project, *, actor: User | None = None) -> None:
    """Archive the project. A second call changes nothing."""
    now = timezone.now()
    if Project.objects.filter(pk=project.pk, archived_at=None).update(archived_at=now):
        project.archived_at = now
        record(actor, "archive project", f"project:{project.slug}", project=project)


@transaction.atomic
def unarchive(project: Project, *, actor: User | None = None) -> None:
    """Let people rate again; responses that were loaded meanwhile come in. A second call changes nothing."""
    if Project.objects.filter(pk=project.pk, archived_at__isnull=False).update(archived_at=None):
        project.archived_at = None
        added = add_responses(project)
        record(actor, "unarchive project", f"project:{project.slug}", project=project, after={"responses added": added})
