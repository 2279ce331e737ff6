"""Forest plot of pairs of systems, with every p. An order is shown only for significant differences."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ...i18n.unit_names import unit_words
from ...stats.intervals import MIN_CLUSTERS
from ..report import Report
from ..sections.differences.figures import Comparison
from ..sections.differences.significance import comparisons_shown, has_enough, is_significant
from ..text.figure_format import count, p_with_sign, points, points_between
from ..text.names import Names
from .drawing import INK, LIGHT, QUIET, SHEET, Spec, axis, category, data, in_the_language, layer, quantity, to_svg
from .labels import Lines, break_lines, cut_apart, named_axis, row_height, text_width
from .layout import WIDE, Layout

NAME = "differences"
STEP, NARROW_STEP = 24, 30  # pixels
P_LINE_HEIGHT = 13
MAX_PAIRS = 15  # with more, each measure has a figure for itself


@dataclass(frozen=True)
class PlotRow:
    """One pair of systems as plotted, in percentage points; `p` is formatted, in lines. Without an interval, `low` and
    `high` are None, and `difference` too if the systems have no prompts in common.
    """

    a: str
    b: str
    pair: str
    difference: float | None
    low: float | None
    high: float | None
    significant: bool
    p: Lines


Rows = list[PlotRow]


def difference_figures(report: Report) -> list[str]:
    """Return the names of the figures of differences: one for all measures, with many pairs one for each.

    [] without an interval.
    """
    rows = comparisons_shown(report)
    if all(row.low is None for row in rows):
        return []
    has_many = len({(row.a, row.b) for row in rows}) > MAX_PAIRS
    return [f"{NAME}-{measure}" for measure in _compared(report)] if has_many else [NAME]


def differences(report: Report, names: Names, layout: Layout = WIDE, measure: str = "") -> str:
    """Draw differences in percentage points with their intervals, one panel for each measure, or only `measure`.

    Every pair has a row with its p. A filled point is a significant difference (p < .05 after Holm), a hollow one is
    not. A difference without an interval, on too few prompts or without variation, has no point: it would look more
    certain than the others.
    """
    panels = _compared(report, measure)
    rows = {key: [_plot_row(row, layout) for row in compared] for key, compared in panels.items()}
    all_rows = [row for panel in rows.values() for row in panel]
    pairs, reach, last = _pairs(all_rows, layout.pair), _axis_end(all_rows), list(rows)[-1]
    charts = [_panel(rows[key], names.measure(key), pairs, reach, layout, last=key == last) for key in rows]
    description = "; ".join(f"{names.measure(key)}: {', '.join(map(_in_words, panels[key]))}" for key in panels)
    notes = _notes([row for compared in panels.values() for row in compared], report.method.cluster)
    note = "\n".join(line for each in notes for line in break_lines(each, layout.note))
    name = f"{NAME}-{measure}" if measure else NAME
    return to_svg({"vconcat": charts}, f"{name}{layout.ending}", "Differences between systems", description, note)


def _compared(report: Report, only: str = "") -> dict[str, list[Comparison]]:
    """Return the comparisons of each measure, or of `only` one, that has a difference."""
    measures = dict.fromkeys(row.measure for row in report.comparisons if row.difference is not None)
    rows = comparisons_shown(report)
    return {key: [row for row in rows if row.measure == key] for key in measures if only in ("", key)}


def _notes(compared: list[Comparison], cluster: str) -> list[str]:
    """Name the family that p is adjusted over, which figures have even if a plan names another one, and count the
    differences without an interval by cause.
    """
    family = (
        "p: adjusted over the pairs of a measure (Holm), also where an analysis plan names another family of tests."
    )
    without = [row for row in compared if row.low is None]
    few = sum(not has_enough(row) for row in without)
    causes = [*_too_few(few, cluster), *_no_variation(len(without) - few, cluster)]
    return [family, f"No interval: {'; '.join(causes)}."] if causes else [family]


def _too_few(number: int, cluster: str) -> Iterator[str]:
    if number:
        words = (
            "%(n)s difference on fewer than %(fewest)s %(clusters)s in common"
            if number == 1
            else "%(n)s differences on fewer than %(fewest)s %(clusters)s in common"
        )
        yield words % {"n": count(number), "fewest": MIN_CLUSTERS, "clusters": unit_words(cluster, 2)}


def _no_variation(number: int, cluster: str) -> Iterator[str]:
    if number:
        words = (
            "%(n)s difference that does not vary between %(clusters)s"
            if number == 1
            else "%(n)s differences that do not vary between %(clusters)s"
        )
        yield words % {"n": count(number), "clusters": unit_words(cluster, 2)}


def _plot_row(row: Comparison, layout: Layout) -> PlotRow:
    p = [p_with_sign(row.p_holm), *(["no interval"] if row.low is None else [])]
    return PlotRow(
        a=row.a,
        b=row.b,
        pair=f"{row.a} − {row.b}",
        difference=_in_points(row.difference),
        low=_in_points(row.low),
        high=_in_points(row.high),
        significant=is_significant(row),
        p=p if layout.is_narrow else [", ".join(p)],
    )


def _in_points(share: float | None) -> float | None:
    return None if share is None else 100 * share


def _pairs(rows: Rows, most: int) -> dict[str, Lines]:
    """Return the label of each pair: one line of at most `most` characters, or one or more for each system."""
    short = cut_apart((system for row in rows for system in (row.a, row.b)), most)
    labels = {row.pair: [*break_lines(f"{short[row.a]} −", most + 2), *break_lines(short[row.b], most)] for row in rows}
    return {pair: [" ".join(lines)] if text_width(" ".join(lines)) <= most else lines for pair, lines in labels.items()}


def _in_words(row: Comparison) -> str:
    return f"{f'{row.a} − {row.b}'} {points(row.difference)} points ({'no interval' if row.low is None else points_between(row.low, row.high)}), {p_with_sign(row.p_holm)}"


def _axis_end(rows: Rows) -> float:
    """Return the end of the axis, symmetric around 0 and equal for all panels."""
    ends = [abs(end) for row in rows for end in (row.low, row.high) if end is not None]
    return max(ends, default=1.0) * 1.05 or 1.0


def _panel(rows: Rows, title: str, pairs: dict[str, Lines], reach: float, layout: Layout, *, last: bool) -> Spec:
    under = axis(
        format="+d" if reach >= 4 else "+.1f", tickCount=3 if layout.is_narrow else 7,
        labelExpr=in_the_language("(datum.value == 0 ? '0' : datum.label)"), labels=last,
        title="Difference in percentage points" if last else None,
    )  # fmt: skip
    bounded = [row for row in rows if row.low is not None]
    scale = {"domain": [-reach, reach]}
    y = category(
        "pair", scale={"domain": [row.pair for row in rows]}, axis=named_axis(pairs, labelFontWeight=400)
    )  # fmt: skip
    x = quantity("difference", axis=under, scale=scale)
    zero = layer("rule", {"x": quantity("zero", scale=scale, axis=under)}, color=QUIET[LIGHT], strokeWidth=1)
    between = {"y": y, "x": quantity("low", scale=scale), "x2": {"field": "high"}}
    p = {"y": y, "x": {"value": layout.panel + 12}, "text": category("p")}
    return {
        **data(rows),
        "layer": [
            {"data": {"values": [{"zero": 0}]}, **zero},
            data(bounded) | layer("rule", between, color=INK[LIGHT], strokeWidth=1.6),
            *(
                data(row for row in bounded if row.significant is filled) | _points({"y": y, "x": x}, filled)
                for filled in sorted({row.significant for row in bounded})
            ),
            layer("text", p, align="left", fontSize=11, lineHeight=P_LINE_HEIGHT, color=QUIET[LIGHT]),
        ],
        "width": layout.panel,
        "height": {"step": row_height(pairs, NARROW_STEP if layout.is_narrow else STEP)},
        "title": break_lines(title, layout.title),
    }


def _points(encoding: Spec, filled: bool) -> Spec:
    fill = INK[LIGHT] if filled else SHEET[LIGHT]
    return layer("point", encoding, size=52, opacity=1, stroke=INK[LIGHT], strokeWidth=1.6, fill=fill)
