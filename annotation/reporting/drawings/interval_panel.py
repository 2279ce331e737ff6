"""A panel of dots with intervals: one row a system or an analysis, one color and shape a series, each in a lane."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .drawing import MAX_NAME_WIDTH, Spec, axis, category, data, layer, percent_axis, quantity
from .labels import lines_of, named_axis, row_height
from .layout import Layout

LANE, GAP = 13, 16  # pixels: the height of a dot's lane, and the gap between two systems
SHAPES = ("circle", "diamond", "triangle-up", "cross", "triangle-down", "square")
WIDE = 0.7  # of 100 %: an axis over less has fewer labels, as its panel is narrow


@dataclass(frozen=True)
class Series:
    """What the dots of one color and shape are about."""

    name: str
    color: str


@dataclass(frozen=True)
class Estimate:
    """The share of one row (`system`) in one series, with its interval if it has one."""

    system: str
    series: str
    value: float | None
    low: float | None
    high: float | None


def interval_panel(
    estimates: Sequence[Estimate],
    series: Sequence[Series],
    width: float,
    layout: Layout,
    *,
    domain: Sequence[float] = (0, 1),
    named: bool = True,
) -> Spec:
    """Return the panel, its axis from 0 to 100 % or over the `domain`, its rows `named` or beside a panel that is."""
    lines = lines_of((row.system for row in estimates), layout.name)
    ticks = percent_axis(format=".0%", tickCount=5 if domain[1] - domain[0] > WIDE else 3)
    scale = {"domain": list(domain)}
    with_interval = [row for row in estimates if row.low is not None]
    x = quantity("value", axis=ticks, scale=scale)
    between = {"x": quantity("low", axis=ticks, scale=scale), "x2": {"field": "high"}}
    color, shape = _color(series, layout), _shape(series, layout)
    lines_drawn = data(with_interval) | layer("rule", between | {"color": color}, strokeWidth=1.6)
    lanes = {
        "y": category("system", sort=list(lines), axis=named_axis(lines) if named else axis(labels=False)),
        "yOffset": category("series", sort=None, scale={"domain": [row.name for row in series], "paddingOuter": 0.5}),
    }
    return {
        **data(estimates),
        "encoding": lanes,
        "layer": [
            *([lines_drawn] if with_interval else []),  # an empty layer would be an image without a text
            layer("point", {"x": x, "color": color, "shape": shape}, filled=True, size=46, opacity=1),
        ],
        "width": width,
        "height": {"step": row_height(lines, LANE * len(series) + GAP), "for": "position"},
    }


def _color(series: Sequence[Series], layout: Layout) -> Spec:
    scale = {"domain": [row.name for row in series], "range": [row.color for row in series]}
    return category("series", sort=None, scale=scale, legend=_legend(series, layout))


def _shape(series: Sequence[Series], layout: Layout) -> Spec:
    shapes = [SHAPES[n % len(SHAPES)] for n in range(len(series))]
    scale = {"domain": [row.name for row in series], "range": shapes}
    return category("series", sort=None, scale=scale, legend=_legend(series, layout))


def _legend(series: Sequence[Series], layout: Layout) -> Spec:
    columns = min(len(series), layout.columns)
    return {"title": None, "orient": "bottom", "labelLimit": MAX_NAME_WIDTH, "columns": columns}
