"""Raters' answers: one stacked bar for each system, and below it each share with its interval on the same axis.

Whiskers at the ends of stacked parts would suggest that all parts before are exact, and would leave the bar. Below the
bar, in the order of the legend, each can be read against the axis.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.translation import gettext as _

from ..report import Cell, Report
from ..text.figure_format import count, percent
from ..text.names import Names
from .drawing import (
    LIGHT,
    MAX_NAME_WIDTH,
    SHEET,
    TONES,
    WIDTH,
    Spec,
    category,
    data,
    layer,
    percent_axis,
    quantity,
    to_svg,
)
from .labels import lines_of, named_axis, row_height

BAR, LANE, GAP = 22, 6, 14  # pixels: a bar, one whisker below it, and the gap between two systems
MIN_LABEL_WIDTH = 0.055  # of the width of a bar


@dataclass(frozen=True)
class PlotPart:
    """One part of a stacked bar: an option's share from `start` to `end`, and its interval in the `lane` below."""

    system: str
    option: str
    lane: int
    n: int
    share: float
    start: float
    end: float
    middle: float
    label: str
    low: float | None
    high: float | None


Rows = list[PlotPart]


def option_shares(report: Report, names: Names) -> str:
    """Draw the share of each option of the first measured question in all ratings of a system.

    Below each bar, in the same order: each share and its interval.
    """
    rows = _rows(report, names)
    systems = dict.fromkeys(row.system for row in rows)
    description = "; ".join(f"{system}: {_in_words(rows, system)}" for system in systems)
    chart = _chart(rows, names, report)
    return to_svg(chart, "options", names.first_question or _("Answers by system"), description)


def _rows(report: Report, names: Names) -> Rows:
    return [row for cell in report.systems for row in _parts(cell, names)]


def _parts(cell: Cell, names: Names) -> Rows:
    total, start, parts = sum(cell.options.values()), 0.0, []
    for lane, (key, n) in enumerate(cell.options.items()):
        share = n / total if total else 0.0
        p = (cell.shares or {}).get(key)
        low, high = (p.low, p.high) if p and n and p.low is not None and p.high is not None else (None, None)
        parts.append(
            PlotPart(
                system=str(cell.system),
                option=names.option(key),
                lane=lane,
                n=n,
                share=share,
                start=start,
                end=start + share,
                middle=start + share / 2,
                label=percent(share, sign=False) if share >= MIN_LABEL_WIDTH else "",
                low=low,
                high=high,
            )
        )
        start += share
    return parts


def _in_words(rows: Rows, system: str) -> str:
    return ", ".join(f"{row.option} {percent(row.share)} ({count(row.n)})" for row in rows if row.system == system)


def _chart(rows: Rows, names: Names, report: Report) -> Spec:
    options = list(report.overall.options)
    tones = [TONES[tone][LIGHT] for tone in distinct(names.tone(key) for key in options)]
    whiskers = [row for row in rows if row.low is not None]
    lanes = LANE * len(options) if whiskers else 0
    lines = lines_of(row.system for row in rows)
    color = category(
        "option",
        sort=None,
        scale={"domain": [names.option(key) for key in options], "range": tones},
        legend={"title": None, "orient": "bottom", "labelLimit": MAX_NAME_WIDTH, "columns": len(options)},
    )
    ticks = percent_axis(format=".0%", tickCount=5)
    part = {"x": quantity("start", axis=ticks, scale={"domain": [0, 1]}), "x2": {"field": "end"}, "color": color}
    label = {"x": quantity("middle"), "text": category("label")}
    text = {"fontSize": 11, "fontWeight": 600, "yOffset": -lanes / 2}
    return {
        **data(rows),
        "encoding": {"y": category("system", sort=None, axis=named_axis(lines, offset=-lanes / 2))},
        "layer": [
            layer("bar", part, height=BAR, yOffset=-lanes / 2, stroke=SHEET[LIGHT], strokeWidth=1),
            layer("text", label | {"stroke": color, "color": color}, strokeWidth=4, strokeJoin="round", **text),
            layer("text", label | {"color": {"value": SHEET[LIGHT]}}, **text),
            *(_whiskers(whiskers, lane, tones[lane], lanes) for lane in sorted({row.lane for row in whiskers})),
        ],
        "width": WIDTH,
        "height": {"step": row_height(lines, BAR + lanes + GAP)},
    }


def distinct(tones: Iterable[str]) -> list[str]:
    """Replace a repeated tone by an unused one that means neither right nor wrong, as A and B of a pair have none of
    their own. With none unused a tone is repeated.
    """
    requested, distinct_tones = list(tones), list[str]()
    free = [tone for tone in ("neutral", "unsupported", "disputed", "cannot") if tone not in requested]
    for tone in requested:
        distinct_tones.append(free.pop(0) if tone in distinct_tones and free else tone)
    return distinct_tones


def _whiskers(rows: Rows, lane: int, tone: str, lanes: int) -> Spec:
    """Draw the shares of one option with their intervals, in their own lane."""
    below = BAR / 2 - lanes / 2 + LANE * (lane + 0.9)
    between = {"x": quantity("low"), "x2": {"field": "high"}}
    return {
        **data(row for row in rows if row.lane == lane),
        "layer": [
            layer("rule", between, color=tone, strokeWidth=1.6, yOffset=below),
            layer("point", {"x": quantity("share")}, color=tone, fill=tone, size=14, opacity=1, yOffset=below),
        ],
    }
