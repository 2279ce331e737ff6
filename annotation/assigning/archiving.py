"""Archiving a project: nobody rates in it any more; it can be read and exported as before, and taken up again.

It takes effect at once: the queue gives nothing, and saves are refused with a word why. Leases are left as they are and
run out by themselves, so that whoever was in the middle of a response goes on there when the project is unarchived
soon.
"""

from django.db import transaction
from django.utils import timezone

from ..audit import record
from ..models import Project, User
from .projects import add_responses


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
