"""The receipt of an erasure: what was erased and what stays, without the name. It is stored in the audit event."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from django.conf import settings

from .. import __version__
from ..models import AuditEvent, User
from ..site.database_clock import database_now

SCHEMA = "factuary-erasure/1"
ERASE = "erase person"
"""The action of the audit event."""
BACKUPS = "Backups from before the erasure have the person's data until they are deleted."
AFTER_RESTORE = "After restoring such a backup, erase the person again: the pseudonym is the same."
NOT_ERASED = (
    "names that the texts of other people spell differently",
    "names in imported data sets, in answers to questions and in evidence",
    "names in guidelines, protocols and titles, in free text of analysis plans, and in names of uploaded files",
    "files that people downloaded, and the logs of servers",
)


def make_receipt(
    pseudonym: str, deleted: Mapping[str, int], replaced: Mapping[str, int], stays: Mapping[str, tuple[int, str]]
) -> dict[str, Any]:
    """Return the receipt with its hash. The counts are numbers of rows by table."""
    receipt: dict[str, Any] = {
        "schema": SCHEMA,
        "software": __version__,
        "erased_at": database_now().isoformat(timespec="seconds"),
        "pseudonym": pseudonym,
        "deleted": {table: n for table, n in deleted.items() if n},
        "replaced": {table: n for table, n in replaced.items() if n},
        "stays": {table: {"rows": n, "why": why} for table, (n, why) in stays.items() if n},
        "not_erased": list(NOT_ERASED),
        "backups": {"kept": BACKUPS, "restore": AFTER_RESTORE, **_retention()},
    }
    return {**receipt, "sha256": hash_of(receipt)}


def hash_of(receipt: Mapping[str, Any]) -> str:
    """Return the SHA-256 of the JSON without `sha256`: keys sorted, no spaces, UTF-8."""
    content = {key: value for key, value in receipt.items() if key != "sha256"}
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def receipt_of(user: User) -> dict[str, Any] | None:
    """Return the receipt of an erased person; None if the audit has none."""
    event = AuditEvent.objects.filter(action=ERASE, target=f"user:{user.username}").first()
    return dict(event.after) if event and isinstance(event.after, dict) else None


def as_json(receipt: Mapping[str, Any]) -> str:
    """Return the receipt as a JSON file."""
    return json.dumps(receipt, indent=1, ensure_ascii=False) + "\n"


def _retention() -> dict[str, int]:
    """Return how many backups of days and weeks the site keeps; empty if it writes none."""
    if not settings.BACKUP_DIR:
        return {}
    return {"daily": settings.BACKUP_KEEP_DAILY, "weekly": settings.BACKUP_KEEP_WEEKLY}
