"""Which differences between systems may be called one, and how that is said.

An order is only said where the adjusted p is small enough; the largest value alone is no distinction.
"""

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ...i18n.numbers import localised
from ...i18n.unit_names import unit_words
from ...stats.bootstrap import ALIKE
from ...stats.intervals import FEWEST_CLUSTERS
from ..text.figure_format import NO_BREAK, SIGNIFICANT, count, listed, p_value, points_between

MOST_WITH_FIGURES = 3  # pairs in a sentence: with more systems than three it says how many differ, and which
MOST_PAIRS_NAMED = 8


def difference_bounds(row: dict[str, Any], cluster: str) -> str:
    """The bounds of a comparison's difference in percentage points, or why it has none."""
    if lacks_an_interval(row):
        why = _("no variation") if has_enough(row) else _("too few %(clusters)s")
        return why % {"clusters": unit_words(cluster, 2)}
    return points_between(row["low"], row["high"])


def lacks_an_interval(row: dict[str, Any]) -> bool:
    """Whether a comparison has a difference and no bounds."""
    return row["difference"] is not None and row["low"] is None


def verdicts(comparisons: list[dict[str, Any]], name: str) -> str:
    """What may be said of the systems' order on one measure: an order only where the difference is significant."""
    known = [row for row in comparisons if row["p_holm"] is not None]
    apart = [row for row in known if is_significant(row)]
    if not known:
        return ""
    if not apart:
        smallest = min(row["p_holm"] for row in known)
        if len(known) == 1:
            none = _("%(name)s: %(a)s and %(b)s do not differ significantly (p\u00a0%(p)s).")
        else:
            none = _("%(name)s: No two systems differ significantly (smallest p\u00a0%(p)s).")
        return none % {"name": name, "a": known[0]["a"], "b": known[0]["b"], "p": _p(smallest)}
    if len(known) > MOST_WITH_FIGURES:
        said = _how_many(len(apart), len(known))
        numbers = {"apart": count(len(apart)), "known": count(len(known))}
        return said % {"name": name, **numbers, "orders": _orders(apart)}
    said = f"{name}: {'; '.join(map(_higher, apart))}."
    if len(apart) == len(known):
        return said
    rest = ngettext(
        "The other pair does not differ significantly.",
        "The other pairs do not differ significantly.",
        len(known) - len(apart),
    )
    return f"{said} {rest}"


def _how_many(apart: int, known: int) -> str:
    """The sentence for as many of the pairs that were tested, to be filled."""
    if apart == known:
        return _("%(name)s: all %(known)s pairs of systems differ significantly: %(orders)s.")
    return ngettext(
        "%(name)s: %(apart)s of %(known)s pairs of systems differs significantly: %(orders)s.",
        "%(name)s: %(apart)s of %(known)s pairs of systems differ significantly: %(orders)s.",
        apart,
    )


def best_system(report: dict[str, Any], measure: str, better: str) -> str | None:
    """The system that is significantly better than every other one on a measure, if there is one.

    `better` is `higher` or `lower`; with `neither` no system is better. All its comparisons must have p < .05 after
    Holm's adjustment: a largest value alone is no distinction.
    """
    if better not in ("higher", "lower") or len(report["systems"]) < 2:
        return None
    names = {cell["system"] for cell in report["systems"]}
    beaten: dict[str, set[str]] = {name: set() for name in names}
    for row in report["comparisons"]:
        if row["measure"] == measure and row["difference"] and is_significant(row):
            wins, loses = (
                (row["a"], row["b"]) if (row["difference"] > 0) == (better == "higher") else (row["b"], row["a"])
            )
            beaten[wins].add(loses)
    return next((name for name in sorted(names) if beaten[name] == names - {name}), None)


def compared(report: dict[str, Any]) -> list[dict[str, Any]]:
    """The comparisons as readers are shown them: on fewer than 10 clusters, or where nothing varies between them (two
    systems that are always right), the data have bounds for whoever computes with them, but no table or figure calls
    them an interval: one without width would say that the difference is known for certain.
    """
    return [
        row if has_enough(row) and not _is_a_point(row) else {**row, "low": None, "high": None, "method": "none"}
        for row in report["comparisons"]
    ]


def nothing_in_common(report: dict[str, Any]) -> bool:
    """Whether there are systems to compare, and no two of them have assessed ratings for one prompt: each then answered
    prompts of its own, and that they do not differ is not what the data say.
    """
    return bool(report["comparisons"]) and not any(row["prompts"] for row in report["comparisons"])


def _is_a_point(row: dict[str, Any]) -> bool:
    return row["low"] is not None and bool(row["high"] - row["low"] < ALIKE)


def has_enough(row: dict[str, Any]) -> bool:
    """Whether the two systems have as many clusters in common as an interval needs."""
    return bool(row.get("clusters", row["prompts"]) >= FEWEST_CLUSTERS)


def is_significant(row: dict[str, Any]) -> bool:
    """Whether a comparison's difference may be called one: p < .05 after Holm's adjustment."""
    return row["p_holm"] is not None and row["p_holm"] < SIGNIFICANT


def _orders(apart: list[dict[str, Any]]) -> str:
    """Which systems are above which, those above most others first, and how many pairs are not named."""
    below: dict[str, list[str]] = {}
    for first, second in sorted(map(_in_order, apart)):
        below.setdefault(first, []).append(second)
    said, left = [], MOST_PAIRS_NAMED
    for first, others in sorted(below.items(), key=lambda found: (-len(found[1]), found[0])):
        if others[:left]:
            named = {"first": first, "others": listed(others[:left], _("and"))}
            said.append(_("%(first)s is above %(others)s") % named)
        left = max(0, left - len(others))
    more = len(apart) - MOST_PAIRS_NAMED
    if more > 0:
        said.append(ngettext("%(n)s more pair", "%(n)s more pairs", more) % {"n": count(more)})
    return "; ".join(said)


def _in_order(row: dict[str, Any]) -> tuple[str, str]:
    """The two systems of a comparison, the one with the higher share first."""
    return (row["a"], row["b"]) if row["difference"] > 0 else (row["b"], row["a"])


def _higher(row: dict[str, Any]) -> str:
    first, second = _in_order(row)
    said = _("%(first)s is above %(second)s by %(points)s points (p\u00a0%(p)s)")
    apart = localised(f"{abs(100 * row['difference']):.1f}")
    return said % {"first": first, "second": second, "points": apart, "p": _p(row["p_holm"])}


def _p(p: float) -> str:
    """With spaces that do not break."""
    text = p_value(p)
    return (text if text.startswith("<") else f"= {text}").replace(" ", NO_BREAK)
