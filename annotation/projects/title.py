"""A project's title. Its short name, which is in addresses and exports, stays."""

from django.db import transaction

from ..audit import change_setting
from ..models import Project, User
from ..queue.errors import ProjectError

MAX_LENGTH = 200


@transaction.atomic
def set_title(project: Project, title: str, *, actor: User | None = None) -> Project:
    """Set the title. Frozen reports keep the one that they have. Raises ProjectError."""
    title = " ".join(title.split())
    if not title or len(title) > MAX_LENGTH:
        raise ProjectError(f"use a title of 1 to {MAX_LENGTH} characters")
    return change_setting(project, "title", title, "set title", actor=actor)
