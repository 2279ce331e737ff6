"""Storing protocols: a loaded file becomes an immutable version that projects pin."""

from django.db import transaction

from .. import protocols
from ..audit import record
from ..models import ProtocolVersion, User


class ProtocolClash(ValueError):
    """Another text is stored under the same slug and version."""


@transaction.atomic
def store_protocol(source: str, *, actor: User | None = None) -> tuple[ProtocolVersion, bool]:
    """The version row for `source` and whether it is new. Raises protocols.ProtocolError or ProtocolClash."""
    protocol = protocols.load(source)
    stored = ProtocolVersion.objects.filter(slug=protocol.slug, version=protocol.version).first()
    if stored and stored.sha256 != protocol.sha256:
        raise ProtocolClash(
            f"version {protocol.version} of protocol {protocol.slug!r} is stored already with another text, and a "
            "stored version never changes: give the new text a new version"
        )
    if stored:
        return stored, False
    version = ProtocolVersion.objects.create(
        slug=protocol.slug,
        version=protocol.version,
        title=protocol.title,
        source=protocol.source,
        sha256=protocol.sha256,
    )
    record(
        actor,
        "load protocol",
        f"protocol:{protocol.slug}",
        after={"version": protocol.version, "sha256": protocol.sha256},
    )
    return version, True


def newest_protocol(slug: str) -> ProtocolVersion | None:
    """The version stored last under `slug`, or the one that comes with the program. None if there is neither."""
    stored = ProtocolVersion.objects.filter(slug=slug).order_by("-created_at", "-pk").first()
    own = protocols.builtin().get(slug)
    if stored is None and own is not None:
        stored, _ = store_protocol(own.source)
    return stored


def available_protocols() -> list[ProtocolVersion]:
    """The newest version of every protocol that a project can use, by title."""
    slugs = set(protocols.builtin()) | set(ProtocolVersion.objects.values_list("slug", flat=True))
    found = [newest_protocol(slug) for slug in slugs]
    return sorted((p for p in found if p), key=lambda p: p.title)
