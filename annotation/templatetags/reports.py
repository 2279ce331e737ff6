"""Frozen reports in lists and menus."""

from collections.abc import MutableMapping
from typing import Any, cast

from django import template
from django.template.context import Context
from msgspec import convert, structs

from ..accounts.names import DisplayNames
from ..reporting.parts import Filters, Inference
from ..reporting.text.provenance import choices_in_words

register = template.Library()


@register.simple_tag(takes_context=True)
def choices_of(context: Context, report: Any) -> str:
    """Describe the choices of a report of `reporting.frozen_reports`: "without the ratings of Tom"; "" by default."""
    unit = report.project.protocol.definition.unit
    filters, inference = convert(report.filters or {}, Filters), convert(report.inference or {}, Inference)
    if filters.without_raters:
        page = cast("MutableMapping[str, DisplayNames]", context.render_context)
        display_name = page.setdefault("display_name", DisplayNames())  # one query for a list
        filters = structs.replace(filters, without_raters=list(map(display_name, filters.without_raters)))
    cluster = report.method["cluster"] if inference.cluster_chosen else None
    return "; ".join(choices_in_words(filters, cluster, unit))
