"""The sensitivity analyses as dots with intervals: a row an analysis, a color and shape a system. No rater is named."""

from ..report import Report
from ..sections.sensitivity.tables import columns_shown, labels_without_names, shown_analyses
from ..text.names import Names
from .drawing import ACCENT, INK, QUIET, TONES, Estimate, Layout, in_layout, to_svg
from .interval_panel import Series, interval_panel
from .labels import break_lines

MAX_PANELS = 3  # with more measures, the figure shows the first alone, and the table all
PADDING = 0.02  # of the axis beyond the outermost ends
COLORS = (ACCENT, TONES["unsupported"], TONES["disputed"], INK, TONES["inaccurate"], QUIET)


def sensitivity_panels(report: Report, names: Names, layout: Layout) -> str:
    """Draw every measure under every analysis, one panel each with its own axis; each row of panels names them."""
    keys = list(report.overall.measures)
    drawn = keys if len(keys) <= MAX_PANELS else keys[:1]
    width = layout.row / (1 if layout.is_narrow else len(drawn))
    systems = [system or names.all_systems for system in columns_shown(report, with_all=False)]
    series = [Series(system, COLORS[number % len(COLORS)]) for number, system in enumerate(systems)]
    panels, descriptions = [], []
    for key in drawn:
        estimates = _estimates(report, names, key)
        ends = [end for row in estimates for end in (row.value, row.low, row.high) if end is not None]
        domain = [max(0.0, min(ends, default=0.0) - PADDING), min(1.0, max(ends, default=1.0) + PADDING)]
        named = layout.is_narrow or key == drawn[0]
        panel = interval_panel(estimates, series, width, layout, domain=domain, named=named)
        panels.append(panel | {"title": break_lines(names.measure(key), layout.title)})
        phrases = [row.in_words(f"{row.system}, {row.series}") for row in estimates]
        descriptions.append(f"{names.measure(key)}: {'; '.join(phrases)}")
    description = "; ".join(descriptions)
    return to_svg(in_layout(panels, layout), "sensitivity", layout, "Sensitivity analyses", description)


def _estimates(report: Report, names: Names, measure: str) -> list[Estimate]:
    columns, rows = columns_shown(report, with_all=False), shown_analyses(report)
    return [
        Estimate(label, each.system or names.all_systems, each.value, each.low, each.high)
        for row, label in zip(rows, labels_without_names(rows, names), strict=True)
        if any(each.value is not None for each in row.estimates if each.system in columns)  # no empty row
        for each in row.estimates
        if each.measure == measure and each.system in columns
    ]
