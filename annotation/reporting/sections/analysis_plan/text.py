"""The topics of an analysis plan and their values in words, for the Methods and the page of a report."""

from collections.abc import Sequence
from dataclasses import dataclass

from ....i18n.english import localized
from ....i18n.unit_names import unit_words
from ....protocols.analysis_plan import AUTO
from ...methods.comparisons import points_range
from ...planning.figures import RatingSummary
from ...report import Report
from ...text.figure_format import coefficient
from ...text.names import Names
from ..differences.significance import TestFamily, detectable_differences

TOPICS = {
    "measures": "Measures",
    "unit": "Sampling unit",
    "comparisons": "Comparisons",
    "seed": "Seed",
    "resamples": "Resamples",
    "answers": "Answers",
    "least_gold": "Accuracy on gold, at least",
    "least_seconds": "Seconds on a rating, at least",
    "without_raters": "Raters excluded",
    "systems": "Only systems",
    "metadata": "Only prompts",
    "target": "Half-width of the intervals, at most",
}


def topic_name(topic: str) -> str:
    """Return the name of a topic: least_gold -> Accuracy on gold, at least."""
    return TOPICS.get(topic, topic)


def values_in_words(topic: str, values: Sequence[str], names: Names) -> str:
    """Return the values of a topic in words; `none` without one."""
    if not values:
        return "none"
    if topic == "measures":
        return ", ".join(names.measure(value) for value in values)
    if topic == "unit":
        return ", ".join("by the rule" if value == AUTO else unit_words(value, 2) for value in values)
    if topic == "least_gold":
        return ", ".join(localized(f"{100 * float(value):.3g} %") for value in values)
    if topic == "target":
        return ", ".join(f"{localized(f'{100 * float(value):.3g}')} points" for value in values)
    return ", ".join(values)


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
    inputs = [
        f"the figures of {system} are used for both systems",
        "the other proportion lies nearer to one half, where variances are larger",
    ]
    least_icc = rated.by_measure.get(measure, {}).get(system or "", {}).get("least_icc")
    if least_icc is not None and least_icc < 0:
        inputs.insert(0, f"intraclass correlations below 0 count as 0 (here down to {coefficient(least_icc)})")
    if len(values) > 1:
        inputs.append("the correlation between systems is the mean over all pairs")
    return ReportedPower(points_range(values), family.size, "; ".join(inputs))
