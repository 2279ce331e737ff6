"""Raters under pseudonyms: one name for each rater of a project, in its exports, bundles and shared reports alike.

A report under pseudonyms keeps every figure. What is in the order of raters' names gets the order of their pseudonyms,
which would tell otherwise. Its `data.sha256` cannot stay, as it is a hash of rows that hold the names: whoever has the
rows under pseudonyms could find out who is who by trying names until the hash comes out.
"""

import hmac
from hashlib import sha256
from typing import Any

from ..jobs import Refused
from ..models import Project
from ..reporting.compute.breakdowns import RATER
from ..site.secret_key import secret_key

Report = dict[str, Any]


class Pseudonyms:
    """A name for each rater that is the same in every export of a project, and another one in every other project.

    HMAC-SHA256 of the user name, keyed with the site's SECRET_KEY and the project: without the key nobody can find the
    name by trying names. Raises Refused where there is no key.
    """

    def __init__(self, project: Project):
        if not (secret := secret_key()):
            raise Refused(["SECRET_KEY is not set: pseudonyms are made with it; set it to the server's"])
        scope = f"factuary.pseudonym:{project.pk}:{project.created_at.isoformat()}"
        self._key = hmac.digest(secret.encode(), scope.encode(), sha256)
        self._known: dict[str, str] = {}

    def of(self, name: str) -> str:
        """The pseudonym of the rater with this user name."""
        if name not in self._known:
            self._known[name] = f"rater-{hmac.digest(self._key, name.encode(), sha256).hex()[:12]}"
        return self._known[name]

    def of_hash(self, data_sha256: str) -> str:
        """A keyed hash in the place of a hash of data with names: the same for the same data."""
        return hmac.digest(self._key, f"data:{data_sha256}".encode(), sha256).hex()


def pseudonymous(report: Report, names: Pseudonyms, data_sha256: str = "") -> Report:
    """The report with pseudonyms for the raters. `data_sha256` is the hash of the data under the same pseudonyms, where
    these are at hand; otherwise a keyed hash takes its place.
    """
    data = report["data"] | {"sha256": data_sha256 or names.of_hash(report["data"]["sha256"])}
    changed = report | {"data": data, "by": _by(report["by"], names)}
    if without := report.get("filters", {}).get("without_raters"):
        changed["filters"] = report["filters"] | {"without_raters": sorted(map(names.of, without))}
    if "raters" in report:
        changed["raters"] = _renamed(report["raters"], "rater", names)
    changed["agreement"] = {key: _agreement(of, names) for key, of in report["agreement"].items()}
    return changed


def _by(by: dict[str, list[Report]], names: Pseudonyms) -> dict[str, list[Report]]:
    return {key: _renamed(cells, "value", names) if key == RATER else cells for key, cells in by.items()}


def _renamed(rows: list[Report], key: str, names: Pseudonyms) -> list[Report]:
    return sorted((row | {key: names.of(row[key])} for row in rows), key=lambda row: row[key])


def _agreement(of: Report, names: Pseudonyms) -> Report:
    if not of.get("rater_pairs"):
        return of
    pairs = [pair | dict(zip("ab", sorted((names.of(pair["a"]), names.of(pair["b"]))), strict=True))
             for pair in of["rater_pairs"]]  # fmt: skip
    return of | {"rater_pairs": sorted(pairs, key=lambda pair: (pair["a"], pair["b"]))}
