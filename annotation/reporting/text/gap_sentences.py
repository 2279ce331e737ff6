"""Sentences about what a table lacks: each reason once, with the figures and rows that it is about."""

from collections.abc import Iterable
from typing import NamedTuple

from .figure_format import count

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
