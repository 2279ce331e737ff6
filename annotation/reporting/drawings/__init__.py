"""Figures of a report as SVG, drawn on the server without a browser.

`options` (the answers of raters), `measures` (the paper's table), `differences` (systems in pairs), `heat` (systems by
metadata of the prompts) and `sensitivity` (the measures under other decisions), each in a light and a dark color
scheme, and each in a narrow layout for phones. With many pairs of systems each measure has its own figure of
differences, such as `differences-accurate`. Figures depend on the report alone, so the same report gives the same
figure, frozen or live. No figure names a rater: files of figures are downloaded without an event in the audit.
"""

from collections.abc import Callable

from ...protocols import Protocol
from ..report import Report
from ..sections.sensitivity.tables import has_sensitivity_panel
from ..text.names import Names
from .differences import NAME as DIFFERENCES
from .differences import difference_figures, differences
from .drawing import NARROW, SCHEMES, layout_of, with_dark_colors
from .heat_map import heat_keys, heat_map
from .measures import measure_panels
from .options import option_shares
from .sensitivity import sensitivity_panels

__all__ = ["KINDS", "NARROW", "SCHEMES", "available", "draw", "figures", "heat_keys", "layout_of"]

KINDS = ("options", "measures", DIFFERENCES, "heat", "sensitivity")
"""First parts of the names of figures."""


def available(report: Report) -> list[str]:
    has = {
        "options": bool(report.systems),
        "measures": any(p.value is not None for cell in report.systems for p in cell.measures.values()),
        **dict.fromkeys(difference_figures(report), True),
        "heat": bool(report.systems and heat_keys(report)),
        "sensitivity": has_sensitivity_panel(report),
    }
    return [name for name, has_data in has.items() if has_data]


def draw(
    report: Report,
    protocol: Protocol | None,
    name: str,
    scheme: str = "light",
    *,
    key: str = "",
    measure: str = "",
) -> str | None:
    """Draw one figure as SVG, None where the report has no data for it. `key` and `measure` select the heat map. A
    name such as `options-narrow` is the figure for a phone.
    """
    plain, layout = layout_of(name)
    if plain not in available(report) or scheme not in SCHEMES:
        return None
    names, (kind, _, part) = Names(protocol), plain.partition("-")
    drawings: dict[str, Callable[[], str | None]] = {
        "options": lambda: option_shares(report, names, layout),
        "measures": lambda: measure_panels(report, names, layout),
        DIFFERENCES: lambda: differences(report, names, layout, part),
        "heat": lambda: heat_map(report, names, layout, key, measure),
        "sensitivity": lambda: sensitivity_panels(report, names, layout),
    }
    svg = drawings[kind]()
    return with_dark_colors(svg, name) if svg and scheme == "dark" else svg


def figures(report: Report, protocol: Protocol | None) -> dict[str, str]:
    """Draw all figures of a report by name: `options-light`, `options-dark` …; none without a rating."""
    drawings = {}
    for name in available(report):
        if svg := draw(report, protocol, name):
            drawings[f"{name}-light"] = svg
            drawings[f"{name}-dark"] = with_dark_colors(svg, name)
    return drawings
