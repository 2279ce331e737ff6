"""Heat map: systems by a metadata key of the prompts, with the numbers of one measure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..parts import Cell
from ..report import Report
from ..text.figure_format import OVERLAP, count, percent
from ..text.names import Names, breakdown_label, ordered_cells, ordered_values
from .drawing import ACCENT, INK, LIGHT, LINE, QUIET, Spec, category, data, layer, quantity, to_svg
from .labels import MAX_LINE_LENGTH, Lines, break_lines, cut_apart, lines_of, named_axis, row_height, text_width
from .layout import WIDE, Layout

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


Rows = list[PlotCell]


def heat_keys(report: Report) -> list[str]:
    """Return the metadata keys that a heat map can show, the default first, those with a single value last."""
    keys = [key.removeprefix(PREFIX) for key in report.by if key.startswith(PREFIX) and report.by[key]]
    return sorted(keys, key=lambda key: (not _differs(report.by[PREFIX + key]), key != PREFERRED))


def _differs(cells: Sequence[Cell]) -> bool:
    return len({cell.value for cell in cells}) > 1


def heat_map(report: Report, names: Names, layout: Layout = WIDE, key: str = "", measure: str = "") -> str | None:
    """Draw the share of `measure` (default: the first) for each system and value of `key`. None without such a key."""
    keys, measures = heat_keys(report), list(report.overall.measures)
    if not keys:
        return None
    key = key if key in keys else keys[0]
    measure = measure if measure in measures else measures[0]
    rows = _rows(ordered_cells(report.by[PREFIX + key]), measure)
    named = {"measure": names.measure(measure), "system": names.system_word, "key": breakdown_label(key)}
    title = ("%(measure)s by %(system)s and %(key)s") % named
    description = "; ".join(f"{row.system}, {row.value}: {row.description}" for row in rows)
    note = "\n".join(break_lines(f"{OVERLAP}.", layout.note)) if key in (report.multi_valued or ()) else ""
    head = ("%(measure)s, %% by %(key)s") % named
    chart = _list(rows, head, layout) if layout.is_narrow else _chart(rows, head)
    return to_svg(chart, f"heat{layout.ending}", title, description, note)


def _rows(cells: Sequence[Cell], measure: str) -> Rows:
    values = set(values_shown(cells))
    figures = [(cell, cell.measures[measure]) for cell in cells if cell.value in values]
    shares = [p.value for _, p in figures if p.value is not None]
    low, high = min(shares, default=0.0), max(shares, default=0.0)
    return [
        PlotCell(
            system=str(cell.system),
            value=str(cell.value),
            label="–" if p.value is None else percent(p.value, sign=False),
            n=f"n = {count(p.n)}",
            firm=p.method != "none",
            description=f"{percent(p.value)} of {count(p.n)}",
            depth=_depth(p.value, low, high),
        )
        for cell, p in figures
    ]


def values_shown(cells: Sequence[Cell]) -> list[str]:
    """Return the MAX_VALUES values with the most ratings, in the order of the cells."""
    totals: dict[str, int] = {}
    for cell in cells:
        totals[str(cell.value)] = totals.get(str(cell.value), 0) + cell.ratings
    most = set(sorted(totals, key=lambda value: -totals[value])[:MAX_VALUES])
    return [value for value in totals if value in most]


def _depth(share: float | None, low: float, high: float) -> float:
    if share is None:
        return 0.0
    return FAINTEST + (DARKEST - FAINTEST) * ((share - low) / (high - low) if high > low else 0.5)


def _chart(rows: Rows, title: str) -> Spec:
    values = ordered_values(row.value for row in rows)
    systems = list(dict.fromkeys(row.system for row in rows))
    width = max(NARROWEST, min(WIDEST, WIDTH / max(1, len(values))))
    heads, names = {name: [short] for name, short in cut_apart(values, MAX_LINE_LENGTH).items()}, lines_of(systems)
    slanted = max(map(text_width, values), default=0) * 6.4 > width
    head = named_axis(heads, orient="top", labelAngle=-30 if slanted else 0, labelPadding=6, ticks=False,
                labelColor=INK[LIGHT], title=title, titleAnchor="start")  # fmt: skip
    return {
        **data(rows),
        "encoding": {
            "x": category("value", sort=values, axis=head),
            "y": category("system", sort=systems, axis=named_axis(names)),
        },
        "layer": _cell({"dy": -7}, {"dy": 9}),
        "width": {"step": width},
        "height": {"step": row_height(names, HEIGHT)},
    }


def _list(rows: Rows, title: str, layout: Layout) -> Spec:
    """Return the cells below each other, one panel for each value, as a narrow map has no room for columns."""
    names = lines_of((row.system for row in rows), layout.name)
    values = ordered_values(row.value for row in rows)
    panels = [_list_panel([row for row in rows if row.value == value], names, value, layout) for value in values]
    head = {"text": break_lines(title, layout.title), "color": QUIET[LIGHT], "fontWeight": 400}
    return {"vconcat": [{"vconcat": panels, "title": head, "spacing": 12}]}


def _list_panel(rows: Rows, names: dict[str, Lines], value: str, layout: Layout) -> Spec:
    systems = list(dict.fromkeys(row.system for row in rows))
    return {
        **data(rows),
        "encoding": {"y": category("system", sort=systems, axis=named_axis(names))},
        "layer": _cell({"dx": -28}, {"dx": 28}),
        "width": layout.row,
        "height": {"step": row_height(names, LIST_HEIGHT)},
        "title": {"text": break_lines(value, layout.title), "offset": 4},
    }


def _cell(label_moved: Spec, n_moved: Spec) -> list[Spec]:
    """Return the layers of a cell: its color, its share, in italics without an interval, and its ratings."""
    label, number = {"text": category("label")}, {"fontSize": 13, "color": INK[LIGHT], **label_moved}
    return [
        layer(
            "rect", {"fillOpacity": quantity("depth", scale=None)},
            fill=ACCENT[LIGHT], stroke=LINE[LIGHT], strokeWidth=1,
        ),
        {"transform": [{"filter": "datum.firm"}], **layer("text", label, fontWeight=600, **number)},
        {"transform": [{"filter": "!datum.firm"}], **layer("text", label, fontStyle="italic", **number)},
        layer("text", {"text": category("n")}, fontSize=10, color=INK[LIGHT], **n_moved),
    ]  # fmt: skip
