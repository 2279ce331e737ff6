"""Pseudonyms: one name for each rater of a project, the same in its exports, bundles and shared reports.

A pseudonymous report keeps every figure. Lists in the order of raters' names are sorted by pseudonym, because the order
would reveal names. Its `data.sha256` is replaced: the hash covers rows with names, so a reader with the pseudonymous
rows could find the names by trying candidates until the hash matches.
"""

import hmac
from collections.abc import Sequence
from hashlib import sha256
from operator import attrgetter

from msgspec.structs import replace

from ..jobs import Refused
from ..models import Project
from ..reporting.compute.breakdowns import RATER
from ..reporting.provenance_record import Deviation, Provenance
from ..reporting.report import Agreement, Cell, Report, SensitivityAnalysis
from ..site.secret_key import secret_key


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
    by = {key: _cells(cells, names) if key == RATER else cells for key, cells in report.by.items()}
    filters, raters = report.filters, report.raters
    if filters and filters.without_raters:
        filters = replace(filters, without_raters=sorted(map(names.pseudonym, filters.without_raters)))
    if raters is not None:
        raters = sorted((replace(row, rater=names.pseudonym(row.rater)) for row in raters), key=attrgetter("rater"))
    return replace(
        report,
        data=replace(report.data, sha256=data_sha256 or names.of_hash(report.data.sha256)),
        by=by,
        filters=filters,
        raters=raters,
        agreement={key: _agreement(agreement, names) for key, agreement in report.agreement.items()},
        sensitivity=_sensitivity(report.sensitivity, names),
    )


def pseudonymous_provenance(record: Provenance, names: Pseudonyms) -> Provenance:
    """Return the record with pseudonyms for the raters, in their order."""
    raters = sorted((replace(row, rater=names.pseudonym(row.rater)) for row in record.raters), key=attrgetter("rater"))
    plan = record.plan
    if plan is not None:
        earlier = plan.earlier
        if earlier is not None:
            earlier = replace(earlier, deviations=_deviations(earlier.deviations, names))
        plan = replace(plan, deviations=_deviations(plan.deviations, names), earlier=earlier)
    return replace(record, raters=raters, plan=plan)


def _deviations(deviations: Sequence[Deviation], names: Pseudonyms) -> list[Deviation]:
    return [_deviation(row, names) if row.topic == "without_raters" else row for row in deviations]


def _deviation(row: Deviation, names: Pseudonyms) -> Deviation:
    planned, actual = (sorted(map(names.pseudonym, side)) for side in (row.planned, row.actual))
    return replace(row, planned=planned, actual=actual)


def _cells(cells: Sequence[Cell], names: Pseudonyms) -> list[Cell]:
    return sorted((replace(cell, value=names.pseudonym(str(cell.value))) for cell in cells), key=attrgetter("value"))


def _agreement(agreement: Agreement, names: Pseudonyms) -> Agreement:
    if not agreement.rater_pairs:
        return agreement
    pairs = []
    for pair in agreement.rater_pairs:
        a, b = sorted((names.pseudonym(pair.a), names.pseudonym(pair.b)))
        pairs.append(replace(pair, a=a, b=b))
    return replace(agreement, rater_pairs=sorted(pairs, key=attrgetter("a", "b")))


def _sensitivity(analyses: Sequence[SensitivityAnalysis] | None, names: Pseudonyms) -> list[SensitivityAnalysis] | None:
    """Replace the raters that analyses exclude; those of one kind are sorted by pseudonym, in the place they had."""
    if analyses is None:
        return None
    renamed = [
        row if row.without is None else replace(row, without=sorted(map(names.pseudonym, row.without)))
        for row in analyses
    ]
    order = {kind: place for place, kind in enumerate(dict.fromkeys(row.analysis for row in renamed))}
    return sorted(renamed, key=lambda row: (order[row.analysis], row.without or ()))
