"""Frozen reports in lists and menus."""

from typing import Any

from django import template
from msgspec import convert

from ..reporting.report import Filters, ReportMethod
from ..reporting.text.provenance import choices_in_words

register = template.Library()


@register.filter
def by_choice(report: Any) -> str:
    """Describe the choices of a report of `reporting.frozen_reports`: "without the ratings of tom"; "" by default."""
    unit = report.project.protocol.definition.unit
    filters, method = convert(report.filters or {}, Filters), convert(report.method, ReportMethod)
    return "; ".join(choices_in_words(filters, method, unit))
