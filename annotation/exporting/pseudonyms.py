"""Pseudonyms: one name for each rater of a project, the same in its exports, bundles and shared reports.

A pseudonymous report keeps every figure. Its `data.sha256` is replaced: the hash covers rows with names, so a reader
with the pseudonymous rows could find the names by trying candidates until the hash matches.
"""

import hmac
from hashlib import sha256

from msgspec.structs import replace

from ..jobs import Refused
from ..models import Project
from ..reporting.provenance_record import Provenance
from ..reporting.report import Report
from ..site.secret_key import secret_key
from .rater_names import rename_raters, rename_raters_of_record


class Pseudonyms:
    """A name for each rater that is the same in every export of a project, and differs between projects.

    HMAC-SHA256 of the user name, keyed with the site's SECRET_KEY and the project: without the key, trying names does
    not reveal the rater. Raises Refused without a key.
    """

    def __init__(self, project: Project):
        if not (secret := secret_key()):
            raise Refused(["SECRET_KEY is not set: pseudonyms are made with it; set it to the server's"])
        scope = f"factuary.pseudonym:{project.pk}:{project.created_at.isoformat()}"
        self._key = hmac.digest(secret.encode(), scope.encode(), sha256)
        self._known: dict[str, str] = {}

    def pseudonym(self, name: str) -> str:
        """Return the pseudonym of the rater with this user name."""
        if name not in self._known:
            self._known[name] = f"rater-{hmac.digest(self._key, name.encode(), sha256).hex()[:12]}"
        return self._known[name]

    def of_hash(self, data_sha256: str) -> str:
        """Return a keyed hash that replaces a hash of data with names: the same for the same data."""
        return hmac.digest(self._key, f"data:{data_sha256}".encode(), sha256).hex()


def pseudonymous(report: Report, names: Pseudonyms, data_sha256: str = "") -> Report:
    """Return the report with pseudonyms for the raters. `data_sha256` is the hash of the pseudonymous data, if
    available; otherwise a keyed hash replaces it.
    """
    renamed = rename_raters(report, names.pseudonym)
    return replace(renamed, data=replace(report.data, sha256=data_sha256 or names.of_hash(report.data.sha256)))


def pseudonymous_provenance(record: Provenance, names: Pseudonyms) -> Provenance:
    """Return the record with pseudonyms for the raters, in their order."""
    return rename_raters_of_record(record, names.pseudonym)
