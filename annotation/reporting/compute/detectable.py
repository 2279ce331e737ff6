"""The smallest differences between systems that the tests of a report detect, from the intervals of its differences."""

from dataclasses import dataclass

from ...stats.power import DifferenceTest, detectable_from_interval
from ..report import Comparison, Report
from .significance import comparisons_shown, degrees_of_freedom, has_enough

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
        if has_enough(row) and (row.method or "t") in FROM_STANDARD_ERRORS and (half := _half_width(row)):
            detectable = detectable_from_interval(half, degrees_of_freedom(row), test)
            differences.setdefault(row.measure, []).append(detectable)
    return {measure: sorted(values) for measure, values in differences.items()}


def _half_width(row: Comparison) -> float:
    return 0.0 if row.low is None or row.high is None else (row.high - row.low) / 2
