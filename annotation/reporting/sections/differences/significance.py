"""Significance of differences between systems.

Systems are ordered only if the adjusted p is small enough; the largest value alone is not sufficient.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from msgspec import UNSET
from msgspec.structs import replace

from ....stats.bootstrap import ALIKE
from ....stats.intervals import MIN_CLUSTERS
from ....stats.power import DifferenceTest, detectable_from_interval
from ...report import Report
from .figures import SIGNIFICANCE_LEVEL, Comparison


def lacks_an_interval(row: Comparison) -> bool:
    return row.difference is not None and row.low is None


def best_system(report: Report, measure: str, better: str) -> str | None:
    """Return the system that is significantly better than every other one on a measure, if there is one.

    `better` is `higher` or `lower`; with `neither` no system is better. All its comparisons must have p < .05 after
    Holm's adjustment: the largest value alone is not sufficient.
    """
    if better not in ("higher", "lower") or len(report.systems) < 2:
        return None
    names = {str(cell.system) for cell in report.systems}
    beaten: dict[str, set[str]] = {name: set() for name in names}
    for row in report.comparisons:
        if row.measure == measure and row.difference and is_significant(row):
            wins, loses = (row.a, row.b) if (row.difference > 0) == (better == "higher") else (row.b, row.a)
            beaten[wins].add(loses)
    return next((name for name in sorted(names) if beaten[name] == names - {name}), None)


def comparisons_shown(report: Report) -> list[Comparison]:
    return without_unreliable_bounds(report.comparisons)


def without_unreliable_bounds(comparisons: Sequence[Comparison]) -> list[Comparison]:
    """Return comparisons as tables and figures show them. With fewer than 10 clusters, or without variation between
    them (two systems that are always right), the report has bounds for programs, but people see no interval: one
    without width would claim that the difference is certain.
    """
    rows = []
    for row in comparisons:
        is_point = row.low is not None and row.high is not None and row.high - row.low < ALIKE
        is_reliable = has_enough(row) and not is_point
        rows.append(row if is_reliable else replace(row, low=None, high=None, method="none"))
    return rows


def nothing_in_common(report: Report) -> bool:
    """Return whether no two of several systems have assessed ratings for the same prompt."""
    return bool(report.comparisons) and not any(row.prompts for row in report.comparisons)


def clusters_in_common(row: Comparison) -> int:
    """Return the number of clusters that two systems have in common; older reports have only the prompts."""
    return row.prompts if row.clusters is None else row.clusters


def degrees_of_freedom(row: Comparison) -> float:
    """Return the degrees of freedom of a difference's standard error."""
    return clusters_in_common(row) - 1 if row.degrees_of_freedom is UNSET else row.degrees_of_freedom


def has_enough(row: Comparison) -> bool:
    return clusters_in_common(row) >= MIN_CLUSTERS


def is_significant(row: Comparison) -> bool:
    """Return whether a comparison's difference is significant: p < .05 after Holm's adjustment."""
    return row.p_holm is not None and row.p_holm < SIGNIFICANCE_LEVEL


FROM_STANDARD_ERRORS = ("t", "bca")


@dataclass(frozen=True)
class TestFamily:
    """The tests over which alpha is divided: their number, and (a, b, measure) of each, None for all of the report."""

    size: int
    tests: frozenset[tuple[str, str, str]] | None = None


def detectable_differences(report: Report, family: TestFamily) -> dict[str, list[float]]:
    """Return the difference that each test of the family with an interval detects with 80 % power, in order, by
    measure.
    """
    differences: dict[str, list[float]] = {}
    test = DifferenceTest(pairs=family.size)
    for row in comparisons_shown(report):
        if family.tests is not None and (row.a, row.b, row.measure) not in family.tests:
            continue
        half = 0.0 if row.low is None or row.high is None else (row.high - row.low) / 2
        if half and has_enough(row) and (row.method or "t") in FROM_STANDARD_ERRORS:
            detectable = detectable_from_interval(half, degrees_of_freedom(row), test)
            differences.setdefault(row.measure, []).append(detectable)
    return {measure: sorted(values) for measure, values in differences.items()}
