"""The sentence of the Methods about power: the smallest difference that the tests of a report could detect."""

from collections import Counter

from ...i18n.numbers import localized
from ...protocols.analysis_plan import PLANNED
from ..compute.detectable import TestFamily, detectable_differences
from ..provenance_record import Provenance
from ..report import Report
from .names import Names
from .planned_family import has_own_family, tests_in_words


def power_sentence(report: Report, record: Provenance, names: Names) -> str:
    """State for each measure the difference that is detected with 80 % power; "" without intervals of differences."""
    family = family_of(report, record)
    detectable = detectable_differences(report, family)
    if not detectable:
        return ""
    sentence = (
        "With 80 %% power, at alpha .05 over the %(tests)s of the family (Bonferroni’s level, Holm’s first step), true "
        "differences of at least so many points could be detected: %(parts)s (from the half-widths of the "
        "differences’ intervals and their degrees of freedom)."
    )
    parts = "; ".join(
        f"{names.measure(measure).lower()} {points_range(values)}" for measure, values in detectable.items()
    )
    return sentence % {"tests": tests_in_words(family.size), "parts": parts}


def family_of(report: Report, record: Provenance) -> TestFamily:
    """Return the tests of the plan's family, or the pairs of a measure."""
    plan = record.plan
    if plan is None or not has_own_family(plan):
        return TestFamily(
            max(Counter(row.measure for row in report.comparisons if row.p is not None).values(), default=1)
        )
    planned = frozenset((test.a, test.b, test.measure) for test in plan.tests)
    return TestFamily(plan.family_size, planned if plan.family == PLANNED else None)


def points_range(values: list[float]) -> str:
    """Format shares in order as points: 7.4, or 7.4 to 9.1."""
    least, most = (localized(f"{100 * value:.1f}") for value in (values[0], values[-1]))
    return least if least == most else f"{least} to {most}"
