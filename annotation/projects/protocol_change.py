"""Change the protocol of a project without ratings, so that stored answers keep their meaning."""

from django.db import transaction

from ..audit import record
from ..i18n.unit_names import unit_words
from ..models import Assignment, Project, ProtocolVersion, Rating, User
from ..queue.errors import ProjectError
from ..queue.slots import lock_project


def has_ratings(project: Project) -> bool:
    """Return whether a rater has leased work in the project, or ratings were imported."""
    return (
        Assignment.objects.filter(project=project).exists() or Rating.objects.filter(project=project).exists()
    )  # fmt: skip


@transaction.atomic
def change_protocol(project: Project, version: ProtocolVersion, *, actor: User | None) -> Project:
    """Pin the project to another protocol. Raises ProjectError if it is archived or has begun, or for another unit."""
    locked = lock_project(project)
    before = locked.protocol
    if locked.archived_at:
        raise ProjectError(f"project '{locked.slug}' is archived: unarchive it first")
    if has_ratings(locked):
        message = (
            "project '%(slug)s' has started: its ratings were given under %(protocol)s, which it keeps. "
            "Create another project on the same data set for this protocol"
        )
        raise ProjectError(message % {"slug": locked.slug, "protocol": before})
    if before.definition.unit != version.definition.unit:
        message = "project '%(slug)s' rates by %(unit)s, and this protocol by %(other)s: create another project for it"
        units = {"unit": unit_words(before.definition.unit), "other": unit_words(version.definition.unit)}
        raise ProjectError(message % {"slug": locked.slug, **units})
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
