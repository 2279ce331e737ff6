"""Aggregations of ratings side by side, and a sentence on when they differ."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

from django.utils.translation import gettext as _

from ...i18n.numbers import localized
from ...reporting.compute.aggregations import by_measure
from ...reporting.report import Aggregation, MeasureAggregation, Report
from ...reporting.text import figure_format
from ...reporting.text.aggregation_names import other_aggregations
from ...reporting.text.names import Names

ALIKE = 0.02  # of one another: two points, less than most intervals are wide


@dataclass(frozen=True)
class AggregationTable:
    """The rows (system or None, figures) of each measure; `with_any` and `with_model` are whether some row has these
    columns: responses with any counted item are shown where lower is better.
    """

    groups: list[tuple[str, list[tuple[str | None, MeasureAggregation]]]]
    with_any: bool
    with_model: bool
    sentence: str


def aggregations(report: Report, names: Names) -> AggregationTable | None:
    """Return a group of rows per measure with a row per system; None in a report without them."""
    if not report.aggregations:
        return None
    rows = list(by_measure(report.aggregations))
    return AggregationTable(
        groups=[(key, [row[1:] for row in group]) for key, group in groupby(rows, key=itemgetter(0))],
        with_any=any(names.better(measure) == "lower" for measure, _, _ in rows),
        with_model=any(figures.dawid_skene for _, _, figures in rows),
        sentence=_sentence(report.aggregations, names),
    )


def _sentence(rows: Sequence[Aggregation], names: Names) -> str:
    """Return where the aggregations differ most, and by how much."""
    spreads = [
        (max(ways.values()) - min(ways.values()), measure, row.system, ways)
        for row in rows
        for measure, figures in row.measures.items()
        if figures.pooled is not None
        and len(ways := {_("pooled"): figures.pooled} | other_aggregations(figures, names.unit)) > 1
    ]
    if not spreads:
        return ""
    spread, measure, system, ways = max(spreads, key=itemgetter(0))
    if spread < ALIKE:
        sentence = _("The aggregations agree: they differ by at most %(points)s points.")
        return sentence % {"points": localized(f"{100 * spread:.1f}")}
    low, high = min(ways, key=lambda way: ways[way]), max(ways, key=lambda way: ways[way])
    sentence = (
        _("The aggregations differ most for %(measure)s of %(system)s: %(least)s, %(most)s.")
        if system
        else _("The aggregations differ most for %(measure)s: %(least)s, %(most)s.")
    )
    return sentence % {
        "measure": names.measure(measure).lower(),
        "system": system,
        "least": f"{figure_format.percent(ways[low])} {low}",
        "most": f"{figure_format.percent(ways[high])} {high}",
    }
