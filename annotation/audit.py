"""Who did what. Verbs call `record` in their own transaction; nothing else writes the audit."""

from typing import Any

from .models import AuditEvent, Project, User


def record(
    actor: User | None,
    action: str,
    target: str,
    *,
    project: Project | None = None,
    before: Any = None,
    after: Any = None,
) -> AuditEvent:
    """Write one line: `actor` (None for a command) did `action` to `target`, with JSON-ready states around it."""
    return AuditEvent.objects.create(
        actor=actor, action=action, target=target, project=project, before=before, after=after
    )
