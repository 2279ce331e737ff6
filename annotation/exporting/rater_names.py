"""Other names for the raters of a report: pseudonyms in files, display names on pages.

Every figure stays as it is. Lists in the order of raters' names are sorted by the new names, because the order would
reveal the old ones.
"""

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from ..reporting.data.groups import RATER
from ..reporting.parts import Cell
from ..reporting.provenance_record import Deviation, Provenance
from ..reporting.report import Report
from ..reporting.sections.agreement.figures import Agreement
from ..reporting.sections.raters.figures import RaterQuality
from ..reporting.sections.sensitivity.figures import SensitivityAnalysis

Rename = Callable[[str], str]


def rename_raters(report: Report, rename: Rename) -> Report:
    """Return the report with other names for the raters. `rename` returns the new name of a user name."""
    filters = report.filters
    if filters and filters.without_raters:
        filters = replace(filters, without_raters=_sorted_names(filters.without_raters, rename))
    return replace(
        report,
        by={key: _cells(cells, rename) if key == RATER else cells for key, cells in report.by.items()},
        filters=filters,
        raters=rename_rater_rows(report.raters, rename) if report.raters is not None else None,
        agreement={key: _agreement(agreement, rename) for key, agreement in report.agreement.items()},
        sensitivity=_sensitivity(report.sensitivity, rename),
    )


def rename_raters_of_record(record: Provenance, rename: Rename) -> Provenance:
    """Return a provenance record with other names for the raters."""
    raters = sorted((replace(row, rater=rename(row.rater)) for row in record.raters), key=lambda row: _order(row.rater))
    plan = record.plan
    if plan is not None:
        earlier = plan.earlier
        if earlier is not None:
            earlier = replace(earlier, deviations=_deviations(earlier.deviations, rename))
        plan = replace(plan, deviations=_deviations(plan.deviations, rename), earlier=earlier)
    return replace(record, raters=raters, plan=plan)


def _order(name: str) -> tuple[str, str]:
    return name.casefold(), name


def _sorted_names(names: Sequence[str], rename: Rename) -> list[str]:
    return sorted(map(rename, names), key=_order)


def rename_rater_rows(raters: Sequence[RaterQuality], rename: Rename) -> list[RaterQuality]:
    """Return the rows of raters with other names, in their order."""
    return sorted((replace(row, rater=rename(row.rater)) for row in raters), key=lambda row: _order(row.rater))


def _deviations(deviations: Sequence[Deviation], rename: Rename) -> list[Deviation]:
    return [_deviation(row, rename) if row.topic == "without_raters" else row for row in deviations]


def _deviation(row: Deviation, rename: Rename) -> Deviation:
    planned, actual = (_sorted_names(side, rename) for side in (row.planned, row.actual))
    return replace(row, planned=planned, actual=actual)


def _cells(cells: Sequence[Cell], rename: Rename) -> list[Cell]:
    return sorted(
        (replace(cell, value=rename(str(cell.value))) for cell in cells), key=lambda cell: _order(str(cell.value))
    )


def _agreement(agreement: Agreement, rename: Rename) -> Agreement:
    if not agreement.rater_pairs:
        return agreement
    pairs = []
    for pair in agreement.rater_pairs:
        a, b = _sorted_names((pair.a, pair.b), rename)
        pairs.append(replace(pair, a=a, b=b))
    return replace(agreement, rater_pairs=sorted(pairs, key=lambda pair: (_order(pair.a), _order(pair.b))))


def _sensitivity(analyses: Sequence[SensitivityAnalysis] | None, rename: Rename) -> list[SensitivityAnalysis] | None:
    """Rename the raters that analyses exclude; those of one kind are sorted by name, in the position they had."""
    if analyses is None:
        return None
    renamed = [
        row if row.without is None else replace(row, without=_sorted_names(row.without, rename)) for row in analyses
    ]
    order = {kind: position for position, kind in enumerate(dict.fromkeys(row.analysis for row in renamed))}
    return sorted(renamed, key=lambda row: (order[row.analysis], [_order(name) for name in row.without or ()]))
