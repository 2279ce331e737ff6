"""Sentences of the Methods about differences between systems: intervals, the swap test, and adjusted p values."""

from collections import Counter
from collections.abc import Iterator

from msgspec import UNSET

from ...i18n.unit_names import unit_words
from ...protocols.analysis_plan import PLANNED
from ...stats.swap_tests import MAX_EXACT
from ..provenance_record import Provenance
from ..report import Report
from ..sections.differences.significance import (
    TestFamily,
    comparisons_shown,
    detectable_differences,
    nothing_in_common,
    without_unreliable_bounds,
)
from ..sections.differences.text import (
    difference_intervals,
    family_in_words,
    has_own_family,
    least_p_note,
    tests_in_words,
)
from ..text.figure_format import count
from ..text.names import Names
from .references import CHUNG_ROMANO, HOLM, ZOU_DONNER


def comparison_sentences(report: Report, record: Provenance | None = None) -> Iterator[str]:
    """Yield how systems were compared: prompts, intervals, test, and the family that p is adjusted for."""
    if not report.comparisons:
        return
    if nothing_in_common(report):
        yield "Systems were not compared in pairs, as no two of them have assessed ratings for the same prompt."
        return
    cluster = report.method.cluster
    clusters = unit_words(cluster, 2)
    yield "Systems were compared in pairs on the prompts that both have assessed ratings for;"
    if bounds := difference_intervals(comparisons_shown(report), cluster):
        yield f"intervals of differences: {bounds};"
    if swaps_are_drawn(report):
        yield f"p values are two-sided and come from {_swaps(report)} swaps of the two systems within {clusters}."
    else:
        yield (
            "p values are two-sided and come from an exact permutation test, which swaps the two systems within "
            f"{clusters}."
        )
    if report.is_studentized:
        yield (
            "The test statistic is studentized: the difference of the two proportions over its standard error, "
            f"linearized and clustered, recomputed for every swap ({CHUNG_ROMANO.citation})."
        )
    else:
        yield "The test statistic is the difference of the two proportions."
    if any(row.method == "mover" for row in without_unreliable_bounds(report.all_comparisons)):
        yield f"For MOVER see {ZOU_DONNER.citation}."
    if report.score_comparisons:
        yield "Scores were compared in the same way, each as its share of the largest possible score."
    yield _family(report, record)
    yield least_p_note(report.comparisons, cluster)


def swaps_are_drawn(report: Report) -> bool:
    """Return whether swaps were drawn at random; older reports, without their number, did so for many prompts."""
    return any(row.prompts > MAX_EXACT if row.swaps is UNSET else bool(row.swaps) for row in report.all_comparisons)


def _swaps(report: Report) -> str:
    """State the number of random swaps of a test: 10,000 random (100,000 where that left p close to .05 in doubt)."""
    usual = report.method.resamples
    more = {row.swaps for row in report.all_comparisons if isinstance(row.swaps, int) and row.swaps > usual}
    phrase = f"{count(usual)} random"
    if more:
        phrase += f" ({count(max(more))} where that left p close to .05 in doubt)"
    if any(row.swaps is None for row in report.all_comparisons):
        phrase += f" (all, where {MAX_EXACT} {unit_words(report.method.cluster, 2)} or fewer are in common)"
    return phrase


def _family(report: Report, record: Provenance | None) -> str:
    """State the family of tests that p is adjusted for: that of the plan, or the pairs of a measure."""
    adjusted = f"p values are adjusted by Holm’s method ({HOLM.citation})"
    plan = record.plan if record else None
    if plan is not None and has_own_family(plan):
        return (
            f"{adjusted}; the planned family is {family_in_words(plan)} ({tests_in_words(plan.family_size)}). Those of "
            "tables and figures are adjusted over the pairs of systems of a measure only."
        )
    pairs = _pairs_of_a_measure(report)
    if pairs < 2:
        return "Each measure has one test, so p values are not adjusted." if pairs else ""
    return f"{adjusted}; the family is the {count(pairs)} pairs of systems of a measure, separately for each measure."


def _pairs_of_a_measure(report: Report) -> int:
    """Return the tests of the measure that has most."""
    return max(Counter(row.measure for row in report.comparisons if row.p is not None).values(), default=0)


def power_sentence(report: Report, record: Provenance, names: Names) -> str:
    """State for each measure the difference that is detected with 80 % power; "" without intervals of differences."""
    family, plan = TestFamily(max(1, _pairs_of_a_measure(report))), record.plan
    if plan is not None and has_own_family(plan):
        planned = frozenset((test.a, test.b, test.measure) for test in plan.tests)
        family = TestFamily(plan.family_size, planned if plan.family == PLANNED else None)
    differences = "; ".join(
        f"{names.measure(measure).lower()} {points_range(values)}"
        for measure, values in detectable_differences(report, family).items()
    )
    if not differences:
        return ""
    return (
        f"With 80 % power, at alpha .05 over the {tests_in_words(family.size)} of the family (Bonferroni’s level, "
        f"Holm’s first step), true differences of at least so many points could be detected: {differences} (from the "
        "half-widths of the differences’ intervals and their degrees of freedom)."
    )


def points_range(values: list[float]) -> str:
    """Format shares in order as points: 7.4, or 7.4 to 9.1."""
    least, most = (f"{100 * value:.1f}" for value in (values[0], values[-1]))
    return least if least == most else f"{least} to {most}"
