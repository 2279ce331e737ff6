"""Heat map: systems by a metadata key of the prompts, with the numbers of one measure."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from ..parts import Cell
from ..report import Report
from ..text.figure_format import OVERLAP, count, percent
from ..text.names import Names, breakdown_label, ordered_cells, ordered_values
from . import vega
from .drawing import ACCENT, INK, LINE, QUIET, Layout, to_svg
from .labels import MAX_LINE_LENGTH, Lines, break_lines, cut_apart, lines_of, named_axis, row_height, text_width

WIDTH, WIDEST, NARROWEST, HEIGHT = 600, 120, 58, 46  # pixels: all cells of a row, one cell
LIST_HEIGHT = 26  # pixels of a cell that has its row for itself
MAX_VALUES = 10  # the most rated ones; the table next to the figure has all
FAINTEST, DARKEST = 0.06, 0.46  # the accent over the sheet: the numbers stay readable on it
PREFIX = "system × "
PREFERRED = "question_type"


@dataclass(frozen=True)
class PlotCell:
    """One cell of the map: `firm` if it has an interval, `depth` the opacity of its color."""

    system: str
    value: str
    label: str
    n: str
    firm: bool
    description: str
    depth: float


def heat_keys(report: Report) -> list[str]:
    """Return the metadata keys that a heat map can show, the default first, those with a single value last."""
    values = {
        key.removeprefix(PREFIX): {cell.value for cell in cells}
        for key, cells in report.by.items()
        if key.startswith(PREFIX) and cells
    }
    return sorted(values, key=lambda key: (len(values[key]) < 2, key != PREFERRED))


def heat_map(report: Report, names: Names, layout: Layout, key: str, measure: str) -> str | None:
    """Draw the share of `measure` (default: the first) for each system and value of `key`. None without such a key."""
    keys, measures = heat_keys(report), list(report.overall.measures)
    if not keys:
        return None
    key = key if key in keys else keys[0]
    measure = measure if measure in measures else measures[0]
    rows = _rows(ordered_cells(report.by[PREFIX + key]), measure)
    label, by = names.measure(measure), breakdown_label(key)
    description = "; ".join(f"{row.system}, {row.value}: {row.description}" for row in rows)
    note = "\n".join(break_lines(f"{OVERLAP}.", layout.note)) if key in (report.multi_valued or ()) else ""
    head = f"{label}, % by {by}"
    chart = _list(rows, head, layout) if layout.is_narrow else _chart(rows, head)
    return to_svg(chart, "heat", layout, f"{label} by {names.system_word} and {by}", description, note)


def _rows(cells: Sequence[Cell], measure: str) -> list[PlotCell]:
    """Return the cells of the MAX_VALUES values with the most ratings."""
    totals = Counter[str]()
    for cell in cells:
        totals[str(cell.value)] += cell.ratings
    values = sorted(totals, key=lambda value: -totals[value])[:MAX_VALUES]
    figures = [(cell, cell.measures[measure]) for cell in cells if str(cell.value) in values]
    shares = [p.value for _, p in figures if p.value is not None]
    low, high = min(shares, default=0.0), max(shares, default=0.0)

    def depth(share: float) -> float:
        return FAINTEST + (DARKEST - FAINTEST) * ((share - low) / (high - low) if high > low else 0.5)

    return [
        PlotCell(
            system=str(cell.system),
            value=str(cell.value),
            label="–" if p.value is None else percent(p.value, sign=False),
            n=f"n = {count(p.n)}",
            firm=p.method != "none",
            description=f"{percent(p.value)} of {count(p.n)}",
            depth=0.0 if p.value is None else depth(p.value),
        )
        for cell, p in figures
    ]


def _chart(rows: list[PlotCell], title: str) -> vega.Spec:
    values = ordered_values(row.value for row in rows)
    systems = lines_of(row.system for row in rows)
    width = max(NARROWEST, min(WIDEST, WIDTH / max(1, len(values))))
    slanted = max(map(text_width, values), default=0) * 6.4 > width
    head = named_axis(
        {name: [short] for name, short in cut_apart(values, MAX_LINE_LENGTH).items()},
        orient="top",
        labelAngle=-30 if slanted else 0,
        labelPadding=6,
        ticks=False,
        labelColor=INK,
        title=title,
        titleAnchor="start",
    )
    chart = _cells(rows, systems, HEIGHT, {"dy": -7}, {"dy": 9}, x=vega.category("value", sort=values, axis=head))
    return chart | {"width": {"step": width}}


def _list(rows: list[PlotCell], title: str, layout: Layout) -> vega.Spec:
    """Return the cells below each other, one panel for each value, as a narrow map has no room for columns."""
    systems = lines_of((row.system for row in rows), layout.name)
    panels = [
        _cells([row for row in rows if row.value == value], systems, LIST_HEIGHT, {"dx": -28}, {"dx": 28})
        | {"width": layout.row, "title": {"text": break_lines(value, layout.title), "offset": 4}}
        for value in ordered_values(row.value for row in rows)
    ]
    head = {"text": break_lines(title, layout.title), "color": QUIET, "fontWeight": 400}
    return {"vconcat": [{"vconcat": panels, "title": head, "spacing": 12}]}


def _cells(
    rows: list[PlotCell],
    systems: dict[str, Lines],
    height: int,
    label_moved: vega.Spec,
    n_moved: vega.Spec,
    **columns: vega.Spec,
) -> vega.Spec:
    """Return the chart of cells: each with its color, its share, in italics without an interval, and its ratings."""
    label, number = {"text": vega.category("label")}, {"fontSize": 13, "color": INK, **label_moved}
    color = {"fillOpacity": vega.quantity("depth", scale=None)}
    order = list(dict.fromkeys(row.system for row in rows))
    return {
        **vega.data(rows),
        "encoding": {"y": vega.category("system", sort=order, axis=named_axis(systems)), **columns},
        "layer": [
            vega.layer("rect", color, fill=ACCENT, stroke=LINE, strokeWidth=1),
            {"transform": [{"filter": "datum.firm"}], **vega.layer("text", label, fontWeight=600, **number)},
            {"transform": [{"filter": "!datum.firm"}], **vega.layer("text", label, fontStyle="italic", **number)},
            vega.layer("text", {"text": vega.category("n")}, fontSize=10, color=INK, **n_moved),
        ],
        "height": {"step": row_height(systems, height)},
    }
