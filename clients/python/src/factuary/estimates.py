"""Estimates of a report as text, and as HTML for notebooks."""

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape

WIDTH, HEIGHT, MARGIN = 240, 18, 6
"""Of the figure of an interval, in pixels."""


@dataclass(frozen=True)
class Estimate:
    """A figure with its 95 % interval: `k` of `n`, or a mean or score over `n`, where `k` is None.

    `value`, `low` and `high` are None where they are undefined. `method` names the interval.
    """

    measure: str
    system: str | None
    value: float | None
    low: float | None
    high: float | None
    k: int | None
    n: int
    method: str

    def __str__(self) -> str:
        count = f"n = {self.n}" if self.k is None else f"{self.k} of {self.n}"
        return f"{_number(self.value)} [{_number(self.low)}, {_number(self.high)}], {count}, {self.method}"


def html_table(head: str, protocol: str, estimates: Iterable[Estimate]) -> str:
    """Return a table of the estimates, each interval drawn on a scale from 0 to 1. Texts from the site are escaped."""
    rows = ""
    for estimate in estimates:
        cells = (
            escape(estimate.measure),
            "all" if estimate.system is None else escape(estimate.system),
            _number(estimate.value),
            f"{_number(estimate.low)} to {_number(estimate.high)}" if estimate.low is not None else "",
            _interval_figure(estimate.value, estimate.low, estimate.high),
            str(estimate.n) if estimate.k is None else f"{estimate.k} of {estimate.n}",
            escape(estimate.method),
        )
        rows += "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"
    return (
        f"<p><strong>{escape(head)}</strong> ({escape(protocol)})</p>"
        "<table><thead><tr><th>Measure</th><th>System</th><th>Estimate</th><th>95 % interval</th>"
        "<th>0 to 1</th><th>n</th><th>Method</th></tr></thead>"
        f"<tbody>{rows}</tbody></table>"
    )


def _interval_figure(value: float | None, low: float | None, high: float | None) -> str:
    """Return an SVG of the interval with a dot at the value; empty where a figure does not lie between 0 and 1."""
    if value is None or low is None or high is None or not 0 <= low <= high <= 1:
        return ""
    left, dot, right = (MARGIN + each * (WIDTH - 2 * MARGIN) for each in (low, value, high))
    middle = HEIGHT / 2
    label = f"{_number(value)}, from {_number(low)} to {_number(high)}"
    return (
        f'<svg width="{WIDTH}" height="{HEIGHT}" role="img" aria-label="{label}">'
        f'<line x1="{MARGIN}" x2="{WIDTH - MARGIN}" y1="{middle}" y2="{middle}" stroke="currentColor" '
        'stroke-opacity="0.2"/>'
        f'<line x1="{left:.1f}" x2="{right:.1f}" y1="{middle}" y2="{middle}" stroke="currentColor" stroke-width="3"/>'
        f'<circle cx="{dot:.1f}" cy="{middle}" r="4" fill="currentColor"/></svg>'
    )


def _number(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.3f}"
