"""Differences between systems in words: their bounds, and the order of the systems."""

import re
from collections.abc import Sequence
from operator import itemgetter

from django.utils.translation import get_language

from ...i18n.english import ENGLISH
from ...i18n.numbers import localized
from ...i18n.unit_names import unit_words
from ..compute.significance import has_enough, is_significant, lacks_an_interval
from ..report import Comparison
from .figure_format import NO_BREAK, count, listed, p_value

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
