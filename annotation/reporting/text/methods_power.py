"""The sentence of the Methods about power: the smallest difference that the tests of a report could detect."""

from collections import Counter

from django.utils.translation import gettext as _

from ...i18n.numbers import localized
from ...stats.power import DifferenceTest, detectable_from_interval
from ..compute.significance import comparisons_shown, degrees_of_freedom, has_enough
from ..provenance_record import Provenance
from ..report import Comparison, Report
from .names import Names
from .planned_family import has_own_family, tests_in_words

FROM_STANDARD_ERRORS = ("t", "bca")


def power_sentence(report: Report, record: Provenance, names: Names) -> str:
    """State for each measure the difference that is detected with 80 % power; "" without intervals of differences."""
    detectable = _detectable(report, record)
    if not detectable:
        return ""
    sentence = _(
        "With 80 %% power, at alpha .05 over the %(tests)s of the family (Bonferroni’s level, Holm’s first step), true "
        "differences of at least so many points could be detected: %(parts)s (from the half-widths of the "
        "differences’ intervals and their degrees of freedom)."
    )
    parts = "; ".join(f"{names.measure(measure).lower()} {_range(values)}" for measure, values in detectable.items())
    tests = tests_in_words(tests_of_family(report, record))
    return sentence % {"tests": tests, "parts": parts}


def tests_of_family(report: Report, record: Provenance) -> int:
    """Return the number of tests of the plan's family, or of the pairs of a measure."""
    if record.plan is not None and has_own_family(record.plan):
        return record.plan.family_size
    return max(Counter(row.measure for row in report.comparisons if row.p is not None).values(), default=1)


def _detectable(report: Report, record: Provenance) -> dict[str, list[float]]:
    """Return the detectable difference of each pair of systems with an interval, in order, by measure."""
    test = DifferenceTest(pairs=tests_of_family(report, record))
    differences: dict[str, list[float]] = {}
    for row in comparisons_shown(report):
        if has_enough(row) and (row.method or "t") in FROM_STANDARD_ERRORS and (half := _half_width(row)):
            detectable = detectable_from_interval(half, degrees_of_freedom(row), test)
            differences.setdefault(row.measure, []).append(detectable)
    return {measure: sorted(values) for measure, values in differences.items()}


def _half_width(row: Comparison) -> float:
    return 0.0 if row.low is None or row.high is None else (row.high - row.low) / 2


def _range(values: list[float]) -> str:
    """Return 7.4, or 7.4 to 9.1."""
    least, most = (localized(f"{100 * value:.1f}") for value in (values[0], values[-1]))
    return least if least == most else _("%(least)s to %(most)s") % {"least": least, "most": most}
