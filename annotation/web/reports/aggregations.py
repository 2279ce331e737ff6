"""Aggregations of ratings side by side, and a sentence on when they differ."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

from django.utils.translation import gettext as _

from ...i18n.numbers import localized
from ...reporting.compute.aggregations import by_measure, other_aggregations
from ...reporting.report import Aggregation, MeasureAggregation, Report, Share
from ...reporting.text import figure_format
from ...reporting.text.names import Names

ALIKE = 0.02  # of one another: two points, less than most intervals are wide


@dataclass(frozen=True)
class CountedShare:
    """A share k / n in words; `k` is empty where nothing was counted."""

    percent: str
    k: str
    n: str
    interval: str = ""


@dataclass(frozen=True)
class AggregationRow:
    """The aggregations of a measure for a system, or for `all`; `macro` are the means by item, response and prompt."""

    system: str
    all: bool
    pooled: str
    majority: CountedShare
    undecided: str
    macro: list[str]
    any: CountedShare | None
    model: str


@dataclass(frozen=True)
class AggregationGroup:
    """The rows of one measure."""

    measure: str
    with_any: bool
    rows: list[AggregationRow]


@dataclass(frozen=True)
class AggregationTable:
    """All groups; `with_any` and `with_model` are whether some row has these columns."""

    groups: list[AggregationGroup]
    with_any: bool
    with_model: bool
    sentence: str
    unit: str


def aggregations(report: Report, names: Names) -> AggregationTable | None:
    """Return a group of rows per measure with a row per system; None in a report without them."""
    if not report.aggregations:
        return None
    groups = [
        _group(key, list(rows), names) for key, rows in groupby(by_measure(report.aggregations), key=itemgetter(0))
    ]
    return AggregationTable(
        groups=groups,
        with_any=any(group.with_any for group in groups),
        with_model=any(row.model for group in groups for row in group.rows),
        sentence=_sentence(report.aggregations, names),
        unit=names.unit,
    )


def _group(measure: str, rows: list[tuple[str, str | None, MeasureAggregation]], names: Names) -> AggregationGroup:
    """Return the rows of one measure. Responses with any counted sentence are shown where lower is better."""
    with_any = names.better(measure) == "lower"
    group_rows = [_row(system, figures, with_any, names) for _, system, figures in rows]
    return AggregationGroup(names.measure(measure), with_any, group_rows)


def _row(system: str | None, figures: MeasureAggregation, with_any: bool, names: Names) -> AggregationRow:
    model = figures.dawid_skene
    macro = (figures.macro_item, figures.macro_response, figures.macro_prompt)
    return AggregationRow(
        system=system or names.all_systems,
        all=system is None,
        pooled=figure_format.percent_or_dash(figures.pooled),
        majority=_counted(figures.majority),
        undecided=figure_format.count(figures.majority.undecided),
        macro=[figure_format.percent_or_dash(value) for value in macro],
        any=_counted(figures.responses_with_any) if with_any else None,
        model=figure_format.percent_or_dash(model.value) if model else "",
    )


def _counted(share: Share) -> CountedShare:
    k = figure_format.count(share.k) if share.n else ""
    return CountedShare(figure_format.percent_or_dash(share.value), k, figure_format.count(share.n))


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
        sentence = _("Here they tell the same story: nowhere are they more than %(points)s points apart.")
        return sentence % {"points": localized(f"{100 * spread:.1f}")}
    low, high = min(ways, key=lambda way: ways[way]), max(ways, key=lambda way: ways[way])
    sentence = (
        _("Here they differ most for %(measure)s of %(system)s: %(least)s, %(most)s.")
        if system
        else _("Here they differ most for %(measure)s: %(least)s, %(most)s.")
    )
    return sentence % {
        "measure": names.measure(measure).lower(),
        "system": system,
        "least": f"{figure_format.percent(ways[low])} {low}",
        "most": f"{figure_format.percent(ways[high])} {high}",
    }
