"""Differences between systems on the report page: every pair, with an order in words only if it is significant."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from ...reporting.compute import significance
from ...reporting.report import Comparison, Report
from ...reporting.text import figure_format, notes
from ...reporting.text.names import Names

MOST_PAIRS = 60  # of systems on a page; the files have all


@dataclass(frozen=True)
class DifferenceRow:
    """A measure of two systems, `a` less `b`; `reads` is empty if the order is not significant."""

    measure: str
    a: str
    b: str
    points: str
    interval: str
    p: str
    prompts: int
    reads: str
    is_tested: bool


@dataclass(frozen=True)
class Differences:
    """The pairs of systems that a page shows, how many `more` there are, and how to read them."""

    rows: list[DifferenceRow]
    nothing_in_common: bool
    more: int
    intervals: str
    bounded: bool
    least: str


def differences(report: Report, names: Names) -> Differences:
    """Return the pairs of systems with their differences."""
    comparisons, cluster = significance.comparisons_shown(report), report.method.cluster
    rows = [
        DifferenceRow(
            measure=names.measure(row.measure),
            a=row.a,
            b=row.b,
            points=figure_format.points(row.difference),
            interval=significance.difference_bounds(row, cluster),
            p=figure_format.p_value(row.p_holm),
            prompts=row.prompts,
            reads=_reads_as(row, names),
            is_tested=row.p_holm is not None,
        )
        for row in comparisons[:MOST_PAIRS]
    ]
    return Differences(
        rows=rows,
        nothing_in_common=significance.nothing_in_common(report),
        more=len(comparisons) - len(rows),
        intervals=notes.difference_intervals(comparisons, cluster),
        bounded=any(row.low is not None for row in comparisons),
        least=notes.least_p_note(comparisons, cluster),
    )


def _reads_as(comparison: Comparison, names: Names) -> str:
    """Return "Heron 2 is better", "… is higher" if neither direction is better, or "" if not significant."""
    if not significance.is_significant(comparison) or not comparison.difference:
        return ""
    better = names.better(comparison.measure)
    a_is_named = (comparison.difference > 0) == (better != "lower")
    sentence = _("%(system)s is higher") if better == "neither" else _("%(system)s is better")
    return sentence % {"system": comparison.a if a_is_named else comparison.b}
