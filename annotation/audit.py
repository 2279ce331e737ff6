"""Audit trail: functions that change data call `record` or `record_each` in their own transaction; nothing else writes
audit events.
"""

from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from .models import AuditEvent, Project, User
from .site.database_clock import database_now


def record(
    actor: User | None,
    action: str,
    target: str,
    *,
    project: Project | None = None,
    before: Any = None,
    after: Any = None,
) -> AuditEvent:
    """Store one event: `actor` (None for a command), `action`, `target`, and its states as JSON before and after."""
    return AuditEvent.objects.create(
        actor=actor, action=action, target=target, project=project, before=before, after=after
    )


def record_each(actor: User | None, action: str, changes: Iterable[tuple[str, Any, Any]], *, project: Project) -> None:
    """Store one event for each change (target, before, after) of `project`. One statement for a thousand events."""
    events = [
        AuditEvent(actor=actor, action=action, target=target, project=project, before=before, after=after)
        for target, before, after in changes
    ]
    AuditEvent.objects.bulk_create(events, batch_size=1_000)


def record_download(actor: User | None, target: str, *, project: Project, name: str, with_names: bool) -> AuditEvent:
    """Store that `actor` gets the file `name`, and whether it names raters. None: the reader of a shared link, or a
    command.
    """
    return record(actor, "download file", target, project=project, after={"name": name, "with_names": with_names})


def record_view_of_names(actor: User, project: Project) -> None:
    """Store that an admin sees names of raters that `project` hides: one event a day for each admin."""
    target, action = f"project:{project.slug}", "view hidden names"
    since = database_now() - timedelta(days=1)
    if not AuditEvent.objects.filter(actor=actor, action=action, project=project, at__gte=since).exists():
        record(actor, action, target, project=project)
