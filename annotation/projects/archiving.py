"""Archive and unarchive projects. An archived project accepts no ratings; it can still be read and exported.

Archiving takes effect at once: the queue gives no work, and saves, imported ratings and adjudications are refused with
the reason. Members can still change, as people must be able to leave. Leases stay until they expire, so that raters can
continue if the project is unarchived soon.
"""

from django.db import transaction

from ..audit import record
from ..models import Project, User
from ..queue.errors import ProjectArchived
from ..site.database_clock import database_now
from .create import add_responses


def require_not_archived(project: Project, message: str) -> None:
    """Raise ProjectArchived with `message` if the project is archived by now."""
    if Project.objects.filter(pk=project.pk, archived_at__isnull=False).exists():
        raise ProjectArchived(message)


@transaction.atomic
def archive(project: Project, *, actor: User | None = None) -> None:
    """Archive the project. A second call changes nothing."""
    now = database_now()
    if Project.objects.filter(pk=project.pk, archived_at=None).update(archived_at=now):
        project.archived_at = now
        record(actor, "archive project", f"project:{project.slug}", project=project)


@transaction.atomic
def unarchive(project: Project, *, actor: User | None = None) -> None:
    """Let people rate again, and add responses imported meanwhile. A second call changes nothing."""
    if Project.objects.filter(pk=project.pk, archived_at__isnull=False).update(archived_at=None):
        project.archived_at = None
        added = add_responses(project)
        record(actor, "unarchive project", f"project:{project.slug}", project=project, after={"responses added": added})
