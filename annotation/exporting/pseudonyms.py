"""Reports whose raters have the pseudonyms of their project.

A pseudonymous report keeps every figure. Its `data.sha256` is replaced: the hash covers rows with names, so a reader
with the pseudonymous rows could find the names by trying candidates until the hash matches.
"""

from msgspec.structs import replace

from ..pseudonyms import Pseudonyms
from ..reporting.provenance_record import Provenance
from ..reporting.report import Report
from .rater_names import rename_raters, rename_raters_of_record


def pseudonymous(report: Report, names: Pseudonyms, data_sha256: str = "") -> Report:
    """Return the report with pseudonyms for the raters. `data_sha256` is the hash of the pseudonymous data, if
    available; otherwise a keyed hash replaces it.
    """
    renamed = rename_raters(report, names.pseudonym)
    return replace(renamed, data=replace(report.data, sha256=data_sha256 or names.of_hash(report.data.sha256)))


def pseudonymous_provenance(record: Provenance, names: Pseudonyms) -> Provenance:
    """Return the record with pseudonyms for the raters, in their order."""
    return rename_raters_of_record(record, names.pseudonym)
