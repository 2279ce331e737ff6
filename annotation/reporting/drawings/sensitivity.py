"""The sensitivity analyses as dots with intervals: a row an analysis, a color and shape a system. No rater is named."""

from __future__ import annotations

from ..report import Report
from ..sections.sensitivity.text import columns_shown, labels_without_names, shown_analyses
from ..text.figure_format import interval, percent
from ..text.names import Names
from .drawing import ACCENT, INK, LIGHT, QUIET, TONES, Spec, to_svg
from .interval_panel import Estimate, Series, interval_panel
from .labels import break_lines
from .layout import WIDE, Layout, in_layout

MAX_PANELS = 3  # with more measures, the figure shows the first alone, and the table all
PADDING = 0.02  # of the axis beyond the outermost ends
COLORS = (ACCENT, TONES["unsupported"], TONES["disputed"], INK, TONES["inaccurate"], QUIET)


def sensitivity_panels(report: Report, names: Names, layout: Layout = WIDE) -> str:
    """Draw every measure under every analysis, one panel each with its own axis; each row of panels names them."""
    keys = list(report.overall.measures)
    drawn = keys if len(keys) <= MAX_PANELS else keys[:1]
    width = layout.row / (1 if layout.is_narrow else len(drawn))
    panels = [_panel(report, names, key, width, layout, named=layout.is_narrow or key == drawn[0]) for key in drawn]
    description = "; ".join(_in_words(report, names, key) for key in drawn)
    return to_svg(in_layout(panels, layout), f"sensitivity{layout.ending}", "Sensitivity analyses", description)


def _panel(report: Report, names: Names, measure: str, width: float, layout: Layout, *, named: bool) -> Spec:
    estimates, series = _estimates(report, names, measure), _series(report, names)
    panel = interval_panel(estimates, series, width, layout, domain=_domain(estimates), named=named)
    return panel | {"title": break_lines(names.measure(measure), layout.title)}


def _series(report: Report, names: Names) -> list[Series]:
    systems = columns_shown(report, with_all=False)
    return [
        Series(system or names.all_systems, COLORS[number % len(COLORS)][LIGHT])
        for number, system in enumerate(systems)
    ]


def _estimates(report: Report, names: Names, measure: str) -> list[Estimate]:
    columns, rows = columns_shown(report, with_all=False), shown_analyses(report)
    return [
        Estimate(label, each.system or names.all_systems, each.value, each.low, each.high)
        for row, label in zip(rows, labels_without_names(rows, names), strict=True)
        if any(each.value is not None for each in row.estimates if each.system in columns)  # no empty row
        for each in row.estimates
        if each.measure == measure and each.system in columns
    ]


def _domain(estimates: list[Estimate]) -> list[float]:
    """Return the ends of the axis: all estimates and bounds, within 0 and 1."""
    ends = [end for row in estimates for end in (row.value, row.low, row.high) if end is not None]
    return [max(0.0, min(ends, default=0.0) - PADDING), min(1.0, max(ends, default=1.0) + PADDING)]


def _in_words(report: Report, names: Names, measure: str) -> str:
    phrases = [
        f"{row.system}, {row.series} {percent(row.value)} {interval(row.low, row.high)}".strip()
        for row in _estimates(report, names, measure)
    ]
    return f"{names.measure(measure)}: {'; '.join(phrases)}"
