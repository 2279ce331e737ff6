"""Raters' answers: one stacked bar for each system, and a panel with each share and its interval on the same axis.

Whiskers at the ends of stacked parts would suggest that all parts before are exact. In the panel below the bars each
share has a row of its own, so that no interval covers another.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..parts import Cell
from ..report import Report
from ..text.figure_format import count, percent
from ..text.names import Names
from .drawing import LIGHT, MAX_NAME_WIDTH, SHEET, TONES, Spec, category, data, layer, percent_axis, quantity, to_svg
from .interval_panel import Estimate, Series, interval_panel
from .labels import lines_of, named_axis, row_height
from .layout import WIDE, Layout

BAR, GAP = 22, 12  # pixels: a bar, and the gap between two systems
MIN_LABEL_WIDTH = 30.8  # pixels of a part with its share in it


@dataclass(frozen=True)
class PlotPart:
    """One part of a stacked bar: an option's share from `start` to `end`, and its interval for the panel below."""

    system: str
    option: str
    n: int
    share: float
    start: float
    end: float
    middle: float
    label: str
    low: float | None
    high: float | None


Rows = list[PlotPart]


def option_shares(report: Report, names: Names, layout: Layout = WIDE) -> str:
    """Draw the share of each option of the first measured question in all ratings of a system: bars, and below them
    each share with its interval if there is any.
    """
    rows = _rows(report, names, layout)
    systems = dict.fromkeys(row.system for row in rows)
    description = "; ".join(f"{system}: {_in_words(rows, system)}" for system in systems)
    chart = _chart(rows, names, report, layout)
    title = names.first_question or "Answers by system"
    return to_svg(chart, f"options{layout.ending}", title, description)


def _rows(report: Report, names: Names, layout: Layout) -> Rows:
    return [row for cell in report.systems for row in _parts(cell, names, MIN_LABEL_WIDTH / layout.row)]


def _parts(cell: Cell, names: Names, least: float) -> Rows:
    total, start, parts = sum(cell.options.values()), 0.0, []
    for key, n in cell.options.items():
        share = n / total if total else 0.0
        p = (cell.shares or {}).get(key)
        low, high = (p.low, p.high) if p and n and p.low is not None and p.high is not None else (None, None)
        parts.append(
            PlotPart(
                system=str(cell.system),
                option=names.option(key),
                n=n,
                share=share,
                start=start,
                end=start + share,
                middle=start + share / 2,
                label=percent(share, sign=False) if share >= least else "",
                low=low,
                high=high,
            )
        )
        start += share
    return parts


def _in_words(rows: Rows, system: str) -> str:
    return ", ".join(f"{row.option} {percent(row.share)} ({count(row.n)})" for row in rows if row.system == system)


def _chart(rows: Rows, names: Names, report: Report, layout: Layout) -> Spec:
    options = list(report.overall.options)
    tones = [TONES[tone][LIGHT] for tone in distinct(names.tone(key) for key in options)]
    series = [Series(names.option(key), tone) for key, tone in zip(options, tones, strict=True)]
    estimates = [Estimate(row.system, row.option, row.share, row.low, row.high) for row in rows if row.n]
    if all(row.low is None for row in estimates):
        return _bars(rows, series, layout)
    panels = [_bars(rows, series, layout), interval_panel(estimates, series, layout.row, layout)]
    own_legends = {"scale": dict.fromkeys(("color", "shape", "stroke"), "independent")}
    return {"vconcat": panels, "resolve": own_legends, "spacing": 18}


def _bars(rows: Rows, series: list[Series], layout: Layout) -> Spec:
    lines = lines_of((row.system for row in rows), layout.name)
    columns = 1 if layout.is_narrow else len(series)
    color = category(
        "option",
        sort=None,
        scale={"domain": [row.name for row in series], "range": [row.color for row in series]},
        legend={"title": None, "orient": "bottom", "labelLimit": MAX_NAME_WIDTH, "columns": columns},
    )
    ticks = percent_axis(format=".0%", tickCount=5)
    part = {"x": quantity("start", axis=ticks, scale={"domain": [0, 1]}), "x2": {"field": "end"}, "color": color}
    label = {"x": quantity("middle"), "text": category("label")}
    text = {"fontSize": 11, "fontWeight": 600}
    return {
        **data(rows),
        "encoding": {"y": category("system", sort=None, axis=named_axis(lines))},
        "layer": [
            layer("bar", part, height=BAR, stroke=SHEET[LIGHT], strokeWidth=1),
            layer("text", label | {"stroke": color, "color": color}, strokeWidth=4, strokeJoin="round", **text),
            layer("text", label | {"color": {"value": SHEET[LIGHT]}}, **text),
        ],
        "width": layout.row,
        "height": {"step": row_height(lines, BAR + GAP)},
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
