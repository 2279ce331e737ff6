"""Differences between systems in words: their bounds, and the order of the systems."""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from ....i18n.english import localized
from ....i18n.unit_names import counted, unit_words
from ....protocols.analysis_plan import BY_MEASURE, PLANNED
from ....stats.swap_tests import MAX_EXACT
from ...provenance_record import FamilyTest, PlanRecord, Provenance
from ...report import Report
from ...text.figure_format import NO_BREAK, count, listed, p_value, p_with_sign
from ...text.names import Names
from ..crossed_models.text import is_reliable
from .figures import SIGNIFICANCE_LEVEL, Comparison
from .significance import clusters_in_common, has_enough, is_significant, lacks_an_interval

MAX_PAIRS_WITH_FIGURES = 3  # with more, the sentence gives only their number
MAX_PAIRS_NAMED = 8
_ADJECTIVE = re.compile(r"[a-z]+( [a-z]+){0,2}")


def no_interval(row: Comparison, cluster: str) -> str:
    """Return why a comparison's difference has no interval, in brackets; "" where it has one."""
    if not lacks_an_interval(row):
        return ""
    return "(no variation)" if has_enough(row) else f"(too few {unit_words(cluster, 2)})"


def order_of_systems(comparisons: Sequence[Comparison], name: str) -> str:
    """Word the order of the systems on the measure called `name`: only where the difference is significant."""
    tested = [row for row in comparisons if row.p_holm is not None]
    significant = [row for row in tested if is_significant(row)]
    others = [row for row in tested if not is_significant(row)]
    if not tested:
        return ""
    smallest = _p_with_no_break(min((row.p_holm or 0 for row in others), default=0))
    if not significant and len(tested) == 1:
        return f"{name}: {tested[0].a} and {tested[0].b} do not differ significantly ({smallest})."
    if not significant:
        return f"{name}: No two systems differ significantly (smallest {smallest})."
    if len(tested) > MAX_PAIRS_WITH_FIGURES:
        number = count(len(significant)) if others else "all"
        pairs = f"{number} {'of ' if others else ''}{count(len(tested))} pairs of systems"
        differ = "differs" if others and len(significant) == 1 else "differ"
        return f"{name}: {pairs} {differ} significantly: {_orders(significant)}."
    plain = name[:1].lower() + name[1:]
    adjective = plain.replace(" ", "-") if _ADJECTIVE.fullmatch(plain) else f"“{name}”"
    orders = []
    for row in significant:
        first, second = _in_order(row)
        points = localized(f"{abs(100 * (row.difference or 0)):.1f}")
        p = _p_with_no_break(row.p_holm)
        orders.append(f"{first} has a higher {adjective} rate than {second}, by {points} points ({p})")
    sentence = f"{name}: {'; '.join(orders)}."
    if not others:
        return sentence
    if len(others) == 1:
        return f"{sentence} The other pair does not differ significantly ({smallest})."
    return f"{sentence} The other pairs do not differ significantly (smallest {smallest})."


def _orders(significant: list[Comparison]) -> str:
    """Describe the order of the systems, first those with a higher rate than most, and the number of omitted pairs."""
    below: dict[str, list[str]] = {}
    for first, second in sorted(map(_in_order, significant)):
        below.setdefault(first, []).append(second)
    phrases, remaining = [], MAX_PAIRS_NAMED
    for first, others in sorted(below.items(), key=lambda entry: (-len(entry[1]), entry[0])):
        if others[:remaining]:
            phrases.append(f"{first} has a higher rate than {listed(others[:remaining], 'and')}")
        remaining = max(0, remaining - len(others))
    more = len(significant) - MAX_PAIRS_NAMED
    if more > 0:
        phrases.append(f"{count(more)} more {unit_words('pair', more)}")
    return "; ".join(phrases)


def _in_order(row: Comparison) -> tuple[str, str]:
    """Return the two systems of a comparison, the one with the higher share first."""
    return (row.a, row.b) if row.difference and row.difference > 0 else (row.b, row.a)


def _p_with_no_break(p: float | None) -> str:
    return p_with_sign(p).replace(" ", NO_BREAK)


def difference_intervals(comparisons: Sequence[Comparison], cluster: str) -> str:
    """State how intervals of differences were computed and where they are missing; "" without differences.

    Older reports, which have no method, have linearized intervals.
    """
    used, units = {row.method or "t" for row in comparisons if row.low is not None}, unit_words(cluster, 2)
    ways = {
        "bca": f"BCa bootstrap over {units} with the resamples of the proportions",
        "t": "t bounds of the linearized difference of two ratios",
        "mover": f"where a share is 0 or 100 % or the difference does not vary between {units}, MOVER from the "
        "Korn-Graubard intervals of the two shares",
    }
    phrases = ["; elsewhere ".join(way for method, way in ways.items() if method in used)] if used else []
    without = [row for row in comparisons if lacks_an_interval(row)]
    if not all(map(has_enough, without)):
        where = "none where two systems" if phrases else "none, as the systems"
        phrases.append(f"{where} have fewer than 10 {units} in common")
    if any(map(has_enough, without)):
        phrases.append(f"none where the difference does not vary between {units}")
    if used and len({(row.a, row.b) for row in comparisons}) > 1:
        phrases.append("each is for one pair alone, not adjusted for the number of pairs")
    return "; ".join(phrases)


def least_p_note(comparisons: Sequence[Comparison], cluster: str) -> str:
    """State the least possible adjusted p where so few clusters are in common that no swap test can be significant."""
    tested = [row for row in comparisons if row.p is not None]
    if not tested:
        return ""
    clusters = min(clusters_in_common(row) for row in tested)
    pairs = max(sum(row.measure == comparison.measure for row in tested) for comparison in tested)
    least = min(1.0, pairs * 2.0 ** (1 - clusters))
    if least < SIGNIFICANCE_LEVEL:
        return ""
    adjusting = f" after adjusting for {pairs} pairs" if pairs > 1 else ""
    units = counted(clusters, cluster)
    return f"With {units}, no p below {p_value(least)} is possible{adjusting}, whatever the difference."


def swap_test_note(comparisons: Sequence[Comparison], cluster: str, *, studentized: bool) -> str:
    """Name the test that p is from, and that p is adjusted; reports before 0.8 are not `studentized`."""
    units, adjusted = unit_words(cluster, 2), "adjusted over all pairs of a measure (Holm)."
    if not studentized:
        return f"p from swapping the systems within {units}, {adjusted}"
    exact = {row.swaps is None for row in comparisons if row.p is not None}
    test = "a permutation test with random swaps"
    if exact == {True}:
        test = "an exact permutation test"
    elif True in exact:
        test = f"a permutation test (exact on up to {MAX_EXACT} {units}, else with random swaps)"
    return (
        f"p from {test}, which swaps the systems within {units} and compares the difference over its standard error "
        f"(studentized); {adjusted}"
    )


def comparison_note(comparisons: Sequence[Comparison], cluster: str = "prompt", *, studentized: bool = False) -> str:
    how = inference_note(comparisons, cluster, studentized=studentized)
    return (
        "Differences of unrounded shares, in percentage points, on the prompts that both systems have an assessed "
        f"rating for. {how}"
    )


def inference_note(comparisons: Sequence[Comparison], cluster: str, *, studentized: bool) -> str:
    how = difference_intervals(comparisons, cluster)
    sentences = [
        f"95 % intervals: {how}." if how else "",
        swap_test_note(comparisons, cluster, studentized=studentized),
        least_p_note(comparisons, cluster),
    ]
    return " ".join(filter(None, sentences))


def two_tests(report: Report, names: Names, label: Callable[[str], str]) -> str:
    """State what differs, and name the pairs that are significant in one test only; "" where no pair has both.

    `label` names a measure. Models that are not reliable are not compared.
    """
    differences = {(row.measure, row.a, row.b): row.p_holm for row in report.comparisons}
    contradictions: list[str] = []
    effects: dict[str, None] = {}
    for model in filter(is_reliable, report.crossed_models or ()):
        for row in model.odds_ratios:
            p, p_of_model = differences.get((model.measure, row.a, row.b)), row.p_holm
            if p is None or p_of_model is None:
                continue
            groupings = (names.unit if part.grouping == "item" else part.grouping for part in model.components)
            effects |= dict.fromkeys(unit_words(grouping, 2) for grouping in groupings)
            if (p < SIGNIFICANCE_LEVEL) != (p_of_model < SIGNIFICANCE_LEVEL):
                tests = f"difference: {p_with_sign(p)}; model: {p_with_sign(p_of_model)}"
                contradictions.append(f"{label(model.measure)}, {row.a} / {row.b} ({tests})")
    if not effects:
        return ""
    sentence = (
        "The differences and the crossed model answer different questions, so their p-values can disagree. A "
        "difference weights all ratings alike, so that long responses and documents count more; its sampling unit is "
        f"the {unit_words(report.method.cluster)}, and its raters are fixed. The model is about a single "
        f"{unit_words(names.unit)}, holds systems fixed, and has random effects of {listed(list(effects), 'and')}."
    )
    if not contradictions:
        return sentence
    return (
        f"{sentence} Significant after Holm’s correction in only one of the two: {'; '.join(contradictions)}. Report "
        "the test that your analysis plan names."
    )


MAX_ROWS = 6
"""Rows that a note names for one figure; more are counted."""


class Gap(NamedTuple):
    """A figure that one row of a table lacks (`has_value`: it lacks the interval alone), and why.

    A note names the rows of each `figure`; without one, it gives the reason alone.
    """

    reason: str
    has_value: bool
    figure: str = ""
    row: str = ""


def gaps_in_words(gaps: Iterable[Gap]) -> str:
    """Return a sentence for each reason, in the order of the gaps."""
    by_reason: dict[tuple[str, bool], dict[str, dict[str, None]]] = {}
    for gap in gaps:
        rows = by_reason.setdefault((gap.reason, gap.has_value), {}).setdefault(gap.figure, {})
        if gap.row:
            rows[gap.row] = None
    sentences = []
    for (reason, has_value), figures in by_reason.items():
        named = []
        for figure, rows in figures.items():
            more = [f"{count(len(rows) - MAX_ROWS)} more"] if len(rows) > MAX_ROWS else []
            in_brackets = f" ({', '.join([*list(rows)[:MAX_ROWS], *more])})" if rows else ""
            named += [f"{figure}{in_brackets}"] if figure else []
        lacking = "No interval" if has_value else "“–”"
        sentences.append(f"{lacking} for {'; '.join(named)}: {reason}." if named else f"{lacking} where {reason}.")
    return " ".join(sentences)


def has_own_family(plan: PlanRecord | None) -> bool:
    """Return whether a plan's family is not the pairs of each measure, for which the report adjusts p."""
    return plan is not None and plan.family != BY_MEASURE and any(test.p_family is not None for test in plan.tests)


def family_in_words(plan: PlanRecord) -> str:
    is_planned = plan.family == PLANNED
    return "the planned comparisons on the planned measures" if is_planned else "all comparisons on all measures"


def tests_in_words(tests: int) -> str:
    """Return 6 tests."""
    return f"{count(tests)} test" if tests == 1 else f"{count(tests)} tests"


def planned_family_note(record: Provenance | None, report: Report, names: Names) -> str:
    """Name the plan's family where it is not the pairs of a measure, for which tables have p; else ""."""
    if record is None or record.plan is None or not has_own_family(record.plan):
        return ""
    covered = f"{family_in_words(record.plan)} ({tests_in_words(record.plan.family_size)})"
    sentence = f"The family of the analysis plan is {covered}; the Methods state p adjusted over it."
    return " ".join(filter(None, [sentence, not_significant_over_family(record, report, names)]))


def not_significant_over_family(record: Provenance | None, report: Report, names: Names) -> str:
    """Name the differences that are significant over the pairs of a measure, but not over the plan's family; "" without
    any.
    """
    if record is None or record.plan is None or not has_own_family(record.plan):
        return ""
    significant = {(row.a, row.b, row.measure) for row in report.all_comparisons if is_significant(row)}
    tests = [
        family_test(test, names)
        for test in record.plan.tests
        if (test.a, test.b, test.measure) in significant and (test.p_family or 0) >= SIGNIFICANCE_LEVEL
    ]
    return f"Not significant over the family of the analysis plan: {'; '.join(tests)}." if tests else ""


def family_test(test: FamilyTest, names: Names) -> str:
    """Return accurate, heron − tern p = .0498: p adjusted over the plan's family."""
    p = p_with_sign(test.p_family)
    return f"{names.measure(test.measure).lower()}, {test.a} − {test.b} {p}"
