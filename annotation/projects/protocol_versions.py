"""Storing protocols: a loaded file becomes an immutable version that projects pin.

The newest version under a name is what new projects get, anywhere on the site. So the names of the protocols that come
with the program are the program's, and to one's own only whoever stored its first version, or an admin, adds others.
"""

from django.db import transaction
from django.utils.translation import gettext as _

from .. import protocols
from ..audit import record
from ..models import AuditEvent, ProtocolVersion, User
from ..protocols.toml_lines import line_numbers, line_of

LOADED = "load protocol"


class ProtocolClash(ValueError):
    """Another text is stored under the same slug and version."""


def read_custom_protocol(source: str, *, actor: User | None) -> protocols.Protocol:
    """The protocol that `actor` (None for a command) may store. Raises protocols.ProtocolError, also where the name is
    another's, or ProtocolClash."""
    protocol = protocols.load(source)
    stored = ProtocolVersion.objects.filter(slug=protocol.slug, version=protocol.version).first()
    if stored and stored.sha256 == protocol.sha256:
        return protocol
    if why := _why_taken(protocol, actor):
        line = line_of(line_numbers(protocol.source), ("slug",))
        raise protocols.ProtocolError([protocols.Problem(line, why)])
    if stored:
        message = _(
            "version %(version)s of protocol '%(slug)s' is stored already with another text, and a stored version "
            "never changes: give the new text a new version"
        )
        raise ProtocolClash(message % {"version": protocol.version, "slug": protocol.slug})
    return protocol


def _why_taken(protocol: protocols.Protocol, actor: User | None) -> str:
    """Why the name is not the actor's to use; empty if it is."""
    if own := protocols.builtin().get(protocol.slug):
        if own.sha256 == protocol.sha256:
            return ""
        return _(
            "slug '%(slug)s' is the name of a protocol that comes with the program; choose another one, such as "
            "'own-%(slug)s'"
        ) % {"slug": protocol.slug}
    if actor is None or actor.is_admin or not ProtocolVersion.objects.filter(slug=protocol.slug).exists():
        return ""
    first = AuditEvent.objects.filter(action=LOADED, target=_target(protocol)).order_by("at", "pk").first()
    if first and first.actor_id == actor.pk:
        return ""
    return _(
        "slug '%(slug)s' is the name of a protocol that somebody else has stored, and only they or an admin add "
        "versions to it; choose another name"
    ) % {"slug": protocol.slug}


def _target(protocol: protocols.Protocol) -> str:
    return f"protocol:{protocol.slug}"


@transaction.atomic
def store_protocol(source: str, *, actor: User | None = None) -> tuple[ProtocolVersion, bool]:
    """The version row for `source` and whether it is new. Raises protocols.ProtocolError or ProtocolClash."""
    protocol = read_custom_protocol(source, actor=actor)
    version, is_new = ProtocolVersion.objects.get_or_create(  # two may ask for a built-in one at the same moment
        slug=protocol.slug,
        version=protocol.version,
        sha256=protocol.sha256,
        defaults={"title": protocol.title, "source": protocol.source},
    )
    if is_new:
        after = {"version": protocol.version, "sha256": protocol.sha256}
        record(actor, LOADED, _target(protocol), after=after)
    return version, is_new


def newest_protocol(slug: str) -> ProtocolVersion | None:
    """Of a protocol that comes with the program the version that does, stored when it is first asked for after an
    upgrade; else the version stored last under `slug`. None if there is neither."""
    if own := protocols.builtin().get(slug):
        try:
            return store_protocol(own.source)[0]
        except ProtocolClash:  # somebody has stored this version with another text while names were free to take
            pass
    return ProtocolVersion.objects.filter(slug=slug).order_by("-created_at", "-pk").first()


def available_protocols() -> list[ProtocolVersion]:
    """The newest version of every protocol that a project can use, by title."""
    slugs = set(protocols.builtin()) | set(ProtocolVersion.objects.values_list("slug", flat=True))
    found = [newest_protocol(slug) for slug in slugs]
    return sorted((p for p in found if p), key=lambda p: p.title)
