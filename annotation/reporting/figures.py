"""Figures of a report as SVG, drawn on the server without a browser.

A figure carries its colours as attributes, so a page with a strict Content-Security-Policy may show it inline and a
paper may print it; it has a title and a description for those who cannot see it, no background of its own, and ids
that begin with its name, so that two figures can stand on one page. The parts of a bar come in the order of the legend.
"""

import re
from html import escape
from typing import Any

from ..protocols import Protocol
from .wording import Names, count, percent

# The tones of static/css/tokens.css, as (light, dark); a test holds the two together.
TONES = {
    "accurate": ("#16704f", "#63c79d"),
    "disputed": ("#8a5a00", "#e0ad4f"),
    "unsupported": ("#6247aa", "#b8a3e3"),
    "inaccurate": ("#ab2a20", "#f29187"),
    "cannot": ("#56616f", "#9fabb9"),
    "neutral": ("#1f1c17", "#ebe8e1"),
}
INK, QUIET, SHEET, LINE = ("#1f1c17", "#ebe8e1"), ("#625d52", "#a8a398"), ("#ffffff", "#1b1e23"), ("#e4dfd3", "#31353c")
FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Liberation Sans', Arial, sans-serif"
SCHEMES = ("light", "dark")
WIDTH, BAR = 620, 34
ROOM_FOR_A_LABEL = 0.06  # of the width of a bar


def figures(report: dict[str, Any], protocol: Protocol | None) -> dict[str, str]:
    """All figures of a report by name: `options-light`, `options-dark`. None without a rating."""
    if not report["systems"]:
        return {}
    return {f"options-{scheme}": option_shares(report, protocol, scheme) for scheme in SCHEMES}


def option_shares(report: dict[str, Any], protocol: Protocol | None, scheme: str = "light") -> str:
    """One stacked bar a system: the share of each option of the first measured question in all its ratings."""
    names = Names(protocol)
    rows = _share_rows(report, names)
    question = names.first_question
    description = "; ".join(
        f"{system}: {_in_words(rows, system)}" for system in dict.fromkeys(r["system"] for r in rows)
    )
    svg = _drawn(_option_chart(rows, names, report, SCHEMES.index(scheme)))
    return _finished(svg, f"options-{scheme}", question or "Answers by system", description)


def _share_rows(report: dict[str, Any], names: Names) -> list[dict[str, Any]]:
    rows = []
    for cell in report["systems"]:
        total, at = sum(cell["options"].values()), 0.0
        for order, (key, n) in enumerate(cell["options"].items()):
            share = n / total if total else 0.0
            rows.append(
                {
                    "system": cell["system"],
                    "option": names.option(key),
                    "order": order,
                    "n": n,
                    "share": share,
                    "middle": at + share / 2,
                    "label": percent(share, sign=False) if share >= ROOM_FOR_A_LABEL else "",
                }
            )
            at += share
    return rows


def _in_words(rows: list[dict[str, Any]], system: str) -> str:
    return ", ".join(
        f"{row['option']} {percent(row['share'])} ({count(row['n'])})" for row in rows if row["system"] == system
    )


def _option_chart(rows: list[dict[str, Any]], names: Names, report: dict[str, Any], scheme: int) -> Any:
    import altair as alt  # half a second: only where a figure is drawn

    options = list(report["overall"]["options"])
    colours = alt.Scale(
        domain=[names.option(key) for key in options], range=[TONES[names.tone(key)][scheme] for key in options]
    )
    base = alt.Chart(alt.Data(values=rows)).encode(
        y=alt.Y("system:N", sort=None, title=None, axis=alt.Axis(labelLimit=220, labelPadding=10)),
        x=alt.X("share:Q", stack="zero", title=None, axis=alt.Axis(format=".0%", tickCount=5)).scale(domain=[0, 1]),
        order=alt.Order("order:O"),
    )
    bars = base.mark_bar(height=BAR - 10, stroke=SHEET[scheme], strokeWidth=1).encode(
        color=alt.Color("option:N", scale=colours, sort=None, legend=alt.Legend(title=None, orient="bottom"))
    )
    labels = base.mark_text(fontSize=11, fontWeight=600).encode(
        x=alt.X("middle:Q"), text="label:N", color=alt.value(SHEET[scheme])
    )
    chart = (bars + labels).properties(width=WIDTH, height=alt.Step(BAR))
    return chart.configure(font=FONT, **_look(scheme))


def _look(scheme: int) -> dict[str, Any]:
    ink, quiet, line = INK[scheme], QUIET[scheme], LINE[scheme]
    return {
        "view": {"stroke": None},
        "axis": {"labelColor": quiet, "gridColor": line, "domain": False, "tickColor": line, "labelFontSize": 12},
        "axisY": {"labelColor": ink, "labelFontSize": 13, "labelFontWeight": 600, "ticks": False, "grid": False},
        "legend": {"labelColor": ink, "labelFontSize": 12, "symbolType": "square", "symbolStrokeWidth": 0},
    }


def _drawn(chart: Any) -> str:
    import vl_convert

    return vl_convert.vegalite_to_svg(chart.to_dict() | {"background": None})


def _finished(svg: str, name: str, title: str, description: str) -> str:
    """The SVG with title, description and ids of its own, and without a white background."""
    svg = re.sub(r'(\bid="|url\(#|href="#)', rf"\g<1>{name}-", svg)
    words = f'<title id="{name}-title">{escape(title)}</title><desc id="{name}-desc">{escape(description)}</desc>'
    opening = f'<svg role="img" aria-labelledby="{name}-title" aria-describedby="{name}-desc" '
    return re.sub(r"<svg ([^>]*)>", lambda found: f"{opening}{found[1]}>{words}", svg, count=1)
