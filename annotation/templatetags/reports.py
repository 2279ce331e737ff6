"""Frozen reports in lists and menus."""

from typing import Any

from django import template

from ..reporting.frozen_reports import choices_in_words

register = template.Library()


@register.filter
def by_choice(report: Any) -> str:
    """What was chosen about a report of `reporting.frozen_reports`: "without the ratings of tom"; "" for the usual."""
    unit = report.project.protocol.definition.unit
    return "; ".join(choices_in_words(report.filters, report.method, unit))
