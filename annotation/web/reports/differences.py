"""Differences between systems on the report page: every pair, with an order in words only if it is significant."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from ...reporting.compute import significance
from ...reporting.provenance_record import Provenance
from ...reporting.report import Comparison, Report
from ...reporting.text import comparison_notes
from ...reporting.text.differences import no_interval
from ...reporting.text.figure_format import points_between
from ...reporting.text.names import Names
from ...reporting.text.planned_family import planned_family_note

MAX_PAIRS = 600  # of systems on a page, over all measures; the files have all


Rows = list[tuple[Comparison, str, str]]
"""Pairs of systems, each with its interval and its order in words."""


@dataclass(frozen=True)
class Differences:
    """The pairs of systems that a page shows, how many `more` there are, and how to read them."""

    rows: Rows
    nothing_in_common: bool
    more: int
    intervals: str
    test: str
    least: str
    planned_family: str


def differences(report: Report, names: Names, record: Provenance | None = None) -> Differences:
    """Return the pairs of systems with their differences; `record` is the provenance record of a frozen report."""
    comparisons, cluster = significance.comparisons_shown(report), report.method.cluster
    return Differences(
        rows=difference_rows(comparisons, names, cluster),
        nothing_in_common=significance.nothing_in_common(report),
        more=max(0, len(comparisons) - MAX_PAIRS),
        intervals=comparison_notes.difference_intervals(comparisons, cluster),
        test=comparison_notes.swap_test_note(comparisons, cluster, studentized=report.is_studentized),
        least=comparison_notes.least_p_note(comparisons, cluster),
        planned_family=planned_family_note(record, report, names),
    )


def difference_rows(comparisons: list[Comparison], names: Names, cluster: str) -> Rows:
    """Return the first pairs of systems, as many as a page shows."""
    return [
        (row, no_interval(row, cluster) or points_between(row.low, row.high), _order(row, names))
        for row in comparisons[:MAX_PAIRS]
    ]


def _order(comparison: Comparison, names: Names) -> str:
    """Return "Heron 2 is better", "… is higher" if neither direction is better, or "" if not significant."""
    if not significance.is_significant(comparison) or not comparison.difference:
        return ""
    better = names.better(comparison.measure)
    a_is_named = (comparison.difference > 0) == (better != "lower")
    sentence = _("%(system)s is higher") if better == "neither" else _("%(system)s is better")
    return sentence % {"system": comparison.a if a_is_named else comparison.b}
