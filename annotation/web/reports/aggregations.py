"""The ways to sum up ratings side by side, and a sentence on when they differ."""

from collections.abc import Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

from django.utils.translation import gettext as _

from ...i18n.numbers import localised
from ...reporting.compute.aggregations import by_measure, other_ways
from ...reporting.report import Aggregation, MeasureAggregation, Share
from ...reporting.text import figure_format
from ...reporting.text.naming import Names
from .measure_table import Report

ALIKE = 0.02  # of one another: two points, less than most intervals are wide


def aggregations(report: Report, names: Names) -> dict[str, Any] | None:
    """A group of rows a measure, a row a system; None in a report without them."""
    found = report.aggregations
    if not found:
        return None
    groups = [_group(key, list(rows), names) for key, rows in groupby(by_measure(found), key=itemgetter(0))]
    return {
        "groups": groups,
        "with_any": any(group["with_any"] for group in groups),
        "with_model": any(row["model"] for group in groups for row in group["rows"]),
        "sentence": _sentence(found, names),
        "unit": names.unit,
    }


def _group(measure: str, rows: list[tuple[str, str | None, MeasureAggregation]], names: Names) -> dict[str, Any]:
    """Responses with any accurate sentence say nothing; those with any inaccurate one do."""
    with_any = names.better(measure) == "lower"
    return {
        "measure": names.measure(measure),
        "with_any": with_any,
        "rows": [_row(system, of, with_any, names) for _, system, of in rows],
    }


def _row(system: str | None, of: MeasureAggregation, with_any: bool, names: Names) -> dict[str, Any]:
    model = of.dawid_skene
    return {
        "system": system or names.all_systems,
        "all": system is None,
        "pooled": figure_format.percent_or_dash(of.pooled),
        "majority": _counted(of.majority),
        "undecided": figure_format.count(of.majority.undecided),
        "macro": [
            figure_format.percent_or_dash(share) for share in (of.macro_item, of.macro_response, of.macro_prompt)
        ],
        "any": _counted(of.responses_with_any) if with_any else None,
        "model": figure_format.percent_or_dash(model.value) if model else "",
    }


def _counted(of: Share) -> dict[str, str]:
    return {
        "percent": figure_format.percent_or_dash(of.value),
        "k": figure_format.count(of.k) if of.n else "",
        "n": figure_format.count(of.n),
    }


def _sentence(found: Sequence[Aggregation], names: Names) -> str:
    """Where the ways are furthest apart, and what to make of it."""
    spreads = [
        (max(ways.values()) - min(ways.values()), measure, row.system, ways)
        for row in found
        for measure, of in row.measures.items()
        if of.pooled is not None and len(ways := {_("pooled"): of.pooled} | other_ways(of, names.unit)) > 1
    ]
    if not spreads:
        return ""
    spread, measure, system, ways = max(spreads, key=lambda found: found[0])
    if spread < ALIKE:
        said = _("Here they tell the same story: nowhere are they more than %(points)s points apart.")
        return said % {"points": localised(f"{100 * spread:.1f}")}
    low, high = min(ways, key=lambda way: ways[way]), max(ways, key=lambda way: ways[way])
    said = (
        _("Here they differ most for %(measure)s of %(system)s: %(least)s, %(most)s.")
        if system
        else _("Here they differ most for %(measure)s: %(least)s, %(most)s.")
    )
    return said % {
        "measure": names.measure(measure).lower(),
        "system": system,
        "least": f"{figure_format.percent(ways[low])} {low}",
        "most": f"{figure_format.percent(ways[high])} {high}",
    }
