"""Number formats and labels of `reporting.text`, for templates that have numbers and parts of a report.

`{{ names|measure:key }}` is the label of a measure, `{{ share|bounds }}` its interval: 88.9 – 93.4.
"""

from collections.abc import Mapping
from typing import TypeVar

from django import template

from ..i18n.numbers import localized
from ..reporting.parts import BoundedShare, Bounds, Share
from ..reporting.sections.scores.text import weights_in_words
from ..reporting.text import figure_format
from ..reporting.text.names import Names, agreement_of

register = template.Library()
Figure = TypeVar("Figure")

register.filter("count", figure_format.count)
register.filter("percent", figure_format.percent)
register.filter("percentage", figure_format.percent_or_dash)
register.filter("signed_points", figure_format.points)
register.filter("seconds", figure_format.duration)
register.filter("plan_size", figure_format.plan_size)
register.filter("mean", figure_format.mean)
register.filter("estimate", figure_format.estimate)
register.filter("estimate_bounds", figure_format.estimate_bounds)
register.filter("weights", weights_in_words)
register.filter("correlation", figure_format.coefficient)
register.filter("agreement_value", figure_format.agreement_value)
register.filter("agreement_change", figure_format.agreement_change)
register.filter("answers_to_others", figure_format.answers_to_others)
register.filter("agreement_of", agreement_of)
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
def coefficient_label(name: str) -> str:
    """Return the label of a coefficient of agreement or correlation."""
    return (figure_format.COEFFICIENTS | figure_format.CORRELATIONS)[name]


@register.filter
def bounds(share: BoundedShare | Bounds) -> str:
    """Format the interval of a share; "" where it has none."""
    return figure_format.interval(share.low, share.high)


@register.filter
def counts(share: Share) -> str:
    """Format the counts of a share: 31 of 40."""
    return f"{figure_format.count(share.k)} of {figure_format.count(share.n)}"


@register.filter
def hours(value: float) -> str:
    """Format hours: 2.25 -> 2.3 h; 120.4 -> 120 h; less than an hour in minutes."""
    if value < 0.995:
        return f"{max(1, round(60 * value))} min"
    return localized(f"{value:,.1f} h" if value < 99.5 else f"{value:,.0f} h")
