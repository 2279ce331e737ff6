"""Forest plot of pairs of systems. An order is shown only for significant differences."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ...i18n.unit_names import unit_words
from ...stats.intervals import MIN_CLUSTERS
from ..compute.significance import comparisons_shown, has_enough, is_significant, lacks_an_interval
from ..report import Report
from ..text.figure_format import count, p_with_sign, points, points_between
from ..text.names import Names
from .drawing import INK, LIGHT, QUIET, SHEET, Spec, axis, category, data, in_the_language, layer, quantity, to_svg
from .labels import Lines, break_lines, cut_apart, named_axis, row_height, text_width
from .layout import WIDE, Layout

STEP = 24  # pixels
MAX_PAIRS = 15  # with more, the figure shows the first measure alone, and the table all


@dataclass(frozen=True)
class PlotRow:
    """One pair of systems as plotted, in percentage points; `p` is formatted."""

    a: str
    b: str
    pair: str
    difference: float
    low: float
    high: float
    significant: bool
    p: str


Rows = list[PlotRow]


def differences(report: Report, names: Names, layout: Layout = WIDE, measure: str = "") -> str:
    """Draw differences in percentage points with their intervals, one panel for each measure, or only `measure`.

    A filled point is a significant difference (p < .05 after Holm), a hollow one is not; each p stands beside it.
    Differences without an interval, on too few prompts or without variation, are not drawn: a point alone would look
    more certain than the others.
    """
    measures = [measure] if measure else measures_drawn(report)
    rows = {key: _rows(report, key) for key in measures}
    all_rows = [row for panel in rows.values() for row in panel]
    pairs, reach = _pairs(all_rows, layout.pair), _axis_end(all_rows)
    panels = [_panel(rows[key], names.measure(key), pairs, reach, layout, last=key == measures[-1]) for key in measures]
    description = "; ".join(f"{names.measure(key)}: {', '.join(map(_in_words, rows[key]))}" for key in measures)
    notes = [_("p: adjusted over the pairs of a measure (Holm)."), _not_drawn(report, measures)]
    note = "\n".join(line for each in notes for line in break_lines(each, layout.note))
    title = _("Differences between systems")
    return to_svg({"vconcat": panels}, f"differences{layout.ending}", title, description, note)


def measures_drawn(report: Report) -> list[str]:
    """Return the measures that have a panel in the figure."""
    rows = [row for row in comparisons_shown(report) if row.low is not None]
    measures = list(dict.fromkeys(row.measure for row in rows))
    return measures if len(rows) <= MAX_PAIRS * max(1, len(measures)) else measures[:1]


def _not_drawn(report: Report, measures: list[str]) -> str:
    without = [row for row in comparisons_shown(report) if row.measure in measures and lacks_an_interval(row)]
    few = sum(not has_enough(row) for row in without)
    sentences = []
    clusters = unit_words(report.method.cluster, 2)
    if few:
        words = ngettext(
            "Not drawn: %(n)s difference on fewer than %(fewest)s %(clusters)s in common.",
            "Not drawn: %(n)s differences on fewer than %(fewest)s %(clusters)s in common.",
            few,
        )
        sentences.append(words % {"n": count(few), "fewest": MIN_CLUSTERS, "clusters": clusters})
    if same := len(without) - few:
        words = ngettext(
            "Not drawn: %(n)s difference that does not vary between %(clusters)s.",
            "Not drawn: %(n)s differences that do not vary between %(clusters)s.",
            same,
        )
        sentences.append(words % {"n": count(same), "clusters": clusters})
    return " ".join(sentences)


def _rows(report: Report, measure: str) -> Rows:
    return [
        PlotRow(
            a=row.a,
            b=row.b,
            pair=f"{row.a} − {row.b}",
            difference=100 * row.difference,
            low=100 * row.low,
            high=100 * row.high,
            significant=is_significant(row),
            p=p_with_sign(row.p_holm),
        )
        for row in comparisons_shown(report)
        if row.measure == measure and row.difference is not None and row.low is not None and row.high is not None
    ]


def _pairs(rows: Rows, most: int) -> dict[str, Lines]:
    """Return the label of each pair: one line of at most `most` characters, or one or more for each system."""
    short = cut_apart((system for row in rows for system in (row.a, row.b)), most)
    labels = {row.pair: [*break_lines(f"{short[row.a]} −", most + 2), *break_lines(short[row.b], most)] for row in rows}
    return {pair: [" ".join(lines)] if text_width(" ".join(lines)) <= most else lines for pair, lines in labels.items()}


def _in_words(row: PlotRow) -> str:
    return _("%(pair)s %(points)s points (%(between)s), %(p)s") % {
        "pair": row.pair,
        "points": points(row.difference / 100),
        "between": points_between(row.low / 100, row.high / 100),
        "p": row.p,
    }


def _axis_end(rows: Rows) -> float:
    """Return the end of the axis, symmetric around 0 and equal for all panels."""
    return max((abs(end) for row in rows for end in (row.low, row.high)), default=1.0) * 1.05 or 1.0


def _panel(rows: Rows, title: str, pairs: dict[str, Lines], reach: float, layout: Layout, *, last: bool) -> Spec:
    under = axis(
        format="+d" if reach >= 4 else "+.1f", tickCount=3 if layout.is_narrow else 7,
        labelExpr=in_the_language("(datum.value == 0 ? '0' : datum.label)"), labels=last,
        title=_("Difference in percentage points") if last else None,
    )  # fmt: skip
    scale = {"domain": [-reach, reach]}
    y = category("pair", sort=[row.pair for row in rows], axis=named_axis(pairs, labelFontWeight=400))
    x = quantity("difference", axis=under, scale=scale)
    zero = layer("rule", {"x": quantity("zero", scale=scale, axis=under)}, color=QUIET[LIGHT], strokeWidth=1)
    between = {"y": y, "x": quantity("low", scale=scale), "x2": {"field": "high"}}
    p = {"y": y, "x": {"value": layout.panel + 12}, "text": category("p")}
    return {
        **data(rows),
        "layer": [
            {"data": {"values": [{"zero": 0}]}, **zero},
            layer("rule", between, color=INK[LIGHT], strokeWidth=1.6),
            *(
                data(row for row in rows if row.significant is filled) | _points({"y": y, "x": x}, filled)
                for filled in sorted({row.significant for row in rows})
            ),
            layer("text", p, align="left", fontSize=11, color=QUIET[LIGHT]),
        ],
        "width": layout.panel,
        "height": {"step": row_height(pairs, STEP)},
        "title": break_lines(title, layout.title),
    }


def _points(encoding: Spec, filled: bool) -> Spec:
    fill = INK[LIGHT] if filled else SHEET[LIGHT]
    return layer("point", encoding, size=52, opacity=1, stroke=INK[LIGHT], strokeWidth=1.6, fill=fill)
