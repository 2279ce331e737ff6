"""Number formats of `reporting.text`, for templates that have numbers."""

from django import template

from ..i18n.numbers import localized
from ..reporting.text import figure_format

register = template.Library()


@register.filter
def percentage(value: float | None) -> str:
    """Format a share: 0.914 -> 91.4 %; None -> –."""
    return figure_format.percent_or_dash(value)


@register.filter
def coefficient(value: float | None) -> str:
    """Format a coefficient of agreement: 0.5234 -> .523; None -> –."""
    return figure_format.coefficient(value, figure_format.AGREEMENT_DIGITS)


@register.filter
def points(value: float | None) -> str:
    """Format a width as points: 0.0312 -> 3.1; None -> –."""
    return figure_format.UNDEFINED if value is None else figure_format.percent_number(value)


@register.filter
def signed_points(value: float | None) -> str:
    """Format a difference in points: 0.031 -> +3.1; None -> –."""
    return figure_format.points(value)


@register.filter
def seconds(value: float | None) -> str:
    """Format seconds: 14.25 -> 14 s; below ten with one decimal; 1963.4 -> 33 min."""
    return figure_format.duration(value)


@register.filter
def hours(value: float) -> str:
    """Format hours: 2.25 -> 2.3 h; 120.4 -> 120 h; less than an hour in minutes."""
    if value < 0.995:
        return f"{max(1, round(60 * value))} min"
    return localized(f"{value:,.1f} h" if value < 99.5 else f"{value:,.0f} h")
