"""A panel of dots with intervals: one row a system, one color and shape a series, each series in a lane of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .drawing import MAX_NAME_WIDTH, Spec, category, data, layer, percent_axis, quantity
from .labels import lines_of, named_axis, row_height

LANE, GAP = 13, 16  # pixels: the height of a dot's lane, and the gap between two systems
SHAPES = ("circle", "diamond", "triangle-up", "cross", "triangle-down", "square")
MAX_LEGEND_COLUMNS = 5


@dataclass(frozen=True)
class Series:
    """What the dots of one color and shape are about."""

    name: str
    color: str


@dataclass(frozen=True)
class Estimate:
    """The share of one system in one series, with its interval if it has one."""

    system: str
    series: str
    value: float | None
    low: float | None
    high: float | None


def interval_panel(estimates: Sequence[Estimate], series: Sequence[Series], width: float) -> Spec:
    """Return the panel, its axis from 0 to 100 %."""
    lines = lines_of(row.system for row in estimates)
    ticks = percent_axis(format=".0%", tickCount=5)
    domain = {"domain": [0, 1]}
    with_interval = data(row for row in estimates if row.low is not None)
    x = quantity("value", axis=ticks, scale=domain)
    between = {"x": quantity("low", axis=ticks, scale=domain), "x2": {"field": "high"}}
    color, shape = _color(series), _shape(series)
    lanes = {
        "y": category("system", sort=None, axis=named_axis(lines)),
        "yOffset": category("series", sort=None, scale={"domain": [one.name for one in series], "paddingOuter": 0.5}),
    }
    return {
        **data(estimates),
        "encoding": lanes,
        "layer": [
            with_interval | layer("rule", between | {"color": color}, strokeWidth=1.6),
            layer("point", {"x": x, "color": color, "shape": shape}, filled=True, size=46, opacity=1),
        ],
        "width": width,
        "height": {"step": row_height(lines, LANE * len(series) + GAP), "for": "position"},
    }


def _color(series: Sequence[Series]) -> Spec:
    scale = {"domain": [one.name for one in series], "range": [one.color for one in series]}
    return category("series", sort=None, scale=scale, legend=_legend(series))


def _shape(series: Sequence[Series]) -> Spec:
    shapes = [SHAPES[n % len(SHAPES)] for n in range(len(series))]
    scale = {"domain": [one.name for one in series], "range": shapes}
    return category("series", sort=None, scale=scale, legend=_legend(series))


def _legend(series: Sequence[Series]) -> Spec:
    columns = min(len(series), MAX_LEGEND_COLUMNS)
    return {"title": None, "orient": "bottom", "labelLimit": MAX_NAME_WIDTH, "columns": columns}
