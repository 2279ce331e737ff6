"""The reliability curve of a judge: its accuracy by its confidence, over the number of items in each bin."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..sections.judge.figures import JudgeCalibration
from ..text.figure_format import count, interval, percent
from .drawing import ACCENT, LIGHT, QUIET, Spec, data, in_the_language, layer, quantity, to_svg
from .layout import Layout

WIDTH, NARROW_WIDTH = 380, 230  # pixels
COUNTS_HEIGHT = 64
TICKS = (0, 0.25, 0.5, 0.75, 1)


@dataclass(frozen=True)
class Point:
    """A bin of the confidence from `start` to `end`, with its means, the bounds of the accuracy, and its items."""

    start: float
    end: float
    confidence: float
    accuracy: float
    low: float | None
    high: float | None
    n: int


@dataclass(frozen=True)
class Corner:
    """An end of the line on which the accuracy is the confidence."""

    confidence: float
    accuracy: float


def reliability_figure(calibration: JudgeCalibration, layout: Layout) -> str:
    """Draw the bins with items as SVG; there must be one."""
    points = [
        Point(each.low, each.high, each.confidence, each.accuracy, each.accuracy_low, each.accuracy_high, each.n)
        for each in calibration.bins
        if each.confidence is not None and each.accuracy is not None
    ]
    width = NARROW_WIDTH if layout.is_narrow else WIDTH
    chart = {"vconcat": [_curve(points, width), _counts(points, width)], "spacing": 14}
    description = "; ".join(map(_in_words, points))
    return to_svg(chart, f"reliability{layout.ending}", "Reliability curve", description)


def _in_words(point: Point) -> str:
    values = {"confidence": percent(point.confidence), "accuracy": percent(point.accuracy), "n": count(point.n)}
    text = ("confidence %(confidence)s: accuracy %(accuracy)s, n %(n)s") % values
    return text if point.low is None else f"{text} [{interval(point.low, point.high)}]"


def _share_axis(title: str | None) -> Spec:
    label = in_the_language("replace(format(datum.value, '.0%'), '%', ' %')")
    style = {"labelFontWeight": 400, "labelFontSize": 12, "labelColor": QUIET[LIGHT], "labelPadding": 6}
    return {"title": title, "values": list(TICKS), "labelExpr": label, "labelFlush": False, "grid": True, **style}


def _curve(points: Sequence[Point], width: int) -> Spec:
    scale = {"domain": [0, 1]}
    x = quantity("confidence", scale=scale, axis=_share_axis(None) | {"labels": False})
    y = quantity("accuracy", scale=scale, axis=_share_axis("Accuracy"))
    bounds = {"x": x, "y": quantity("low", scale=scale, axis=_share_axis("Accuracy")), "y2": {"field": "high"}}
    bounded = [point for point in points if point.low is not None]
    layers = [
        data([Corner(0, 0), Corner(1, 1)])
        | layer("line", {"x": x, "y": y}, color=QUIET[LIGHT], strokeWidth=1.2, strokeDash=[5, 4]),
        data(bounded) | layer("rule", bounds, color=ACCENT[LIGHT], strokeWidth=1.4),
        data(points) | layer("line", {"x": x, "y": y}, color=ACCENT[LIGHT], strokeWidth=2),
        data(points) | layer("point", {"x": x, "y": y}, filled=True, size=52, opacity=1, color=ACCENT[LIGHT]),
    ]
    return {"layer": layers, "width": width, "height": width}


def _counts(points: Sequence[Point], width: int) -> Spec:
    ticks: Spec = {"title": "n", "tickCount": 2, "tickMinStep": 1, "format": "d", "grid": True}
    ticks |= {"labelFontWeight": 400, "labelFontSize": 12, "labelColor": QUIET[LIGHT], "labelPadding": 6}
    encoding = {
        "x": quantity("start", scale={"domain": [0, 1]}, axis=_share_axis("Confidence")),
        "x2": {"field": "end"},
        "y": quantity("n", axis=ticks, scale={"domainMin": 0}),
        "y2": {"datum": 0},
    }
    bars = layer("bar", encoding, color=ACCENT[LIGHT], opacity=0.55)
    return data(points) | bars | {"width": width, "height": COUNTS_HEIGHT}
