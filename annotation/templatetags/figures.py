"""Number formats and labels of `reporting.text`, for templates that have numbers and parts of a report.

`{{ names|measure:key }}` is the label of a measure, `{{ share|counts }}` the counts of a share: 31 of 40.
"""

from collections.abc import Mapping
from typing import TypeVar

from django import template

from ..reporting.parts import Share
from ..reporting.sections.scores.tables import weights_in_words
from ..reporting.text import figure_format
from ..reporting.text.names import Names

register = template.Library()
Figure = TypeVar("Figure")

register.filter("count", figure_format.count)
register.filter("percent", figure_format.percent)
register.filter("percentage", figure_format.percent_or_dash)
register.filter("signed_points", figure_format.points)
register.filter("seconds", figure_format.duration)
register.filter("plan_size", figure_format.plan_size)
register.filter("mean", figure_format.mean)
register.filter("mean_bounds", figure_format.mean_bounds)
register.filter("weights", weights_in_words)
register.filter("correlation", figure_format.coefficient)
register.filter("answers_to_others", figure_format.answers_to_others)
register.filter("measure", Names.measure)
register.filter("option", Names.option)
register.filter("checked_option", Names.checked_option)
register.filter("sign", Names.sign)
register.filter("tone", Names.tone)


@register.filter
def coefficient(value: float | None) -> str:
    """Format a coefficient of agreement: 0.5234 -> .523; None -> –."""
    return figure_format.coefficient(value, figure_format.AGREEMENT_DIGITS)


@register.filter
def points(value: float | None) -> str:
    """Format a width as points: 0.0312 -> 3.1; None -> –."""
    return figure_format.UNDEFINED if value is None else figure_format.percent(value, sign=False)


@register.filter
def figures_of(drawings: Mapping[str, Figure], kind: str) -> list[Figure]:
    """Return the figures of a kind, one or one for each measure: `differences`, `differences-accurate` …"""
    return [drawing for name, drawing in drawings.items() if name.partition("-")[0] == kind]


@register.filter
def counts(share: Share) -> str:
    """Format the counts of a share: 31 of 40."""
    return f"{figure_format.count(share.k)} of {figure_format.count(share.n)}"
