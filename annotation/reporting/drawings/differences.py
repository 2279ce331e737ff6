"""Forest plot of pairs of systems, with every p. An order is shown only for significant differences."""

from dataclasses import dataclass

from ...i18n.unit_names import unit_words
from ...stats.intervals import MIN_CLUSTERS
from ..report import Report
from ..sections.differences.figures import Comparison
from ..sections.differences.significance import comparisons_shown, has_enough, is_significant
from ..text.figure_format import count, p_with_sign, points, points_between
from ..text.names import Names
from . import vega
from .drawing import INK, QUIET, SHEET, Layout, to_svg
from .labels import Lines, break_lines, cut_apart, named_axis, row_height, text_width

NAME = "differences"
STEP, NARROW_STEP = 24, 30  # pixels
P_LINE_HEIGHT = 13
MAX_PAIRS = 15  # with more, each measure has a figure for itself


@dataclass(frozen=True)
class PlotRow:
    """One pair of systems as plotted, in percentage points; `p` is formatted, in lines. Without an interval, `low` and
    `high` are None, and `difference` too if the systems have no prompts in common.
    """

    pair: str
    difference: float | None
    low: float | None
    high: float | None
    significant: bool
    p: Lines


def difference_figures(report: Report) -> list[str]:
    """Return the names of the figures of differences: one for all measures, with many pairs one for each.

    [] without an interval.
    """
    rows = comparisons_shown(report)
    if all(row.low is None for row in rows):
        return []
    has_many = len({(row.a, row.b) for row in rows}) > MAX_PAIRS
    return [f"{NAME}-{measure}" for measure in _compared(report)] if has_many else [NAME]


def _compared(report: Report) -> dict[str, list[Comparison]]:
    measures = dict.fromkeys(row.measure for row in report.comparisons if row.difference is not None)
    rows = comparisons_shown(report)
    return {key: [row for row in rows if row.measure == key] for key in measures}


def differences(report: Report, names: Names, layout: Layout, measure: str = "") -> str:
    """Draw differences in percentage points with their intervals, one panel for each measure, or only `measure`.

    Every pair has a row with its p. A filled point is a significant difference (p < .05 after Holm), a hollow one is
    not. A difference without an interval, on too few prompts or without variation, has no point: it would look more
    certain than the others.
    """
    panels = {key: rows for key, rows in _compared(report).items() if measure in ("", key)}
    compared = [row for rows in panels.values() for row in rows]
    pairs, last = _pair_labels(compared, layout.pair), list(panels)[-1]
    # The axes of all panels are equal and symmetric around 0.
    ends = [abs(end) for row in compared for end in (row.low, row.high) if end is not None]
    reach = 100 * max(ends, default=0.01) * 1.05 or 1.0
    charts = [
        _panel(rows, pairs, reach, layout, last=key == last) | {"title": break_lines(names.measure(key), layout.title)}
        for key, rows in panels.items()
    ]
    descriptions = []
    for key, rows in panels.items():
        phrases = []
        for row in rows:
            bounds = "no interval" if row.low is None else points_between(row.low, row.high)
            phrases.append(f"{_pair(row)} {points(row.difference)} points ({bounds}), {p_with_sign(row.p_holm)}")
        descriptions.append(f"{names.measure(key)}: {', '.join(phrases)}")
    note = "\n".join(
        line for each in _notes(compared, report.method.cluster) for line in break_lines(each, layout.note)
    )
    name = f"{NAME}-{measure}" if measure else NAME
    return to_svg({"vconcat": charts}, name, layout, "Differences between systems", "; ".join(descriptions), note)


def _pair_labels(compared: list[Comparison], most: int) -> dict[str, Lines]:
    """Return the label of each pair: one line of at most `most` characters, or one or more for each system."""
    short = cut_apart((system for row in compared for system in (row.a, row.b)), most)
    labels = {}
    for row in compared:
        lines = [*break_lines(f"{short[row.a]} −", most + 2), *break_lines(short[row.b], most)]
        labels[_pair(row)] = [" ".join(lines)] if text_width(" ".join(lines)) <= most else lines
    return labels


def _pair(row: Comparison) -> str:
    return f"{row.a} − {row.b}"


def _notes(compared: list[Comparison], cluster: str) -> list[str]:
    """Name the family that p is adjusted over, which figures have even if a plan names another one, and count the
    differences without an interval by cause.
    """
    family = (
        "p: adjusted over the pairs of a measure (Holm), also where an analysis plan names another family of tests."
    )
    clusters = unit_words(cluster, 2)
    few = sum(not has_enough(row) for row in compared if row.low is None)
    steady = sum(row.low is None for row in compared) - few
    causes = []
    if few:
        noun = "difference" if few == 1 else "differences"
        causes.append(f"{count(few)} {noun} on fewer than {MIN_CLUSTERS} {clusters} in common")
    if steady:
        verb = "difference that does" if steady == 1 else "differences that do"
        causes.append(f"{count(steady)} {verb} not vary between {clusters}")
    return [family, f"No interval: {'; '.join(causes)}."] if causes else [family]


def _panel(
    compared: list[Comparison], pairs: dict[str, Lines], reach: float, layout: Layout, *, last: bool
) -> vega.Spec:
    rows = []
    for row in compared:
        difference, low, high = (None if end is None else 100 * end for end in (row.difference, row.low, row.high))
        lines = [p_with_sign(row.p_holm), *(["no interval"] if row.low is None else [])]
        lines = lines if layout.is_narrow else [", ".join(lines)]
        rows.append(PlotRow(_pair(row), difference, low, high, is_significant(row), lines))
    under = vega.axis(
        format="+d" if reach >= 4 else "+.1f",
        tickCount=3 if layout.is_narrow else 7,
        labelExpr="(datum.value == 0 ? '0' : datum.label)",
        labels=last,
        title="Difference in percentage points" if last else None,
    )
    bounded = [row for row in rows if row.low is not None]
    scale = {"domain": [-reach, reach]}
    y = {
        "y": vega.category(
            "pair", scale={"domain": [row.pair for row in rows]}, axis=named_axis(pairs, labelFontWeight=400)
        )
    }
    x = {"x": vega.quantity("difference", axis=under, scale=scale)}
    zero = vega.layer("rule", {"x": vega.quantity("zero", scale=scale, axis=under)}, color=QUIET, strokeWidth=1)
    p = {"x": {"value": layout.panel + 12}, "text": vega.category("p")}
    point = {"size": 52, "opacity": 1, "stroke": INK, "strokeWidth": 1.6}
    return {
        **vega.data(rows),
        "layer": [
            {"data": {"values": [{"zero": 0}]}, **zero},
            vega.data(bounded) | vega.layer("rule", y | vega.bounds("x", scale=scale), color=INK, strokeWidth=1.6),
            *(
                vega.data(row for row in bounded if row.significant is filled)
                | vega.layer("point", y | x, **point, fill=INK if filled else SHEET)
                for filled in sorted({row.significant for row in bounded})
            ),
            vega.layer("text", y | p, align="left", fontSize=11, lineHeight=P_LINE_HEIGHT, color=QUIET),
        ],
        "width": layout.panel,
        "height": {"step": row_height(pairs, NARROW_STEP if layout.is_narrow else STEP)},
    }
