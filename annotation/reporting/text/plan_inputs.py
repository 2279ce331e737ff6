"""What the planner takes otherwise than the intervals of a report do, so that their detectable differences differ."""

from collections.abc import Iterator
from dataclasses import dataclass

from ..compute.detectable import TestFamily, detectable_differences
from ..compute.planning_figures import RatingSummary
from ..report import Report
from .figure_format import coefficient
from .methods_power import points_range


@dataclass(frozen=True)
class ReportedPower:
    """The range of detectable differences of the pairs of a measure in a report, in points, over the number of `tests`
    of the family, and the `inputs` in which a plan from the figures of one system differs, as phrases.
    """

    range: str
    tests: int
    inputs: str


def reported_power(
    report: Report, rated: RatingSummary, measure: str, system: str | None, family: TestFamily
) -> ReportedPower | None:
    """Return what the report's own differences detect with 80 % power, alpha over the family; None without such
    intervals.
    """
    values = detectable_differences(report, family).get(measure)
    if not values:
        return None
    figures = rated.by_measure.get(measure, {}).get(system or "", {})
    inputs = _inputs(figures.get("least_icc"), system, len(values))
    return ReportedPower(points_range(values), family.size, "; ".join(inputs))


def _inputs(least_icc: float | None, system: str | None, pairs: int) -> Iterator[str]:
    if least_icc is not None and least_icc < 0:
        sentence = "intraclass correlations below 0 count as 0 (here down to %(least)s)"
        yield sentence % {"least": coefficient(least_icc)}
    yield f"the figures of {system} are used for both systems"
    yield "the other proportion lies nearer to one half, where variances are larger"
    if pairs > 1:
        yield "the correlation between systems is the mean over all pairs"
