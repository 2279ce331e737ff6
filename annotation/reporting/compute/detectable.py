"""The smallest differences between systems that the tests of a report detect, from the intervals of its differences."""

from ...stats.power import DifferenceTest, detectable_from_interval
from ..report import Comparison, Report
from .significance import comparisons_shown, degrees_of_freedom, has_enough

FROM_STANDARD_ERRORS = ("t", "bca")


def detectable_differences(report: Report, test: DifferenceTest) -> dict[str, list[float]]:
    """Return the detectable difference of each pair of systems with an interval, in order, by measure."""
    differences: dict[str, list[float]] = {}
    for row in comparisons_shown(report):
        if has_enough(row) and (row.method or "t") in FROM_STANDARD_ERRORS and (half := _half_width(row)):
            detectable = detectable_from_interval(half, degrees_of_freedom(row), test)
            differences.setdefault(row.measure, []).append(detectable)
    return {measure: sorted(values) for measure, values in differences.items()}


def _half_width(row: Comparison) -> float:
    return 0.0 if row.low is None or row.high is None else (row.high - row.low) / 2
