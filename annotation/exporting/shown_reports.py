"""Reports as the viewer of a request may see them: with pseudonyms where the project hides its raters from the viewer.

Everything here returns its argument where people appear by name.
"""

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import replace

from msgspec import structs

from .. import models
from ..pseudonyms import active, data_name_of, shown_rater
from ..reporting.choices import Choices, Problems
from ..reporting.frozen_reports import stored_provenance, stored_report
from ..reporting.report import Report
from ..reporting.sections.agreement.figures import RaterPair
from ..reporting.sections.raters.figures import RaterQuality
from .rater_names import pseudonymous, pseudonymous_provenance, rename_rater_rows

OPEN_ORIGINS = ("protocol", "software", "method", "inference")
"""Parts of a comparison of reports that neither name raters nor have hashes of data with names."""


def shown_report(report: Report) -> Report:
    """Return a live report, with a keyed hash of its data."""
    names = active()
    return pseudonymous(report, names) if names else report


def shown_frozen(frozen: models.Report) -> models.Report:
    """Return a frozen report as a row that is not stored: the document, its hash and its record."""
    if not (names := active()):
        return frozen
    report, record, row = pseudonymous(stored_report(frozen), names), stored_provenance(frozen), copy(frozen)
    row.document, row.data_sha256, row.figures = report.to_json().decode(), report.data.sha256, {}
    row.provenance = pseudonymous_provenance(record, names).to_dict() if record else {}
    return row


def shown_in_list(rows: Iterable[models.Report]) -> list[models.Report]:
    """Return frozen reports for a list, which shows the hashes of their data."""
    frozen, names = list(rows), active()
    for row in frozen if names else ():
        row.data_sha256 = names.of_hash(row.data_sha256) if names else ""
    return frozen


def read_choices(mapping: Mapping[str, object]) -> tuple[Choices, Problems]:
    """Read choices in which raters are named as the viewer sees them; return them with user names, and the problems."""
    choices, problems = Choices.from_mapping(mapping)
    return replace(choices, without_raters=tuple(sorted(map(data_name_of, choices.without_raters)))), problems


def shown_choices(choices: Choices) -> Choices:
    """Return choices for addresses and forms, which `read_choices` reads."""
    return replace(choices, without_raters=tuple(sorted(map(shown_rater, choices.without_raters))))


def shown_rater_rows(rows: Sequence[RaterQuality]) -> list[RaterQuality]:
    """Return the rows of raters in the order of what is shown."""
    return rename_rater_rows(rows, shown_rater) if active() else list(rows)


def shown_pairs(pairs: Sequence[RaterPair]) -> list[RaterPair]:
    """Return pairs of raters, each with its first rater first in the order of what is shown."""
    if not active():
        return list(pairs)
    return [structs.replace(pair, a=a, b=b) for pair in pairs for a, b in [sorted(map(shown_rater, (pair.a, pair.b)))]]
