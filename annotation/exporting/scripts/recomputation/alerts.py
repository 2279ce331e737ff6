"""The quality alerts of raters, from their figures and those of the other raters."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import median

from .study import Figures

MIN_GOLD_SHARE, APART, FASTER, MIN_SECONDS, MIN_TIMED = 0.7, 0.1, 1 / 3, 1.0, 20


def quality_alerts(name: str, raters: dict[str, Figures], outliers: dict[str, float]) -> list[str]:
    """Return the alerts of a rater; `outliers`: the leniency of raters far from the others."""
    own = raters[name]
    others = [figures for other, figures in raters.items() if other != name]
    usual = _pooled(figures["leave_one_out"] for figures in others)
    raised = {
        "below gold": own["gold"] is not None and own["gold"]["high"] < MIN_GOLD_SHARE,
        "lenient": outliers.get(name, 0) > 0,
        "strict": outliers.get(name, 0) < 0,
        "disagrees": usual is not None and _is_below(own["leave_one_out"], usual - APART),
        "much faster": _is_much_faster(own, others),
        "too fast": own["seconds"] is not None and own["seconds"] < MIN_SECONDS and own["quick"]["n"] >= MIN_TIMED,
    }
    return [flag for flag, is_raised in raised.items() if is_raised]


def _is_below(share: Figures | None, threshold: float) -> bool:
    return share is not None and share["high"] is not None and share["high"] < threshold


def _is_much_faster(own: Figures, others: Sequence[Figures]) -> bool:
    times = [figures["seconds"] for figures in others if figures["seconds"] is not None]
    if own["seconds"] is None or own["quick"]["n"] < MIN_TIMED or not times:
        return False
    worse = any(_is_worse(own[key], [figures[key] for figures in others]) for key in ("gold", "leave_one_out"))
    return bool(own["seconds"] < FASTER * median(times) and worse)


def _is_worse(share: Figures | None, others: Sequence[Figures | None]) -> bool:
    usual = _pooled(others)
    return share is not None and usual is not None and share["value"] < usual


def _pooled(shares: Iterable[Figures | None]) -> float | None:
    present = [share for share in shares if share is not None]
    n = sum(share["n"] for share in present)
    return sum(share["k"] for share in present) / n if n else None
