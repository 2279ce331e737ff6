"""Differences between systems in words: their bounds, and the order of the systems."""

import re
from collections.abc import Callable, Iterable, Sequence
from operator import itemgetter
from typing import NamedTuple

from django.utils.translation import get_language

from ....i18n.english import ENGLISH
from ....i18n.numbers import localized
from ....i18n.unit_names import counted, unit_words
from ....protocols.analysis_plan import BY_MEASURE, PLANNED
from ....stats.swap_tests import MAX_EXACT
from ...provenance_record import FamilyTest, PlanRecord, Provenance
from ...report import Report
from ...text.figure_format import NO_BREAK, count, listed, p_value
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
    tested = [(row.p_holm, row) for row in comparisons if row.p_holm is not None]
    significant = [row for _p_holm, row in tested if is_significant(row)]
    if not tested:
        return ""
    if not significant:
        smallest, row = min(tested, key=itemgetter(0))
        if len(tested) == 1:
            sentence = "%(name)s: %(a)s and %(b)s do not differ significantly (p\u00a0%(p)s)."
        else:
            sentence = "%(name)s: No two systems differ significantly (smallest p\u00a0%(p)s)."
        return sentence % {"name": name, "a": row.a, "b": row.b, "p": _p_value_text(smallest)}
    if len(tested) > MAX_PAIRS_WITH_FIGURES:
        sentence = _count_sentence(len(significant), len(tested))
        numbers = {"apart": count(len(significant)), "known": count(len(tested))}
        return sentence % {"name": name, **numbers, "orders": _orders(significant)}
    sentence = f"{name}: {'; '.join(_higher(row, name) for row in significant)}."
    if len(significant) == len(tested):
        return sentence
    others = [p for p, row in tested if not is_significant(row)]
    rest = (
        "The other pair does not differ significantly (p\u00a0%(p)s)."
        if len(others) == 1
        else "The other pairs do not differ significantly (smallest p\u00a0%(p)s)."
    )
    return f"{sentence} {rest % {'p': _p_value_text(min(others))}}"


def _count_sentence(significant: int, tested: int) -> str:
    """Return the sentence, to be filled, for this number of significant pairs."""
    if significant == tested:
        return "%(name)s: all %(known)s pairs of systems differ significantly: %(orders)s."
    return (
        "%(name)s: %(apart)s of %(known)s pairs of systems differs significantly: %(orders)s."
        if significant == 1
        else "%(name)s: %(apart)s of %(known)s pairs of systems differ significantly: %(orders)s."
    )


def _orders(significant: list[Comparison]) -> str:
    """Describe the order of the systems, first those with a higher rate than most, and the number of omitted pairs."""
    below: dict[str, list[str]] = {}
    for first, second in sorted(map(_in_order, significant)):
        below.setdefault(first, []).append(second)
    phrases, remaining = [], MAX_PAIRS_NAMED
    for first, others in sorted(below.items(), key=lambda entry: (-len(entry[1]), entry[0])):
        if others[:remaining]:
            names = {"first": first, "others": listed(others[:remaining], "and")}
            phrases.append(("%(first)s has a higher rate than %(others)s") % names)
        remaining = max(0, remaining - len(others))
    more = len(significant) - MAX_PAIRS_NAMED
    if more > 0:
        phrases.append(f"{count(more)} more pair" if more == 1 else f"{count(more)} more pairs")
    return "; ".join(phrases)


def _in_order(row: Comparison) -> tuple[str, str]:
    """Return the two systems of a comparison, the one with the higher share first."""
    return (row.a, row.b) if row.difference and row.difference > 0 else (row.b, row.a)


def _higher(row: Comparison, name: str) -> str:
    first, second = _in_order(row)
    phrase = "%(first)s has a higher %(measure)s rate than %(second)s, by %(points)s points (p\u00a0%(p)s)"
    points = localized(f"{abs(100 * (row.difference or 0)):.1f}")
    names = {"first": first, "second": second, "measure": _before_rate(name)}
    return phrase % {**names, "points": points, "p": _p_value_text(row.p_holm)}


def _before_rate(name: str) -> str:
    """Return a measure's name as an adjective: Severely inaccurate -> severely-inaccurate (English), else quoted."""
    plain = name[:1].lower() + name[1:]
    is_english = (get_language() or ENGLISH)[:2] == ENGLISH[:2]
    if not is_english or not _ADJECTIVE.fullmatch(plain):
        return f"“{name}”"
    return plain.replace(" ", "-")


def _p_value_text(p: float | None) -> str:
    """Format a p value with spaces that do not break."""
    text = p_value(p)
    return (text if text.startswith("<") else f"= {text}").replace(" ", NO_BREAK)


def difference_intervals(comparisons: Sequence[Comparison], cluster: str) -> str:
    """State how intervals of differences were computed and where they are missing; "" without differences.

    Older reports, which have no method, have linearized intervals.
    """
    used = {row.method or "t" for row in comparisons if row.low is not None}
    clusters = {"clusters": unit_words(cluster, 2)}
    ways = {
        "bca": (("BCa bootstrap over %(clusters)s with the resamples of the proportions") % clusters),
        "t": "t bounds of the linearized difference of two ratios",
        "mover": (
            (
                "where a share is 0 or 100 %% or the difference does not vary between %(clusters)s, MOVER from the "
                "Korn-Graubard intervals of the two shares"
            )
            % clusters
        ),
    }
    phrases = ["; elsewhere ".join(way for method, way in ways.items() if method in used)] if used else []
    without = [row for row in comparisons if lacks_an_interval(row)]
    if not all(map(has_enough, without)):
        some = "none where two systems have fewer than 10 %(clusters)s in common"
        none = "none, as the systems have fewer than 10 %(clusters)s in common"
        phrases.append((some if phrases else none) % clusters)
    if any(map(has_enough, without)):
        phrases.append(("none where the difference does not vary between %(clusters)s") % clusters)
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
    sentence = (
        (
            "With %(clusters)s, no p below %(p)s is possible after adjusting for %(pairs)s pairs, "
            "whatever the difference."
        )
        if pairs > 1
        else "With %(clusters)s, no p below %(p)s is possible, whatever the difference."
    )
    return sentence % {"clusters": counted(clusters, cluster), "p": p_value(least), "pairs": pairs}


def swap_test_note(comparisons: Sequence[Comparison], cluster: str, *, studentized: bool) -> str:
    """Name the test that p is from, and that p is adjusted; reports before 0.8 are not `studentized`."""
    clusters = {"clusters": unit_words(cluster, 2), "most": MAX_EXACT}
    if not studentized:
        sentence = "p from swapping the systems within %(clusters)s, adjusted over all pairs of a measure (Holm)."
        return sentence % clusters
    sentence = (
        "p from %(test)s, which swaps the systems within %(clusters)s and compares the difference over its standard "
        "error (studentized); adjusted over all pairs of a measure (Holm)."
    )
    return sentence % {**clusters, "test": _test(comparisons) % clusters}


def _test(comparisons: Sequence[Comparison]) -> str:
    exact = {row.swaps is None for row in comparisons if row.p is not None}
    if exact == {True}:
        return "an exact permutation test"
    if True in exact:
        return "a permutation test (exact on up to %(most)s %(clusters)s, else with random swaps)"
    return "a permutation test with random swaps"


def comparison_note(comparisons: Sequence[Comparison], cluster: str = "prompt", *, studentized: bool = False) -> str:
    """Describe the figures of a table of differences."""
    sentence = (
        "Differences of unrounded shares, in percentage points, on the prompts that both systems have an assessed "
        "rating for."
    )
    return f"{sentence} {inference_note(comparisons, cluster, studentized=studentized)}"


def inference_note(comparisons: Sequence[Comparison], cluster: str, *, studentized: bool) -> str:
    """Describe the intervals and tests of a table of differences."""
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
    random: dict[str, None] = {}
    for model in filter(is_reliable, report.crossed_models or ()):
        for row in model.odds_ratios:
            p, p_of_model = differences.get((model.measure, row.a, row.b)), row.p_holm
            if p is None or p_of_model is None:
                continue
            random |= dict.fromkeys(_plural(part.grouping, names) for part in model.components)
            if (p < SIGNIFICANCE_LEVEL) != (p_of_model < SIGNIFICANCE_LEVEL):
                pair = "%(measure)s, %(a)s / %(b)s (difference: p %(p)s; model: p %(model)s)"
                contradictions.append(
                    pair % {
                        "measure": label(model.measure), "a": row.a, "b": row.b, "p": _p(p), "model": _p(p_of_model),
                    }
                )  # fmt: skip
    if not random:
        return ""
    return " ".join(filter(None, [_what_differs(report, names, list(random)), _which(contradictions)]))


def _what_differs(report: Report, names: Names, random: list[str]) -> str:
    sentence = (
        "The differences and the crossed model answer different questions, so their p-values can disagree. A "
        "difference weights all ratings alike, so that long responses and documents count more; its sampling unit is "
        "the %(cluster)s, and its raters are fixed. The model is about a single %(unit)s, holds systems fixed, and has "
        "random effects of %(random)s."
    )
    words = {"cluster": unit_words(report.method.cluster), "unit": unit_words(names.unit)}
    return sentence % {**words, "random": listed(random, "and")}


def _plural(grouping: str, names: Names) -> str:
    return unit_words(names.unit if grouping == "item" else grouping, 2)


def _which(contradictions: list[str]) -> str:
    """Name the pairs that are significant after Holm in one of the two only."""
    if not contradictions:
        return ""
    sentence = (
        "Significant after Holm’s correction in only one of the two: %(pairs)s. Report the test that your analysis "
        "plan names."
    )
    return sentence % {"pairs": "; ".join(contradictions)}


def _p(p: float) -> str:
    text = p_value(p)
    return text if text.startswith("<") else f"= {text}"


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
    figures: dict[tuple[str, bool], dict[str, dict[str, None]]] = {}
    for gap in gaps:
        rows = figures.setdefault((gap.reason, gap.has_value), {}).setdefault(gap.figure, {})
        if gap.row:
            rows[gap.row] = None
    return " ".join(
        _sentence(*key, {figure: list(rows) for figure, rows in each.items()}) for key, each in figures.items()
    )


def _sentence(reason: str, has_value: bool, figures: dict[str, list[str]]) -> str:
    named = "; ".join(_with_rows(figure, rows) for figure, rows in figures.items() if figure)
    if not named:
        return ("No interval where %(reason)s." if has_value else "“–” where %(reason)s.") % {"reason": reason}
    sentence = "No interval for %(figures)s: %(reason)s." if has_value else "“–” for %(figures)s: %(reason)s."
    return sentence % {"figures": named, "reason": reason}


def _with_rows(figure: str, rows: list[str]) -> str:
    if not rows:
        return figure
    more = [f"{count(len(rows) - MAX_ROWS)} more"] if len(rows) > MAX_ROWS else []
    return f"{figure} ({', '.join([*rows[:MAX_ROWS], *more])})"


def has_own_family(plan: PlanRecord | None) -> bool:
    """Return whether a plan's family is not the pairs of each measure, for which the report adjusts p."""
    return plan is not None and plan.family != BY_MEASURE and any(test.p_family is not None for test in plan.tests)


def family_in_words(plan: PlanRecord) -> str:
    """Return the tests that the plan's family covers."""
    if plan.family == PLANNED:
        return "the planned comparisons on the planned measures"
    return "all comparisons on all measures"


def tests_in_words(tests: int) -> str:
    """Return 6 tests."""
    return f"{count(tests)} test" if tests == 1 else f"{count(tests)} tests"


def planned_family_note(record: Provenance | None, report: Report, names: Names) -> str:
    """Name the plan's family where it is not the pairs of a measure, for which tables have p; else ""."""
    if record is None or record.plan is None or not has_own_family(record.plan):
        return ""
    sentence = "The family of the analysis plan is %(covered)s (%(tests)s); the Methods state p adjusted over it."
    values = {"covered": family_in_words(record.plan), "tests": tests_in_words(record.plan.family_size)}
    return " ".join(filter(None, [sentence % values, not_significant_over_family(record, report, names)]))


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
    sentence = "Not significant over the family of the analysis plan: %(tests)s."
    return sentence % {"tests": "; ".join(tests)} if tests else ""


def family_test(test: FamilyTest, names: Names) -> str:
    """Return accurate, heron − tern p = .0498: p adjusted over the plan's family."""
    p = p_value(test.p_family)
    relation = "p " if p.startswith("<") else "p = "
    return f"{names.measure(test.measure).lower()}, {test.a} − {test.b} {relation}{p}"
