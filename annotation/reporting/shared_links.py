"""Links to one frozen report, for readers without an account.

A link is a random key in an address. Only its SHA-256 is stored, so reading the database does not give access to a
report; the address is shown once, when the link is created.
"""

import secrets

from django.db import transaction

from ..audit import record
from ..models import Report, ReportLink, User
from ..models.users import digest_of
from ..site.database_clock import database_now

KEY_BYTES = 24
MAX_NOTE_LENGTH = 200


@transaction.atomic
def make_link(
    report: Report, *, with_names: bool = False, note: str = "", actor: User | None = None
) -> tuple[ReportLink, str]:
    """Create a link to `report`; return it and its key, which is not stored. `with_names`: no pseudonyms for raters."""
    key = secrets.token_urlsafe(KEY_BYTES)
    note = " ".join(note.replace("\x00", "").split())[:MAX_NOTE_LENGTH]
    link = ReportLink.objects.create(
        report=report, digest=digest_of(key), with_names=with_names, note=note, made_by=actor
    )
    record(
        actor, "make report link", f"link:{link.public_id}", project=report.project,
        after={"report": str(report.public_id), "with_names": with_names, "note": note},
    )  # fmt: skip
    return link, key


@transaction.atomic
def revoke_link(link: ReportLink, *, actor: User | None = None) -> ReportLink:
    """Revoke a link. Revoking it again changes nothing."""
    link = ReportLink.objects.select_for_update(of=("self",)).select_related("report__project").get(pk=link.pk)
    if link.revoked_at is None:
        link.revoked_at = database_now()
        link.save(update_fields=["revoked_at"])
        after = {"report": str(link.report.public_id)}
        record(actor, "revoke report link", f"link:{link.public_id}", project=link.report.project, after=after)
    return link


def find_link(key: str) -> ReportLink | None:
    """Return the link that has this key, unless it was revoked."""
    links = ReportLink.objects.select_related("report__project__protocol").filter(revoked_at=None)
    return links.filter(digest=digest_of(key)).first()
