"""Systems in pairs: a forest plot. An order is drawn only where the difference is significant."""

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ...i18n.unit_names import unit_words
from ...stats.intervals import FEWEST_CLUSTERS
from ..compute.significance import compared, has_enough, is_significant, lacks_an_interval
from ..text.figure_format import count, p_value, points, points_between
from ..text.naming import Names
from .drawing import INK, LIGHT, QUIET, SHEET, axis, finished, in_the_language
from .labels import Lines, cut_apart, named_axis, room_for, wide

WIDTH, STEP = 340, 24
NAME = 44  # characters of a line of a pair; the table beside the figure has all of a longer name
MOST_PAIRS = 15  # with more, the figure shows the first measure alone, and the table beside it all

Rows = list[dict[str, Any]]


def differences(report: dict[str, Any], names: Names, measure: str = "") -> str:
    """Differences in percentage points with their intervals, one panel a measure, or `measure` alone.

    A filled point is a significant difference (p < .05 after Holm), a hollow one is none. Differences without an
    interval, on too few prompts, are not drawn: a point alone would look surer than the others.
    """
    shown = [measure] if measure else measures_drawn(report)
    rows = {key: _rows(report, key) for key in shown}
    everything = [row for panel in rows.values() for row in panel]
    pairs, reach = _pairs(everything), _reach(everything)
    panels = [_panel(rows[key], names.measure(key), pairs, reach, last=key == shown[-1]) for key in shown]
    description = "; ".join(f"{names.measure(key)}: {', '.join(map(_in_words, rows[key]))}" for key in shown)
    import altair as alt

    return finished(
        alt.vconcat(*panels), "differences", _("Differences between systems"), description, _not_drawn(report, shown)
    )


def measures_drawn(report: dict[str, Any]) -> list[str]:
    """The measures that the figure of a report has panels for."""
    drawn = [row for row in compared(report) if row["low"] is not None]
    found = list(dict.fromkeys(row["measure"] for row in drawn))
    return found if len(drawn) <= MOST_PAIRS * max(1, len(found)) else found[:1]


def _not_drawn(report: dict[str, Any], measures: list[str]) -> str:
    without = [row for row in compared(report) if row["measure"] in measures and lacks_an_interval(row)]
    few = sum(not has_enough(row) for row in without)
    said = []
    clusters = unit_words(report["method"]["cluster"], 2)
    if few:
        words = ngettext(
            "Not drawn: %(n)s difference on fewer than %(fewest)s %(clusters)s in common.",
            "Not drawn: %(n)s differences on fewer than %(fewest)s %(clusters)s in common.",
            few,
        )
        said.append(words % {"n": count(few), "fewest": FEWEST_CLUSTERS, "clusters": clusters})
    if same := len(without) - few:
        words = ngettext(
            "Not drawn: %(n)s difference that no draw of %(clusters)s changes.",
            "Not drawn: %(n)s differences that no draw of %(clusters)s changes.",
            same,
        )
        said.append(words % {"n": count(same), "clusters": clusters})
    return " ".join(said)


def _rows(report: dict[str, Any], measure: str) -> Rows:
    return [
        {
            "a": row["a"],
            "b": row["b"],
            "pair": f"{row['a']} − {row['b']}",
            "difference": 100 * row["difference"],
            "low": 100 * row["low"],
            "high": 100 * row["high"],
            "significant": is_significant(row),
            "verdict": _verdict(row),
        }
        for row in compared(report)
        if row["measure"] == measure and row["low"] is not None
    ]


def _pairs(rows: Rows) -> dict[str, Lines]:
    """What stands for each pair: one line, or one for each of the two systems where that would be too long."""
    short = cut_apart((row[side] for row in rows for side in "ab"), NAME)
    found = {row["pair"]: [f"{short[row['a']]} −", short[row["b"]]] for row in rows}
    return {pair: [" ".join(two)] if wide(" ".join(two)) <= NAME else two for pair, two in found.items()}


def _verdict(row: dict[str, Any]) -> str:
    if not is_significant(row):
        return _("no significant difference")
    p = p_value(row["p_holm"])
    return f"p {p}" if p.startswith("<") else f"p = {p}"


def _in_words(row: dict[str, Any]) -> str:
    between = points_between(row["low"] / 100, row["high"] / 100)
    named = {"pair": row["pair"], "points": points(row["difference"] / 100), "between": between}
    return _("%(pair)s %(points)s points (%(between)s), %(verdict)s") % {**named, "verdict": row["verdict"]}


def _reach(rows: Rows) -> float:
    """How far from 0 the axis goes, the same to both sides and for all panels."""
    return max((abs(end) for row in rows for end in (row["low"], row["high"])), default=1.0) * 1.05 or 1.0


def _panel(rows: Rows, title: str, pairs: dict[str, Lines], reach: float, *, last: bool) -> Any:
    import altair as alt

    scale = alt.Scale(domain=[-reach, reach])
    under = axis(
        format="+d" if reach >= 4 else "+.1f", tickCount=7,
        labelExpr=in_the_language("(datum.value == 0 ? '0' : datum.label)"), labels=last,
        title=_("Difference in percentage points") if last else None,
    )  # fmt: skip
    y = alt.Y("pair:N", sort=[row["pair"] for row in rows], axis=named_axis(pairs, labelFontWeight=400))
    x = alt.X("difference:Q", axis=under, scale=scale)
    base = alt.Chart(alt.Data(values=rows)).encode(y=y)
    zero = alt.Chart(alt.Data(values=[{"zero": 0}])).mark_rule(color=QUIET[LIGHT], strokeWidth=1).encode(
        x=alt.X("zero:Q", scale=scale, axis=under)
    )  # fmt: skip
    whiskers = base.mark_rule(color=INK[LIGHT], strokeWidth=1.6).encode(x=alt.X("low:Q", scale=scale), x2="high:Q")
    filled = [row["significant"] for row in rows]
    marks = [
        _points_of([row for row in rows if row["significant"] is is_filled], y, x, is_filled)
        for is_filled in sorted(set(filled))
    ]
    words = base.mark_text(align="left", fontSize=11, color=QUIET[LIGHT]).encode(
        x=alt.value(WIDTH + 12), text="verdict:N"
    )
    return alt.layer(zero, whiskers, *marks, words).properties(
        width=WIDTH, height=alt.Step(room_for(pairs, STEP)), title=title
    )


def _points_of(rows: Rows, y: Any, x: Any, filled: bool) -> Any:
    import altair as alt

    fill = INK[LIGHT] if filled else SHEET[LIGHT]
    return (
        alt.Chart(alt.Data(values=rows))
        .mark_point(size=52, opacity=1, stroke=INK[LIGHT], strokeWidth=1.6, fill=fill)
        .encode(y=y, x=x)
    )
