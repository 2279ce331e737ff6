"""Which differences between systems may be called one, and how that is said.

An order is only said where the adjusted p is small enough; the largest value alone is no distinction.
"""

from typing import Any

from ..stats.intervals import FEWEST_CLUSTERS
from .wording import NO_BREAK, SIGNIFICANT, count, listed, of, p_value, points_between

MOST_WITH_FIGURES = 3  # pairs in a sentence: with more systems than three it says how many differ, and which
MOST_PAIRS_NAMED = 8


def difference_bounds(row: dict[str, Any], cluster: str) -> str:
    """The bounds of a comparison's difference in percentage points, or why it has none."""
    if lacks_an_interval(row):
        return f"too few {cluster}s"
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
            which, p = f"{known[0]['a']} and {known[0]['b']} do not", "p"
        else:
            which, p = "No two systems", "smallest p"
        return f"{name}: {which} differ significantly ({p}{NO_BREAK}{_p(smallest)})."
    if len(known) > MOST_WITH_FIGURES:
        how_many = "all" if len(apart) == len(known) else f"{count(len(apart))} of"
        differ = "differ" if len(apart) > 1 else "differs"
        return f"{name}: {how_many} {count(len(known))} pairs of systems {differ} significantly: {_orders(apart)}."
    said = [_higher(row) for row in apart]
    rest = ""
    if len(apart) < len(known):
        rest = " The other pair does not" if len(known) - len(apart) == 1 else " The other pairs do not"
        rest += " differ significantly."
    return f"{name}: {'; '.join(said)}.{rest}"


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
    """The comparisons as readers are shown them: on fewer than 10 clusters the data have t bounds for whoever computes
    with them, but, as with proportions, no table or figure calls them an interval.
    """
    return [
        row if _has_enough(row) else {**row, "low": None, "high": None, "method": "none"}
        for row in report["comparisons"]
    ]


def _has_enough(row: dict[str, Any]) -> bool:
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
            said.append(f"{first} is above {listed(others[:left], 'and')}")
        left = max(0, left - len(others))
    more = len(apart) - MOST_PAIRS_NAMED
    return "; ".join([*said, of(more, "more pair")] if more > 0 else said)


def _in_order(row: dict[str, Any]) -> tuple[str, str]:
    """The two systems of a comparison, the one with the higher share first."""
    return (row["a"], row["b"]) if row["difference"] > 0 else (row["b"], row["a"])


def _higher(row: dict[str, Any]) -> str:
    first, second = _in_order(row)
    return f"{first} is above {second} by {abs(100 * row['difference']):.1f} points (p{NO_BREAK}{_p(row['p_holm'])})"


def _p(p: float) -> str:
    """With spaces that do not break."""
    text = p_value(p)
    return (text if text.startswith("<") else f"= {text}").replace(" ", NO_BREAK)
