"""Common parts of all figures: layouts, colors, type, and the conversion of a chart to a finished SVG.

Colors are attributes, so that a page with a strict Content-Security-Policy can show a figure inline and a paper can
print it. A figure has a title and a description for screen readers, no background, and ids that begin with its name, so
that two figures can be on one page.
"""

import json
import re
from dataclasses import dataclass
from functools import lru_cache
from html import escape

from ..text.figure_format import interval, percent
from .vega import Spec

# The light colors of static/css/base.css, and the dark one for each; a test compares them. Charts are drawn in light.
INK, QUIET, SHEET, LINE, ACCENT = "#1f1c17", "#625d52", "#ffffff", "#e4dfd3", "#0b5f66"
TONES = {
    "accurate": "#16704f",
    "disputed": "#8a5a00",
    "unsupported": "#6247aa",
    "inaccurate": "#ab2a20",
    "cannot": "#56616f",
    "neutral": INK,
}
DARK = {
    INK: "#ebe8e1",
    QUIET: "#a8a398",
    SHEET: "#1b1e23",
    LINE: "#31353c",
    ACCENT: "#6cc5cb",
    "#16704f": "#63c79d",
    "#8a5a00": "#e0ad4f",
    "#6247aa": "#b8a3e3",
    "#ab2a20": "#f29187",
    "#56616f": "#9fabb9",
}
# All have the same widths, so text measured on the server fits on the page.
FONT = "Arial, Helvetica, 'Liberation Sans', Arimo, sans-serif"
SCHEMES = ("light", "dark")

# The style of all charts, as Vega-Lite's `config`.
STYLE = {
    "font": FONT,
    "padding": 8,
    "view": {"stroke": None},
    "axis": {
        "labelColor": QUIET, "gridColor": LINE, "domain": False, "tickColor": LINE,
        "labelFontSize": 12, "titleColor": QUIET, "titleFontSize": 12, "titleFontWeight": 400, "titlePadding": 8,
    },
    "axisX": {"labelPadding": 4},
    "axisY": {"labelColor": INK, "labelFontSize": 13, "labelFontWeight": 600, "ticks": False, "grid": False},
    "title": {
        "color": INK, "fontSize": 13, "fontWeight": 600, "anchor": "start", "offset": 8, "frame": "group",
    },
    "legend": {"labelColor": INK, "labelFontSize": 12, "symbolType": "square", "symbolStrokeWidth": 0},
    "concat": {"spacing": 22},
}  # fmt: skip

# Of a vertical axis with numbers, in addition to STYLE, whose vertical axes have names.
NUMBER_LABELS = {"labelFontWeight": 400, "labelFontSize": 12, "labelColor": QUIET}

NOTE = {
    "orient": "bottom", "anchor": "start", "offset": 12, "color": QUIET, "fontSize": 11, "fontWeight": 400,
}  # fmt: skip

# Hatches over the colors of a bar's parts, to distinguish them without color: a path in a square of `side` pixels.
HATCHES = {
    "disputed": (6, "M-1 1L1 -1M0 6L6 0M5 7L7 5"),
    "unsupported": (5, "M1.6 2.5A.9 .9 0 1 0 3.4 2.5A.9 .9 0 1 0 1.6 2.5"),
    "inaccurate": (6, "M-1 5L1 7M0 0L6 6M5 -1L7 1"),
    "cannot": (5, "M0 2.5H5"),
    "neutral": (5, "M2.5 0V5"),
}


@dataclass(frozen=True)
class Layout:
    """Widths of the parts of a figure.

    `ending` ends the figure's name, `row` and `panel` are pixels: of the panels beside each other, and of a panel
    that has the row for itself. `name`, `pair`, `title` and `note` are characters of a line: of a name beside a panel,
    of a pair of systems, of a panel's title, and of a note below. `columns` are those of a legend.
    """

    ending: str
    row: int
    panel: int
    name: int
    pair: int
    title: int
    note: int
    columns: int

    @property
    def is_narrow(self) -> bool:
        """Whether panels are below each other."""
        return bool(self.ending)


WIDE = Layout(ending="", row=560, panel=340, name=28, pair=44, title=999, note=999, columns=5)
NARROW = Layout(ending="-narrow", row=190, panel=150, name=14, pair=14, title=28, note=40, columns=1)


def in_layout(panels: list[Spec], layout: Layout) -> Spec:
    return {"vconcat" if layout.is_narrow else "hconcat": panels}


def layout_of(name: str) -> tuple[str, Layout]:
    """Return the figure and the layout that a name such as `options-narrow` stands for."""
    plain = name.removesuffix(NARROW.ending)
    return plain, WIDE if plain == name else NARROW


@dataclass(frozen=True)
class Estimate:
    """The share of one row (`system`) in one series, with its interval if it has one."""

    system: str
    series: str
    value: float | None
    low: float | None
    high: float | None
    label: str = ""

    def in_words(self, name: str) -> str:
        """Return what the description of a figure says: heron 86.9 % 84.1 – 89.3."""
        return f"{name} {percent(self.value)} {interval(self.low, self.high)}".strip()


def to_svg(chart: Spec, name: str, layout: Layout, title: str, description: str, note: str = "") -> str:
    """Render a chart as a light SVG with title, description and ids that begin with its name, layout and scheme. A
    `note` is shown below the chart and ends its description.

    vl-convert takes half a second to start and a chart a tenth, so both happen only where a figure is requested.
    """
    if note:
        chart = chart | {"title": NOTE | {"text": note.splitlines()}}
        description = f"{description}. {' '.join(note.splitlines())}"
    svg = _add_hatches(_converted(json.dumps(chart | {"background": None, "config": STYLE})))
    name = f"{name}{layout.ending}-light"
    svg = re.sub(r'(\bid="|url\(#|href="#)', rf"\g<1>{name}-", svg)
    words = f'<title id="{name}-title">{escape(title)}</title><desc id="{name}-desc">{escape(description)}</desc>'
    opening = f'<svg role="img" aria-labelledby="{name}-title" aria-describedby="{name}-desc" '
    return re.sub(r"<svg ([^>]*)>", lambda match: f"{opening}{match[1]}>{words}", svg, count=1)


@lru_cache(maxsize=32)
def _converted(chart: str) -> str:
    """Return the SVG of a Vega-Lite specification: the same figure is often asked for again, in light and in dark."""
    import vl_convert

    return vl_convert.vegalite_to_svg(json.loads(chart))  # of a text the parts of the SVG have another order


def with_dark_colors(svg: str, name: str) -> str:
    dark = re.sub('"(#[0-9a-f]{6})"', lambda match: f'"{DARK.get(match[1], match[1])}"', svg)
    return dark.replace(f"{name}-light-", f"{name}-dark-")


def _add_hatches(svg: str) -> str:
    """Add a hatch over each bar and each square of the legend, so that the SVG can be read without color."""
    patterns = ""
    for tone, (side, line) in HATCHES.items():
        color = TONES[tone]
        if f'fill="{color}"' not in svg:
            continue
        patterns += (
            f'<pattern id="hatch-{tone}" width="{side}" height="{side}" patternUnits="userSpaceOnUse">'
            f'<path d="{line}" fill="none" stroke="{SHEET}" stroke-width="1.1" stroke-opacity="0.55"/></pattern>'
        )
        shape = rf'<path (?=[^>]*aria-roledescription="bar"|transform="[^"]*" d="M-5,-5h10)[^>]*fill="{color}"[^>]*/>'
        for path in sorted({path[0] for path in re.finditer(shape, svg)}):
            geometry = " ".join(re.findall(r'\b(?:d|transform)="[^"]*"', path))
            hatch = f'<path {geometry} fill="url(#hatch-{tone})" pointer-events="none" aria-hidden="true"/>'
            svg = svg.replace(path, path + hatch)
    return re.sub(r"(<svg [^>]*>)", rf"\1<defs>{patterns}</defs>", svg, count=1) if patterns else svg
