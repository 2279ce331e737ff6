"""Significance of differences between systems, in words.

Systems are ordered only if the adjusted p is small enough; the largest value alone is not sufficient.
"""

from collections.abc import Sequence
from operator import itemgetter

from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from msgspec.structs import replace

from ...i18n.numbers import localized
from ...i18n.unit_names import unit_words
from ...stats.bootstrap import ALIKE
from ...stats.intervals import FEWEST_CLUSTERS
from ..report import Comparison, Report
from ..text.figure_format import NO_BREAK, SIGNIFICANT, count, listed, p_value, points_between

MOST_WITH_FIGURES = 3  # pairs; with more, the sentence gives only their number
MOST_PAIRS_NAMED = 8


def difference_bounds(row: Comparison, cluster: str) -> str:
    """Format the bounds of a comparison's difference in percentage points, or why it has none."""
    if lacks_an_interval(row):
        reason = _("no variation") if has_enough(row) else _("too few %(clusters)s")
        return reason % {"clusters": unit_words(cluster, 2)}
    return points_between(row.low, row.high)


def lacks_an_interval(row: Comparison) -> bool:
    """Return whether a comparison has a difference and no bounds."""
    return row.difference is not None and row.low is None


def verdicts(comparisons: Sequence[Comparison], name: str) -> str:
    """Word the order of the systems on one measure: only where the difference is significant."""
    tested = [(row.p_holm, row) for row in comparisons if row.p_holm is not None]
    significant = [row for _p_holm, row in tested if is_significant(row)]
    if not tested:
        return ""
    if not significant:
        smallest, row = min(tested, key=itemgetter(0))
        if len(tested) == 1:
            sentence = _("%(name)s: %(a)s and %(b)s do not differ significantly (p\u00a0%(p)s).")
        else:
            sentence = _("%(name)s: No two systems differ significantly (smallest p\u00a0%(p)s).")
        return sentence % {"name": name, "a": row.a, "b": row.b, "p": _p(smallest)}
    if len(tested) > MOST_WITH_FIGURES:
        sentence = _count_sentence(len(significant), len(tested))
        numbers = {"apart": count(len(significant)), "known": count(len(tested))}
        return sentence % {"name": name, **numbers, "orders": _orders(significant)}
    sentence = f"{name}: {'; '.join(map(_higher, significant))}."
    if len(significant) == len(tested):
        return sentence
    rest = ngettext(
        "The other pair does not differ significantly.",
        "The other pairs do not differ significantly.",
        len(tested) - len(significant),
    )
    return f"{sentence} {rest}"


def _count_sentence(significant: int, tested: int) -> str:
    """Return the sentence, to be filled, for this number of significant pairs."""
    if significant == tested:
        return _("%(name)s: all %(known)s pairs of systems differ significantly: %(orders)s.")
    return ngettext(
        "%(name)s: %(apart)s of %(known)s pairs of systems differs significantly: %(orders)s.",
        "%(name)s: %(apart)s of %(known)s pairs of systems differ significantly: %(orders)s.",
        significant,
    )


def best_system(report: Report, measure: str, better: str) -> str | None:
    """Return the system that is significantly better than every other one on a measure, if there is one.

    `better` is `higher` or `lower`; with `neither` no system is better. All its comparisons must have p < .05 after
    Holm's adjustment: the largest value alone is not sufficient.
    """
    if better not in ("higher", "lower") or len(report.systems) < 2:
        return None
    names = {str(cell.system) for cell in report.systems}
    beaten: dict[str, set[str]] = {name: set() for name in names}
    for row in report.comparisons:
        if row.measure == measure and row.difference and is_significant(row):
            wins, loses = (row.a, row.b) if (row.difference > 0) == (better == "higher") else (row.b, row.a)
            beaten[wins].add(loses)
    return next((name for name in sorted(names) if beaten[name] == names - {name}), None)


def comparisons_shown(report: Report) -> list[Comparison]:
    """Return the comparisons of tables and figures. With fewer than 10 clusters, or without variation between them (two
    systems that are always right), the report has bounds for programs, but tables and figures show no interval: one
    without width would claim that the difference is certain.
    """
    return [
        row if has_enough(row) and not _is_a_point(row) else replace(row, low=None, high=None, method="none")
        for row in report.comparisons
    ]


def nothing_in_common(report: Report) -> bool:
    """Return whether no two of several systems have assessed ratings for the same prompt."""
    return bool(report.comparisons) and not any(row.prompts for row in report.comparisons)


def _is_a_point(row: Comparison) -> bool:
    return row.low is not None and row.high is not None and row.high - row.low < ALIKE


def clusters_in_common(row: Comparison) -> int:
    """Return the number of clusters that two systems have in common; older reports have only the prompts."""
    return row.prompts if row.clusters is None else row.clusters


def has_enough(row: Comparison) -> bool:
    """Return whether the two systems have as many clusters in common as an interval needs."""
    return clusters_in_common(row) >= FEWEST_CLUSTERS


def is_significant(row: Comparison) -> bool:
    """Return whether a comparison's difference is significant: p < .05 after Holm's adjustment."""
    return row.p_holm is not None and row.p_holm < SIGNIFICANT


def _orders(significant: list[Comparison]) -> str:
    """Describe the order of the systems, first those above most others, with the number of omitted pairs."""
    below: dict[str, list[str]] = {}
    for first, second in sorted(map(_in_order, significant)):
        below.setdefault(first, []).append(second)
    phrases, remaining = [], MOST_PAIRS_NAMED
    for first, others in sorted(below.items(), key=lambda entry: (-len(entry[1]), entry[0])):
        if others[:remaining]:
            names = {"first": first, "others": listed(others[:remaining], _("and"))}
            phrases.append(_("%(first)s is above %(others)s") % names)
        remaining = max(0, remaining - len(others))
    more = len(significant) - MOST_PAIRS_NAMED
    if more > 0:
        phrases.append(ngettext("%(n)s more pair", "%(n)s more pairs", more) % {"n": count(more)})
    return "; ".join(phrases)


def _in_order(row: Comparison) -> tuple[str, str]:
    """Return the two systems of a comparison, the one with the higher share first."""
    return (row.a, row.b) if row.difference and row.difference > 0 else (row.b, row.a)


def _higher(row: Comparison) -> str:
    first, second = _in_order(row)
    phrase = _("%(first)s is above %(second)s by %(points)s points (p\u00a0%(p)s)")
    points = localized(f"{abs(100 * (row.difference or 0)):.1f}")
    return phrase % {"first": first, "second": second, "points": points, "p": _p(row.p_holm)}


def _p(p: float | None) -> str:
    """Format a p value with spaces that do not break."""
    text = p_value(p)
    return (text if text.startswith("<") else f"= {text}").replace(" ", NO_BREAK)
