"""Store protocols: a loaded file becomes an immutable version that projects pin, and may change until they begin.

New projects on the whole site get the newest version under a name. So the names of built-in protocols are reserved, and
only the person who stored the first version of a custom protocol, or an admin, can add versions to it.
"""

from collections.abc import Collection
from contextlib import suppress

from django.db import transaction
from django.db.models import QuerySet

from .. import protocols
from ..access import PROTOCOL_STORED
from ..audit import record
from ..i18n.unit_names import unit_words
from ..models import Assignment, AuditEvent, Project, ProtocolVersion, Rating, User
from ..protocols.toml_lines import line_numbers, line_of
from ..queue.errors import ProjectError
from ..queue.slots import lock_project


class ProtocolClash(ValueError):
    """Another text is stored under the same slug and version."""


def read_custom_protocol(source: str, *, actor: User | None) -> protocols.Protocol:
    """Return the protocol of `source`, which `actor` (None for a command) may store. Raises protocols.ProtocolError,
    also if the name belongs to another user, or ProtocolClash.
    """
    protocol = protocols.load(source)
    stored = ProtocolVersion.objects.filter(slug=protocol.slug, version=protocol.version).first()
    if stored and stored.sha256 == protocol.sha256:
        return protocol
    if reason := _name_refusal(protocol, actor):
        line = line_of(line_numbers(protocol.source), ("slug",))
        raise protocols.ProtocolError([protocols.Problem(line, reason, ("slug",))])
    if stored:
        raise ProtocolClash(
            f"version {protocol.version} of protocol '{protocol.slug}' is already stored with another text, and a "
            "stored version never changes: give the new text a new version"
        )
    return protocol


def _name_refusal(protocol: protocols.Protocol, actor: User | None) -> str:
    """Return why the actor may not use the name, or an empty string."""
    if builtin := protocols.builtin().get(protocol.slug):
        if builtin.sha256 == protocol.sha256 or protocol.sha256 in protocols.earlier_builtin():
            return ""
        return (
            f"slug '{protocol.slug}' is the name of a built-in protocol; choose another one, such as "
            f"'own-{protocol.slug}'"
        )
    if actor is None or actor.is_admin or not ProtocolVersion.objects.filter(slug=protocol.slug).exists():
        return ""
    first = AuditEvent.objects.filter(action=PROTOCOL_STORED, target=_target(protocol)).order_by("at", "pk").first()
    if first and first.actor_id == actor.pk:
        return ""
    return (
        f"slug '{protocol.slug}' is the name of another user's protocol, and only that user or an admin can "
        "add versions; choose another name"
    )


def _target(protocol: protocols.Protocol) -> str:
    return f"protocol:{protocol.slug}"


@transaction.atomic
def store_protocol(source: str, *, actor: User | None = None) -> tuple[ProtocolVersion, bool]:
    """Return the version row for `source` and whether it is new. Raises protocols.ProtocolError or ProtocolClash."""
    protocol = read_custom_protocol(source, actor=actor)
    version, is_new = ProtocolVersion.objects.get_or_create(  # two requests may store a built-in one at once
        slug=protocol.slug,
        version=protocol.version,
        sha256=protocol.sha256,
        defaults={"title": protocol.title, "source": protocol.source},
    )
    if is_new:
        after = {"version": protocol.version, "sha256": protocol.sha256}
        record(actor, PROTOCOL_STORED, _target(protocol), after=after)
    return version, is_new


def store_builtin_protocols(slug: str = "") -> None:
    """Store the built-in protocols, or the one called `slug`, that are not stored yet, as after an upgrade. One query
    if all are.
    """
    builtin = {protocol.sha256: protocol for protocol in protocols.builtin().values() if slug in ("", protocol.slug)}
    stored = ProtocolVersion.objects.filter(sha256__in=builtin).values_list("sha256", flat=True)
    for sha256 in builtin.keys() - set(stored):
        with suppress(ProtocolClash):  # stored with another text before names were reserved
            store_protocol(builtin[sha256].source)


def newest_protocol(slug: str) -> ProtocolVersion | None:
    """Return the current version of a built-in protocol, else the newest stored version of `slug`, or None."""
    store_builtin_protocols(slug)
    return next(iter(_newest_versions(ProtocolVersion.objects.filter(slug=slug))), None)


def find_protocol(name: str) -> ProtocolVersion | None:
    """Return the protocol SLUG, as `newest_protocol` does, or SLUG@VERSION; None if there is none."""
    slug, _at, version = name.partition("@")
    newest = newest_protocol(slug)
    if not version:
        return newest
    for protocol in protocols.earlier_builtin().values():
        if (protocol.slug, protocol.version) == (slug, version):
            store_protocol(protocol.source)
    return ProtocolVersion.objects.filter(slug=slug, version=version).first()


def available_protocols() -> list[ProtocolVersion]:
    """Return the version of every protocol that `newest_protocol` returns, by title. Two queries."""
    store_builtin_protocols()
    return sorted(_newest_versions(ProtocolVersion.objects.all()), key=lambda version: version.title)


def _newest_versions(versions: QuerySet[ProtocolVersion]) -> Collection[ProtocolVersion]:
    """Return one of the versions of each slug: the current one of a built-in protocol, else the newest."""
    current = {protocol.sha256 for protocol in protocols.builtin().values()}
    newest: dict[str, ProtocolVersion] = {}
    for version in versions.order_by("created_at", "pk"):
        if version.slug not in newest or newest[version.slug].sha256 not in current:
            newest[version.slug] = version
    return newest.values()


def has_begun(project: Project) -> bool:
    """Return whether a rater has leased work in the project, or ratings were imported."""
    return Assignment.objects.filter(project=project).exists() or Rating.objects.filter(project=project).exists()


@transaction.atomic
def change_protocol(project: Project, version: ProtocolVersion, *, actor: User | None) -> Project:
    """Pin the project to another protocol. Raises ProjectError if it is archived or has begun, or for another unit."""
    locked = lock_project(project)
    before = locked.protocol
    if locked.archived_at:
        raise ProjectError(f"project '{locked.slug}' is archived: unarchive it first")
    if has_begun(locked):
        raise ProjectError(
            f"project '{locked.slug}' has started: its ratings were given under {before}, which it keeps. "
            "Create another project on the same data set for this protocol"
        )
    if before.definition.unit != version.definition.unit:
        unit, other = unit_words(before.definition.unit), unit_words(version.definition.unit)
        raise ProjectError(
            f"project '{locked.slug}' rates by {unit}, and this protocol by {other}: create another project for it"
        )
    locked.protocol = version
    locked.save(update_fields=["protocol"])
    states = [{"protocol": f"{pinned.slug} {pinned.version}"} for pinned in (before, version)]
    record(actor, "change protocol", f"project:{locked.slug}", project=locked, before=states[0], after=states[1])
    return locked
