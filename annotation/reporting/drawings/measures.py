"""The paper's table as a figure: one panel for each measure, one line for each system, each share with its interval."""

from ..report import Report
from ..text.figure_format import percent
from ..text.names import Names
from . import vega
from .drawing import INK, QUIET, Estimate, Layout, in_layout, to_svg
from .labels import break_lines, lines_of, named_axis, row_height

STEP = 34  # pixels of a row


def measure_panels(report: Report, names: Names, layout: Layout) -> str:
    rows = {
        measure: [
            Estimate(str(cell.system), measure, p.value, p.low, p.high, percent(p.value))
            for cell in report.systems
            for p in [cell.measures[measure]]
        ]
        for measure in report.overall.measures
    }
    width = layout.row / (1 if layout.is_narrow else len(rows))
    panels = [
        _panel(panel, layout, named=layout.is_narrow or number == 0)
        | {"width": width, "title": break_lines(names.measure(measure), layout.title)}
        for number, (measure, panel) in enumerate(rows.items())
    ]
    description = "; ".join(
        f"{each[0].system}: {', '.join(row.in_words(names.measure(row.series)) for row in each)}"
        for each in zip(*rows.values(), strict=True)
    )
    return to_svg(in_layout(panels, layout), "measures", layout, "Proportions by system", description)


def _panel(rows: list[Estimate], layout: Layout, *, named: bool) -> vega.Spec:
    lines = lines_of((row.system for row in rows), layout.name)
    ends = [end for row in rows for end in (row.value, row.low, row.high) if end is not None]
    ticks = vega.percent_axis(format=".0%" if not ends or max(ends) - min(ends) > 0.04 else ".1%", tickCount=4)
    with_interval = vega.data(row for row in rows if row.low is not None)
    x = vega.quantity("value", axis=ticks, scale={"zero": False, "padding": 8})
    cap = {"color": INK, "orient": "vertical", "size": 8, "thickness": 1.6}
    label = {"x": vega.quantity("value"), "text": vega.category("label")}
    labels = named_axis(lines) if named else vega.axis(labels=False)
    return {
        **vega.data(rows),
        "encoding": {"y": vega.category("system", sort=[row.system for row in rows], axis=labels)},
        "layer": [
            with_interval | vega.layer("rule", vega.bounds("x", axis=ticks), color=INK, strokeWidth=1.6),
            with_interval | vega.layer("tick", {"x": vega.quantity("low")}, **cap),
            with_interval | vega.layer("tick", {"x": vega.quantity("high")}, **cap),
            vega.layer("point", {"x": x}, color=INK, fill=INK, size=52, opacity=1),
            vega.layer("text", label, color=QUIET, fontSize=11, yOffset=-11),
        ],
        "height": {"step": row_height(lines, STEP)},
    }
