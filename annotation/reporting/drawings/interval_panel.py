"""A panel of dots with intervals: one row a system or an analysis, one color and shape a series, each in a lane."""

from collections.abc import Sequence
from dataclasses import dataclass

from . import vega
from .drawing import Estimate, Layout
from .labels import lines_of, named_axis, row_height

LANE, GAP = 13, 16  # pixels: the height of a dot's lane, and the gap between two systems
SHAPES = ("circle", "diamond", "triangle-up", "cross", "triangle-down", "square")
FEW_TICKS = 0.7  # of 100 %: an axis over less has fewer labels, as its panel is narrow


@dataclass(frozen=True)
class Series:
    """What the dots of one color and shape are about."""

    name: str
    color: str


def interval_panel(
    estimates: Sequence[Estimate],
    series: Sequence[Series],
    width: float,
    layout: Layout,
    *,
    domain: Sequence[float] = (0, 1),
    named: bool = True,
) -> vega.Spec:
    """Return the panel, its axis from 0 to 100 % or over the `domain`, its rows `named` or beside a panel that is."""
    lines = lines_of((row.system for row in estimates), layout.name)
    ticks = vega.percent_axis(format=".0%", tickCount=5 if domain[1] - domain[0] > FEW_TICKS else 3)
    share = {"axis": ticks, "scale": {"domain": list(domain)}}
    with_interval = [row for row in estimates if row.low is not None]
    columns = min(len(series), layout.columns)
    color = by_series("series", series, [row.color for row in series], columns)
    shape = by_series("series", series, [SHAPES[n % len(SHAPES)] for n in range(len(series))], columns)
    intervals = vega.data(with_interval) | vega.layer(
        "rule", {**vega.bounds("x", **share), "color": color}, strokeWidth=1.6
    )
    dots = {"x": vega.quantity("value", **share), "color": color, "shape": shape}
    lanes = {"domain": [row.name for row in series], "paddingOuter": 0.5}
    return {
        **vega.data(estimates),
        "encoding": {
            "y": vega.category(
                "system", sort=list(lines), axis=named_axis(lines) if named else vega.axis(labels=False)
            ),
            "yOffset": vega.category("series", sort=None, scale=lanes),
        },
        "layer": [
            *([intervals] if with_interval else []),  # an empty layer would be an image without a text
            vega.layer("point", dots, filled=True, size=46, opacity=1),
        ],
        "width": width,
        "height": {"step": row_height(lines, LANE * len(series) + GAP), "for": "position"},
    }


def by_series(field: str, series: Sequence[Series], values: Sequence[str], columns: int) -> vega.Spec:
    """Return the channel that gives each series its color or shape, with a legend in so many columns."""
    return vega.category(
        field,
        sort=None,
        scale={"domain": [row.name for row in series], "range": values},
        legend={"title": None, "orient": "bottom", "labelLimit": vega.MAX_NAME_WIDTH, "columns": columns},
    )
