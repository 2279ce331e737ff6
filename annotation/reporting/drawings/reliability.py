"""The reliability curve of a judge: its accuracy by its confidence, over the number of items in each bin."""

from dataclasses import dataclass

from ..sections.judge.figures import JudgeCalibration
from ..text.figure_format import count, interval, percent
from . import vega
from .drawing import ACCENT, NUMBER_LABELS, QUIET, Layout, to_svg

WIDTH, NARROW_WIDTH = 380, 230  # pixels
COUNTS_HEIGHT = 64
TICKS = (0, 0.25, 0.5, 0.75, 1)
LABELS = {**NUMBER_LABELS, "labelPadding": 6}


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


def reliability_figure(calibration: JudgeCalibration, layout: Layout) -> str:
    """Draw the bins with items as SVG; there must be one."""
    points = [
        Point(each.low, each.high, each.confidence, each.accuracy, each.accuracy_low, each.accuracy_high, each.n)
        for each in calibration.bins
        if each.confidence is not None and each.accuracy is not None
    ]
    width = NARROW_WIDTH if layout.is_narrow else WIDTH
    chart = {"vconcat": [_curve(points, width), _counts(points, width)], "spacing": 14}
    description = "; ".join(
        f"confidence {percent(point.confidence)}: accuracy {percent(point.accuracy)}, n {count(point.n)}"
        + ("" if point.low is None else f" [{interval(point.low, point.high)}]")
        for point in points
    )
    return to_svg(chart, "reliability", layout, "Reliability curve", description)


def _share(field: str, title: str | None, **more: object) -> vega.Spec:
    labels = {"labelExpr": "replace(format(datum.value, '.0%'), '%', ' %')", "labelFlush": False, **LABELS}
    ticks = {"title": title, "values": list(TICKS), "grid": True, **labels, **more}
    return vega.quantity(field, scale={"domain": [0, 1]}, axis=ticks)


def _curve(points: list[Point], width: int) -> vega.Spec:
    curve = {"x": _share("confidence", None, labels=False), "y": _share("accuracy", "Accuracy")}
    bars = {"x": curve["x"], "y": _share("low", "Accuracy"), "y2": {"field": "high"}}
    diagonal = {"data": {"values": [{"confidence": end, "accuracy": end} for end in (0, 1)]}}
    layers = [
        diagonal | vega.layer("line", curve, color=QUIET, strokeWidth=1.2, strokeDash=[5, 4]),
        vega.data(point for point in points if point.low is not None)
        | vega.layer("rule", bars, color=ACCENT, strokeWidth=1.4),
        vega.data(points) | vega.layer("line", curve, color=ACCENT, strokeWidth=2),
        vega.data(points) | vega.layer("point", curve, filled=True, size=52, opacity=1, color=ACCENT),
    ]
    return {"layer": layers, "width": width, "height": width}


def _counts(points: list[Point], width: int) -> vega.Spec:
    ticks = {"title": "n", "tickCount": 2, "tickMinStep": 1, "format": "d", "grid": True, **LABELS}
    encoding = {
        "x": _share("start", "Confidence"),
        "x2": {"field": "end"},
        "y": vega.quantity("n", axis=ticks, scale={"domainMin": 0}),
        "y2": {"datum": 0},
    }
    bars = vega.layer("bar", encoding, color=ACCENT, opacity=0.55)
    return vega.data(points) | bars | {"width": width, "height": COUNTS_HEIGHT}
