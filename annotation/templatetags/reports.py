"""Frozen reports in lists and menus."""

from typing import Any

from django import template
from msgspec import convert

from ..reporting.report import Filters, Inference
from ..reporting.text.provenance import choices_in_words

register = template.Library()


@register.filter
def by_choice(report: Any) -> str:
    """Describe the choices of a report of `reporting.frozen_reports`: "without the ratings of tom"; "" by default."""
    unit = report.project.protocol.definition.unit
    filters, inference = convert(report.filters or {}, Filters), convert(report.inference or {}, Inference)
    cluster = report.method["cluster"] if inference.cluster_chosen else None
    return "; ".join(choices_in_words(filters, cluster, unit))
