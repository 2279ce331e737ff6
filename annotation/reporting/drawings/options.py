"""Raters' answers: one stacked bar for each system, and a panel with each share and its interval on the same axis.

Whiskers at the ends of stacked parts would suggest that all parts before are exact. In the panel below the bars each
share has a row of its own, so that no interval covers another.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from ..parts import Cell
from ..report import Report
from ..text.figure_format import count, percent
from ..text.names import Names
from . import vega
from .drawing import SHEET, TONES, Estimate, Layout, to_svg
from .interval_panel import Series, by_series, interval_panel
from .labels import lines_of, named_axis, row_height

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


def option_shares(report: Report, names: Names, layout: Layout) -> str:
    """Draw the share of each option of the first measured question in all ratings of a system: bars, and below them
    each share with its interval if there is any.
    """
    options = list(report.overall.options)
    tones = distinct(names.tone(key) for key in options)
    series = [Series(names.option(key), TONES[tone]) for key, tone in zip(options, tones, strict=True)]
    parts = [_parts(cell, names, MIN_LABEL_WIDTH / layout.row) for cell in report.systems]
    description = "; ".join(
        f"{of_system[0].system}: "
        + ", ".join(f"{part.option} {percent(part.share)} ({count(part.n)})" for part in of_system)
        for of_system in parts
        if of_system
    )
    rows = [part for of_system in parts for part in of_system]
    estimates = [Estimate(part.system, part.option, part.share, part.low, part.high) for part in rows if part.n]
    chart = _bars(rows, series, layout)
    if any(row.low is not None for row in estimates):
        own_legends = {"scale": dict.fromkeys(("color", "shape", "stroke"), "independent")}
        panels = [chart, interval_panel(estimates, series, layout.row, layout)]
        chart = {"vconcat": panels, "resolve": own_legends, "spacing": 18}
    return to_svg(chart, "options", layout, names.first_question or "Answers by system", description)


def _parts(cell: Cell, names: Names, least: float) -> list[PlotPart]:
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


def _bars(parts: list[PlotPart], series: list[Series], layout: Layout) -> vega.Spec:
    lines = lines_of((part.system for part in parts), layout.name)
    color = by_series("option", series, [row.color for row in series], 1 if layout.is_narrow else len(series))
    ticks = vega.percent_axis(format=".0%", tickCount=5)
    bar = {"x": vega.quantity("start", axis=ticks, scale={"domain": [0, 1]}), "x2": {"field": "end"}, "color": color}
    label = {"x": vega.quantity("middle"), "text": vega.category("label")}
    text = {"fontSize": 11, "fontWeight": 600}
    return {
        **vega.data(parts),
        "encoding": {"y": vega.category("system", sort=None, axis=named_axis(lines))},
        "layer": [
            vega.layer("bar", bar, height=BAR, stroke=SHEET, strokeWidth=1),
            vega.layer("text", label | {"stroke": color, "color": color}, strokeWidth=4, strokeJoin="round", **text),
            vega.layer("text", label | {"color": {"value": SHEET}}, **text),
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
