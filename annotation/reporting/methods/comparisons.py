"""Sentences of the Methods about differences between systems: intervals, the swap test, and adjusted p values."""

from collections import Counter
from collections.abc import Sequence

from msgspec import UNSET

from ...i18n.numbers import localized
from ...i18n.unit_names import unit_words
from ...protocols.analysis_plan import PLANNED
from ...stats.swap_tests import MAX_EXACT
from ..provenance_record import PlanRecord, Provenance
from ..report import Report
from ..sections.differences.figures import Comparison
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


def comparisons_text(report: Report, record: Provenance | None = None) -> str:
    """State how systems were compared: prompts, intervals, test, and the family that p is adjusted for."""
    if not report.comparisons:
        return ""
    if nothing_in_common(report):
        return "Systems were not compared in pairs, as no two of them have assessed ratings for the same prompt."
    cluster = report.method.cluster
    bounds = difference_intervals(comparisons_shown(report), cluster)
    random = "p values are two-sided and come from %(how)s swaps of the two systems within %(clusters)s."
    exact = (
        "p values are two-sided and come from an exact permutation test, which swaps the two systems "
        "within %(clusters)s."
    )
    drawn = swaps_are_drawn(report)
    sentences = [
        "Systems were compared in pairs on the prompts that both have assessed ratings for;",
        f"intervals of differences: {bounds};" if bounds else "",
        (random if drawn else exact) % {"how": _swaps(report) if drawn else "", "clusters": unit_words(cluster, 2)},
        _statistic(report),
        _mover(report),
        "Scores were compared in the same way, each as its share of the largest possible score."
        if report.score_comparisons
        else "",
        _family(report.comparisons, record.plan if record else None),
        least_p_note(report.comparisons, cluster),
    ]
    return " ".join(filter(None, sentences))


def _statistic(report: Report) -> str:
    """State the statistic of the swap tests; older reports compare the difference itself."""
    if not report.is_studentized:
        return "The test statistic is the difference of the two proportions."
    sentence = (
        "The test statistic is studentized: the difference of the two proportions over its standard "
        "error, linearized and clustered, recomputed for every swap (%(citation)s)."
    )
    return sentence % {"citation": CHUNG_ROMANO.citation}


def _mover(report: Report) -> str:
    """Cite the source of MOVER; "" where no difference has such an interval."""
    is_used = any(row.method == "mover" for row in without_unreliable_bounds(report.all_comparisons))
    return f"For MOVER see {ZOU_DONNER.citation}." if is_used else ""


def _family(comparisons: Sequence[Comparison], plan: PlanRecord | None) -> str:
    """State the family of tests that p is adjusted for: that of the plan, or the pairs of a measure."""
    pairs = max(Counter(row.measure for row in comparisons if row.p is not None).values(), default=0)
    if plan is not None and has_own_family(plan):
        return _planned_family(plan)
    if pairs < 2:
        return "Each measure has one test, so p values are not adjusted." if pairs else ""
    sentence = (
        "p values are adjusted by Holm’s method (%(citation)s); the family is the %(n)s pair of "
        "systems of a measure, separately for each measure."
        if pairs == 1
        else "p values are adjusted by Holm’s method (%(citation)s); the family is the %(n)s pairs of "
        "systems of a measure, separately for each measure."
    )
    return sentence % {"citation": HOLM.citation, "n": count(pairs)}


def _planned_family(plan: PlanRecord) -> str:
    sentence = (
        "p values are adjusted by Holm’s method (%(citation)s); the planned family is %(covered)s (%(tests)s). Those "
        "of tables and figures are adjusted over the pairs of systems of a measure only."
    )
    return sentence % {
        "citation": HOLM.citation, "covered": family_in_words(plan), "tests": tests_in_words(plan.family_size),
    }  # fmt: skip


def swaps_are_drawn(report: Report) -> bool:
    """Return whether swaps were drawn at random; older reports, without their number, did so for many prompts."""
    return any(row.prompts > MAX_EXACT if row.swaps is UNSET else bool(row.swaps) for row in report.all_comparisons)


def _swaps(report: Report) -> str:
    """State the number of random swaps of a test: 10,000 random (100,000 if that left p close to .05 in doubt)."""
    usual = report.method.resamples
    tested = report.all_comparisons
    more = {row.swaps for row in tested if isinstance(row.swaps, int) and row.swaps > usual}
    exact = any(row.swaps is None for row in tested)
    few = {"most": MAX_EXACT, "clusters": unit_words(report.method.cluster, 2)}
    phrases = [
        f"{count(usual)} random",
        f"({count(max(more))} where that left p close to .05 in doubt)" if more else "",
        (("(all, where %(most)s %(clusters)s or fewer are in common)") % few) if exact else "",
    ]
    return " ".join(filter(None, phrases))


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
