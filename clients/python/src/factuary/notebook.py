"""A report as HTML for notebooks: a table of estimates, each with its interval drawn on a scale from 0 to 1."""

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .reports import Estimate, Report

WIDTH, HEIGHT, MARGIN = 240, 18, 6
"""Of a figure, in pixels."""


def report_html(report: "Report") -> str:
    """Return the table. Texts from the site are escaped."""
    head = f"Report {report.id}" if report.id else "Live report"
    protocol = "{slug}, version {version}".format(**report.document["protocol"])
    rows = "".join(_row(estimate) for estimate in report.estimates())
    return (
        f"<p><strong>{escape(head)}</strong> ({escape(protocol)})</p>"
        "<table><thead><tr><th>Measure</th><th>System</th><th>Estimate</th><th>95 % interval</th>"
        "<th>0 to 1</th><th>n</th><th>Method</th></tr></thead>"
        f"<tbody>{rows}</tbody></table>"
    )


def _row(estimate: "Estimate") -> str:
    count = str(estimate.n) if estimate.k is None else f"{estimate.k} of {estimate.n}"
    cells = (
        escape(estimate.measure),
        "all" if estimate.system is None else escape(estimate.system),
        _number(estimate.value),
        f"{_number(estimate.low)} to {_number(estimate.high)}" if estimate.low is not None else "",
        _figure(estimate),
        count,
        escape(estimate.method),
    )
    return "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"


def _figure(estimate: "Estimate") -> str:
    """Return an SVG of the interval with a dot at the value; empty where a figure does not lie between 0 and 1."""
    value, low, high = estimate.value, estimate.low, estimate.high
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
