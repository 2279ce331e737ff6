"""The paper's table as a figure: one panel for each measure, one line for each system, each share with its interval."""

from __future__ import annotations

from dataclasses import dataclass

from ..parts import Cell
from ..report import Report
from ..text.figure_format import interval, percent
from ..text.names import Names
from .drawing import INK, LIGHT, QUIET, Spec, axis, category, data, layer, percent_axis, quantity, to_svg
from .labels import break_lines, lines_of, named_axis, row_height
from .layout import WIDE, Layout, in_layout

STEP = 34


@dataclass(frozen=True)
class PlotRow:
    """The share of one system as plotted."""

    system: str
    value: float | None
    low: float | None
    high: float | None
    label: str


Rows = list[PlotRow]


def measure_panels(report: Report, names: Names, layout: Layout = WIDE) -> str:
    """Draw every measure of every system with its interval; each panel has its own axis."""
    measures = list(report.overall.measures)
    panels = [
        _panel(_rows(report, key), names.measure(key), len(measures), layout, first=key == measures[0])
        for key in measures
    ]
    description = "; ".join(_in_words(cell, names) for cell in report.systems)
    return to_svg(in_layout(panels, layout), f"measures{layout.ending}", "Proportions by system", description)


def _rows(report: Report, measure: str) -> Rows:
    figures = [(str(cell.system), cell.measures[measure]) for cell in report.systems]
    return [PlotRow(system, p.value, p.low, p.high, percent(p.value)) for system, p in figures]


def _in_words(cell: Cell, names: Names) -> str:
    phrases = [
        f"{names.measure(key)} {percent(p.value)} {interval(p.low, p.high)}".strip() for key, p in cell.measures.items()
    ]
    return f"{cell.system}: {', '.join(phrases)}"


def _tick_format(rows: Rows) -> str:
    ends = [end for row in rows for end in (row.value, row.low, row.high) if end is not None]
    return ".0%" if not ends or max(ends) - min(ends) > 0.04 else ".1%"


def _panel(rows: Rows, title: str, panels: int, layout: Layout, *, first: bool) -> Spec:
    lines = lines_of((row.system for row in rows), layout.name)
    labels = named_axis(lines) if first or layout.is_narrow else axis(labels=False)
    ticks = percent_axis(format=_tick_format(rows), tickCount=4)
    with_interval = data(row for row in rows if row.low is not None)
    interval_x = {"x": quantity("low", axis=ticks), "x2": {"field": "high"}}
    x = quantity("value", axis=ticks, scale={"zero": False, "padding": 8})
    cap = {"orient": "vertical", "size": 8, "thickness": 1.6}
    return {
        **data(rows),
        "encoding": {"y": category("system", sort=[row.system for row in rows], axis=labels)},
        "layer": [
            with_interval | layer("rule", interval_x, color=INK[LIGHT], strokeWidth=1.6),
            with_interval | layer("tick", {"x": quantity("low")}, color=INK[LIGHT], **cap),
            with_interval | layer("tick", {"x": quantity("high")}, color=INK[LIGHT], **cap),
            layer("point", {"x": x}, color=INK[LIGHT], fill=INK[LIGHT], size=52, opacity=1),
            layer(
                "text", {"x": quantity("value"), "text": category("label")},
                color=QUIET[LIGHT], fontSize=11, yOffset=-11,
            ),
        ],
        "width": layout.row / (1 if layout.is_narrow else panels),
        "height": {"step": row_height(lines, STEP)},
        "title": break_lines(title, layout.title),
    }  # fmt: skip
