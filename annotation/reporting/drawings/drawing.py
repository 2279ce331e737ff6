"""Common parts of all figures: colors, type, and the conversion of a chart to a finished SVG.

Colors are attributes, so that a page with a strict Content-Security-Policy can show a figure inline and a paper can
print it. A figure has a title and a description for screen readers, no background, and ids that begin with its name, so
that two figures can be on one page.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from functools import lru_cache, partial
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

from ...i18n.numbers import localized

# The tones of static/css/base.css, as (light, dark); a test compares them.
TONES = {
    "accurate": ("#16704f", "#63c79d"),
    "disputed": ("#8a5a00", "#e0ad4f"),
    "unsupported": ("#6247aa", "#b8a3e3"),
    "inaccurate": ("#ab2a20", "#f29187"),
    "cannot": ("#56616f", "#9fabb9"),
    "neutral": ("#1f1c17", "#ebe8e1"),
}
INK, QUIET, SHEET, LINE = ("#1f1c17", "#ebe8e1"), ("#625d52", "#a8a398"), ("#ffffff", "#1b1e23"), ("#e4dfd3", "#31353c")
ACCENT = ("#0b5f66", "#6cc5cb")
# All have the same widths, so text measured on the server fits on the page.
FONT = "Arial, Helvetica, 'Liberation Sans', Arimo, sans-serif"
SCHEMES = ("light", "dark")
LIGHT = 0  # every chart is drawn in light; `with_dark_colors` converts it
WIDTH = 620
MAX_NAME_WIDTH = 200  # pixels of an option's name; the table has the full name

Spec = dict[str, object]  # a part of a Vega-Lite specification: https://vega.github.io/vega-lite/docs/spec.html

# The style of all charts, as Vega-Lite's `config`.
STYLE = {
    "font": FONT,
    "padding": 8,
    "view": {"stroke": None},
    "axis": {
        "labelColor": QUIET[LIGHT], "gridColor": LINE[LIGHT], "domain": False, "tickColor": LINE[LIGHT],
        "labelFontSize": 12, "titleColor": QUIET[LIGHT], "titleFontSize": 12, "titleFontWeight": 400, "titlePadding": 8,
    },
    "axisX": {"labelPadding": 4},
    "axisY": {"labelColor": INK[LIGHT], "labelFontSize": 13, "labelFontWeight": 600, "ticks": False, "grid": False},
    "title": {
        "color": INK[LIGHT], "fontSize": 13, "fontWeight": 600, "anchor": "start", "offset": 8, "frame": "group",
    },
    "legend": {"labelColor": INK[LIGHT], "labelFontSize": 12, "symbolType": "square", "symbolStrokeWidth": 0},
    "concat": {"spacing": 22},
}  # fmt: skip

NOTE = {
    "orient": "bottom", "anchor": "start", "offset": 12, "color": QUIET[LIGHT], "fontSize": 11, "fontWeight": 400,
}  # fmt: skip

# Hatches over the colors of a bar's parts, to distinguish them without color: a path in a square of `side` pixels.
HATCHES = {
    "disputed": (6, "M-1 1L1 -1M0 6L6 0M5 7L7 5"),
    "unsupported": (5, "M1.6 2.5A.9 .9 0 1 0 3.4 2.5A.9 .9 0 1 0 1.6 2.5"),
    "inaccurate": (6, "M-1 5L1 7M0 0L6 6M5 -1L7 1"),
    "cannot": (5, "M0 2.5H5"),
    "neutral": (5, "M2.5 0V5"),
}


def shorten(name: str, most: int) -> str:
    """Cut a long name and mark the cut with an ellipsis."""
    return name if len(name) <= most else f"{name[: most - 1].rstrip()}…"


def data(rows: Iterable[DataclassInstance]) -> Spec:
    """Return the rows that the layers of a chart draw."""
    return {"data": {"values": [asdict(row) for row in rows]}}


def layer(mark: str, encoding: Mapping[str, object], **style: object) -> Spec:
    """Return a layer with one mark for each row: `encoding` maps fields to channels, `style` is equal for all marks."""
    return {"mark": {"type": mark, **style}, "encoding": encoding}


def quantity(field: str, **more: object) -> Spec:
    """Return the channel of a number."""
    return {"field": field, "type": "quantitative", **more}


def category(field: str, **more: object) -> Spec:
    """Return the channel of a name or a text."""
    return {"field": field, "type": "nominal", **more}


def axis(**more: object) -> Spec:
    """Return an axis without a title, with the settings all figures share."""
    return {"title": None, "labelLimit": MAX_NAME_WIDTH, "labelPadding": 10, "labelFlush": False, **more}


def percent_axis(**more: object) -> Spec:
    """Return an axis of shares in percent: 55 %."""
    return axis(labelExpr=in_the_language("replace(datum.label, '%', ' %')"), **more)


def in_the_language(label: str) -> str:
    """Return an expression for axis labels with the decimal sign of the active language."""
    decimal = localized(".")
    return label if decimal == "." else f"replace({label}, '.', '{decimal}')"


def to_svg(chart: Spec, name: str, title: str, description: str, note: str = "") -> str:
    """Render a chart as a light SVG with title, description and ids that begin `NAME-light-`. A `note` is shown below
    the chart and ends its description.

    vl-convert takes half a second to start and a chart a tenth, so both happen only where a figure is requested.
    """
    if note:
        chart = chart | {"title": NOTE | {"text": note.splitlines()}}
        description = f"{description}. {' '.join(note.splitlines())}"
    svg = _converted(json.dumps(chart | {"background": None, "config": STYLE}))
    named = f"{name}-{SCHEMES[LIGHT]}"
    return _with_words(_with_own_ids(_add_hatches(svg), named), named, title, description)


@lru_cache(maxsize=32)
def _converted(chart: str) -> str:
    """Return the SVG of a Vega-Lite specification: the same figure is often asked for again, in light and in dark."""
    import vl_convert

    return vl_convert.vegalite_to_svg(json.loads(chart))  # of a text the parts of the SVG have another order


def with_dark_colors(svg: str, name: str) -> str:
    """Return the same SVG with the colors of the dark scheme and its own ids."""
    other = re.sub('"(#[0-9a-f]{6})"', lambda found: f'"{_DARK.get(found[1], found[1])}"', svg)
    return other.replace(f"{name}-light-", f"{name}-dark-")


_DARK = dict([*TONES.values(), INK, QUIET, SHEET, LINE, ACCENT])


def _add_hatches(svg: str) -> str:
    """Add a hatch over each bar and each square of the legend, so that the SVG can be read without color."""
    used = {tone: TONES[tone][LIGHT] for tone in HATCHES if f'fill="{TONES[tone][LIGHT]}"' in svg}
    for tone, color in used.items():
        shape = rf'<path (?=[^>]*aria-roledescription="bar"|transform="[^"]*" d="M-5,-5h10)[^>]*fill="{color}"[^>]*/>'
        svg = re.sub(shape, partial(_with_hatch, tone), svg)
    return re.sub(r"(<svg [^>]*>)", lambda found: found[1] + _patterns(used), svg, count=1) if used else svg


def _with_hatch(tone: str, path: re.Match[str]) -> str:
    geometry = " ".join(re.findall(r'\b(?:d|transform)="[^"]*"', path[0]))
    return f'{path[0]}<path {geometry} fill="url(#hatch-{tone})" pointer-events="none" aria-hidden="true"/>'


def _patterns(used: dict[str, str]) -> str:
    patterns = [
        f'<pattern id="hatch-{tone}" width="{side}" height="{side}" patternUnits="userSpaceOnUse">'
        f'<path d="{path}" fill="none" stroke="{SHEET[LIGHT]}" stroke-width="1.1" stroke-opacity="0.55"/></pattern>'
        for tone, (side, path) in HATCHES.items()
        if tone in used
    ]
    return f"<defs>{''.join(patterns)}</defs>"


def _with_own_ids(svg: str, name: str) -> str:
    return re.sub(r'(\bid="|url\(#|href="#)', rf"\g<1>{name}-", svg)


def _with_words(svg: str, name: str, title: str, description: str) -> str:
    words = f'<title id="{name}-title">{escape(title)}</title><desc id="{name}-desc">{escape(description)}</desc>'
    opening = f'<svg role="img" aria-labelledby="{name}-title" aria-describedby="{name}-desc" '
    return re.sub(r"<svg ([^>]*)>", lambda found: f"{opening}{found[1]}>{words}", svg, count=1)
