"""Panels by week, one below the other: counts as bars, shares as points with their intervals and n."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..text.figure_format import count, percent
from .drawing import ACCENT, INK, LIGHT, QUIET, Spec, axis, category, data, layer, percent_axis, quantity, to_svg
from .layout import Layout

WEEKS, NARROW_WEEKS = 12, 6
WIDTH, NARROW_WIDTH = 720, 250  # pixels
HEIGHT = 130


@dataclass(frozen=True)
class WeekPoint:
    """One week of a panel: a count, or a share with its interval and `n`; nothing where `value` is None.

    `run` numbers the weeks without a gap between them, which a line joins; `label` is written beside.
    """

    week: str
    value: float | None
    low: float | None = None
    high: float | None = None
    n: int | None = None
    run: int = 0
    label: str = ""


@dataclass(frozen=True)
class Panel:
    """A title and the values of successive weeks."""

    title: str
    is_share: bool
    points: Sequence[WeekPoint]


def trend_figure(name: str, title: str, panels: Sequence[Panel], layout: Layout) -> str:
    """Draw the newest weeks of the panels as SVG; on a narrow screen fewer."""
    number = NARROW_WEEKS if layout.is_narrow else WEEKS
    newest = [Panel(panel.title, panel.is_share, panel.points[-number:]) for panel in panels]
    charts = [_share_panel(panel, layout) if panel.is_share else _count_panel(panel, layout) for panel in newest]
    description = "; ".join(f"{panel.title}: {_in_words(panel)}" for panel in newest)
    return to_svg({"vconcat": charts}, f"{name}{layout.ending}", title, description)


def _in_words(panel: Panel) -> str:
    points = [point for point in panel.points if point.value is not None]
    if not panel.is_share:
        return ", ".join(f"{point.week} {count(int(point.value or 0))}" for point in points)
    return ", ".join(f"{point.week} {percent(point.value)} ({point.label})" for point in points)


def _weeks(panel: Panel) -> Spec:
    return category("week", scale={"domain": [point.week for point in panel.points]}, axis=axis(labelAngle=0))


def _frame(panel: Panel, layout: Layout, layers: list[Spec]) -> Spec:
    width = NARROW_WIDTH if layout.is_narrow else WIDTH
    return {"layer": layers, "width": width, "height": HEIGHT, "title": panel.title}


def _count_panel(panel: Panel, layout: Layout) -> Spec:
    rows = [point for point in panel.points if point.value is not None]
    style = {"labelFontWeight": 400, "labelFontSize": 12, "labelColor": QUIET[LIGHT]}
    ticks = axis(tickCount=3, tickMinStep=1, format="d", grid=True, **style)
    encoding = {"x": _weeks(panel), "y": quantity("value", axis=ticks, scale={"domainMin": 0})}
    text = encoding | {"text": category("label")}
    return _frame(
        panel,
        layout,
        [
            data(rows) | layer("bar", encoding, color=ACCENT[LIGHT], width={"band": 0.6}),
            data(rows) | layer("text", text, dy=-7, fontSize=11, color=INK[LIGHT]),
        ],
    )


def _share_panel(panel: Panel, layout: Layout) -> Spec:
    rows = [point for point in panel.points if point.value is not None]
    ticks = percent_axis(
        format=".0%", tickCount=3, grid=True, labelFontWeight=400, labelFontSize=12, labelColor=QUIET[LIGHT]
    )
    least = min((row.low for row in rows if row.low is not None), default=0.0)
    scale = {"domain": [0.5 if least >= 0.5 else 0, 1]}
    x, y = _weeks(panel), quantity("value", axis=ticks, scale=scale)
    between = {"x": x, "y": quantity("low", scale=scale, axis=ticks), "y2": {"field": "high"}}
    text = {"x": x, "y": {"value": HEIGHT - 6}, "text": category("label")}
    return _frame(
        panel,
        layout,
        [
            data(rows) | layer("rule", between, color=ACCENT[LIGHT], strokeWidth=1.4, clip=True),
            data(rows) | layer("line", {"x": x, "y": y, "detail": category("run")}, color=ACCENT[LIGHT], strokeWidth=2),
            data(rows) | layer("point", {"x": x, "y": y}, filled=True, size=46, opacity=1, color=ACCENT[LIGHT]),
            data(rows) | layer("text", text, fontSize=10.5, color=QUIET[LIGHT]),
        ],
    )
