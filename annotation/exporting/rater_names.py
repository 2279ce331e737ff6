"""Other names for the raters of a report: pseudonyms in files, display names on pages.

Every figure stays as it is. Lists in the order of raters' names are sorted by the new names, because the order would
reveal the old ones.
"""

import dataclasses
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy

from msgspec.structs import replace

from .. import models
from ..pseudonyms import Pseudonyms, active, data_name_of, shown_rater
from ..reporting.choices import Choices, Problems
from ..reporting.data.groups import RATER
from ..reporting.frozen_reports import stored_provenance, stored_report
from ..reporting.provenance_record import Deviation, Provenance
from ..reporting.report import Report
from ..reporting.sections.agreement.figures import RaterPair
from ..reporting.sections.raters.figures import RaterQuality

Rename = Callable[[str], str]


def pseudonymous(report: Report, names: Pseudonyms) -> Report:
    """Return the report with pseudonyms for the raters.

    A keyed hash replaces the hash of the data, which covers rows with names: a reader with the pseudonymous rows could
    find the names by trying candidates until the hash matches.
    """
    renamed = rename_raters(report, names.pseudonym)
    return replace(renamed, data=replace(report.data, sha256=names.of_hash(report.data.sha256)))


def pseudonymous_provenance(record: Provenance, names: Pseudonyms) -> Provenance:
    return rename_raters_of_record(record, names.pseudonym)


def rename_raters(report: Report, rename: Rename) -> Report:
    """Return the report with other names for the raters. `rename` returns the new name of a user name."""
    filters, by, agreements, sensitivity = report.filters, {**report.by}, {**report.agreement}, report.sensitivity
    if filters and filters.without_raters:
        filters = replace(filters, without_raters=_sorted_names(filters.without_raters, rename))
    if RATER in by:
        cells = [replace(cell, value=rename(str(cell.value))) for cell in by[RATER]]
        by[RATER] = sorted(cells, key=lambda cell: _order(str(cell.value)))
    for key, agreement in agreements.items():
        if agreement.rater_pairs:
            pairs = []
            for pair in agreement.rater_pairs:
                a, b = _sorted_names((pair.a, pair.b), rename)
                pairs.append(replace(pair, a=a, b=b))
            pairs.sort(key=lambda pair: (_order(pair.a), _order(pair.b)))
            agreements[key] = replace(agreement, rater_pairs=pairs)
    if sensitivity is not None:
        # Analyses of one kind that exclude raters are sorted by name, in the position they had.
        order = {kind: position for position, kind in enumerate(dict.fromkeys(row.analysis for row in sensitivity))}
        sensitivity = [
            row if row.without is None else replace(row, without=_sorted_names(row.without, rename))
            for row in sensitivity
        ]
        sensitivity.sort(key=lambda row: (order[row.analysis], [_order(name) for name in row.without or ()]))
    return replace(
        report,
        by=by,
        filters=filters,
        raters=rename_rater_rows(report.raters, rename) if report.raters is not None else None,
        agreement=agreements,
        sensitivity=sensitivity,
    )


def rename_raters_of_record(record: Provenance, rename: Rename) -> Provenance:

    def renamed(deviations: Sequence[Deviation]) -> list[Deviation]:
        return [
            replace(row, planned=_sorted_names(row.planned, rename), actual=_sorted_names(row.actual, rename))
            if row.topic == "without_raters"
            else row
            for row in deviations
        ]

    raters = sorted((replace(row, rater=rename(row.rater)) for row in record.raters), key=lambda row: _order(row.rater))
    plan = record.plan
    if plan is not None:
        earlier = plan.earlier and replace(plan.earlier, deviations=renamed(plan.earlier.deviations))
        plan = replace(plan, deviations=renamed(plan.deviations), earlier=earlier)
    return replace(record, raters=raters, plan=plan)


def rename_rater_rows(raters: Sequence[RaterQuality], rename: Rename) -> list[RaterQuality]:
    return sorted((replace(row, rater=rename(row.rater)) for row in raters), key=lambda row: _order(row.rater))


def _sorted_names(names: Sequence[str], rename: Rename) -> list[str]:
    return sorted(map(rename, names), key=_order)


def _order(name: str) -> tuple[str, str]:
    return name.casefold(), name


# Reports as the viewer of a request may see them: with pseudonyms where the project hides its raters from the viewer.
# Everything below returns its argument where people appear by name.
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
    return dataclasses.replace(
        choices, without_raters=tuple(sorted(map(data_name_of, choices.without_raters)))
    ), problems


def shown_choices(choices: Choices) -> Choices:
    """Return choices for addresses and forms, which `read_choices` reads."""
    return dataclasses.replace(choices, without_raters=tuple(sorted(map(shown_rater, choices.without_raters))))


def shown_rater_rows(rows: Sequence[RaterQuality]) -> list[RaterQuality]:
    """Return the rows of raters in the order of what is shown."""
    return rename_rater_rows(rows, shown_rater) if active() else list(rows)


def shown_pairs(pairs: Sequence[RaterPair]) -> list[RaterPair]:
    """Return pairs of raters, each with its first rater first in the order of what is shown."""
    if not active():
        return list(pairs)
    return [replace(pair, a=a, b=b) for pair in pairs for a, b in [sorted(map(shown_rater, (pair.a, pair.b)))]]
