"""Figures of a report as SVG, drawn on the server without a browser.

`options` (what raters answered), `measures` (the paper's table), `differences` (systems in pairs) and `heat` (systems
by something known of the prompts), each in a light and a dark dress. Everything is drawn from the report's dictionary
alone, so the same report gives the same figure, frozen or live.
"""

from collections.abc import Callable, Iterator
from typing import Any

from ...protocols import Protocol
from ..compute.significance import compared
from ..text.naming import Names
from .differences import differences
from .drawing import SCHEMES, in_dark, unchecked
from .heat import heat_keys, heat_map
from .measures import measured
from .options import option_shares

NAMES = ("options", "measures", "differences", "heat")

__all__ = ["NAMES", "SCHEMES", "available", "draw", "figures", "heat_keys"]


def available(report: dict[str, Any]) -> list[str]:
    """The figures that this report has something for; none without a rating."""
    has = {
        "options": bool(report["systems"]),
        "measures": any(of["value"] is not None for cell in report["systems"] for of in cell["measures"].values()),
        "differences": any(row["low"] is not None for row in compared(report)),
        "heat": bool(report["systems"] and heat_keys(report)),
    }
    return [name for name in NAMES if has[name]]


def draw(
    report: dict[str, Any],
    protocol: Protocol | None,
    name: str,
    scheme: str = "light",
    *,
    key: str = "",
    measure: str = "",
) -> str | None:
    """One figure as SVG, None where the report has nothing for it. `key` and `measure` choose what a heat map shows."""
    if name not in available(report) or scheme not in SCHEMES:
        return None
    names = Names(protocol)
    with unchecked():
        svg = heat_map(report, names, key, measure) if name == "heat" else _DRAWINGS[name](report, names)
    return in_dark(svg, name) if svg and scheme == "dark" else svg


_DRAWINGS: dict[str, Callable[[dict[str, Any], Names], str]] = {
    "options": option_shares,
    "measures": measured,
    "differences": differences,
}


def figures(report: dict[str, Any], protocol: Protocol | None) -> dict[str, str]:
    """All figures of a report by name: `options-light`, `options-dark`, `measures-light` … None without a rating."""
    return dict(_drawn(report, protocol))


def _drawn(report: dict[str, Any], protocol: Protocol | None) -> Iterator[tuple[str, str]]:
    for name in available(report):
        if svg := draw(report, protocol, name):
            yield f"{name}-light", svg
            yield f"{name}-dark", in_dark(svg, name)
