"""Panels by week, one below the other: counts as bars, shares as points with their intervals and n."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..text.figure_format import count, percent
from . import vega
from .drawing import ACCENT, INK, NUMBER_LABELS, QUIET, Layout, to_svg

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
    number, width = (NARROW_WEEKS, NARROW_WIDTH) if layout.is_narrow else (WEEKS, WIDTH)
    charts, descriptions = [], []
    for panel in panels:
        newest = panel.points[-number:]
        points = [point for point in newest if point.value is not None]
        weeks = vega.category("week", scale={"domain": [point.week for point in newest]}, axis=vega.axis(labelAngle=0))
        layers = _shares(points, weeks) if panel.is_share else _counts(points, weeks)
        charts.append({"layer": layers, "width": width, "height": HEIGHT, "title": panel.title})
        words = ", ".join(
            f"{point.week} {percent(point.value)} ({point.label})"
            if panel.is_share
            else f"{point.week} {count(int(point.value or 0))}"
            for point in points
        )
        descriptions.append(f"{panel.title}: {words}")
    return to_svg({"vconcat": charts}, name, layout, title, "; ".join(descriptions))


def _counts(points: list[WeekPoint], weeks: vega.Spec) -> list[vega.Spec]:
    ticks = vega.axis(tickCount=3, tickMinStep=1, format="d", grid=True, **NUMBER_LABELS)
    encoding = {"x": weeks, "y": vega.quantity("value", axis=ticks, scale={"domainMin": 0})}
    return [
        vega.data(points) | vega.layer("bar", encoding, color=ACCENT, width={"band": 0.6}),
        vega.data(points)
        | vega.layer("text", encoding | {"text": vega.category("label")}, dy=-7, fontSize=11, color=INK),
    ]


def _shares(points: list[WeekPoint], weeks: vega.Spec) -> list[vega.Spec]:
    least = min((point.low for point in points if point.low is not None), default=0.0)
    share = {
        "axis": vega.percent_axis(format=".0%", tickCount=3, grid=True, **NUMBER_LABELS),
        "scale": {"domain": [0.5 if least >= 0.5 else 0, 1]},
    }
    x, y = {"x": weeks}, {"y": vega.quantity("value", **share)}
    label = {"y": {"value": HEIGHT - 6}, "text": vega.category("label")}
    return [
        vega.data(points) | vega.layer("rule", x | vega.bounds("y", **share), color=ACCENT, strokeWidth=1.4, clip=True),
        vega.data(points) | vega.layer("line", x | y | {"detail": vega.category("run")}, color=ACCENT, strokeWidth=2),
        vega.data(points) | vega.layer("point", x | y, filled=True, size=46, opacity=1, color=ACCENT),
        vega.data(points) | vega.layer("text", x | label, fontSize=10.5, color=QUIET),
    ]
