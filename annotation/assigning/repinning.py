"""Another protocol for a project in which nobody has begun: what was answered under one keeps its meaning."""

from django.db import transaction

from ..audit import record
from ..models import Assignment, Project, ProtocolVersion, Rating, User
from .places import lock_project
from .projects import ProjectError


def has_begun(project: Project) -> bool:
    """Whether somebody has taken work in it, or ratings were imported."""
    return (
        Assignment.objects.filter(project=project).exists() or Rating.objects.filter(project=project).exists()
    )  # fmt: skip


@transaction.atomic
def repin(project: Project, version: ProtocolVersion, *, actor: User | None) -> Project:
    """Pin the project to another protocol. Raises ProjectError where that would change what is there already."""
    locked = lock_project(project)
    before = locked.protocol
    if locked.archived_at:
        raise ProjectError(f"project {locked.slug!r} is archived: unarchive it first")
    if has_begun(locked):
        raise ProjectError(
            f"project {locked.slug!r} has begun: its ratings were given under {before}, which it keeps. Make another "
            "project on the same data set for this protocol"
        )
    if before.definition.unit != version.definition.unit:
        raise ProjectError(
            f"project {locked.slug!r} asks about a {before.definition.unit}, and this protocol about a "
            f"{version.definition.unit}: make another project for it"
        )
    locked.protocol = version
    locked.save(update_fields=["protocol"])
    names = [f"{pinned.slug} {pinned.version}" for pinned in (before, version)]
    record(
        actor,
        "change protocol",
        f"project:{locked.slug}",
        project=locked,
        before={"protocol": names[0]},
        after={"protocol": names[1]},
    )
    return locked
