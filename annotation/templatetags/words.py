"""Filters that write values as text: names, times, amounts, units, figures of a report; builtin in all templates."""

import re
from collections.abc import Mapping, MutableMapping
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any, TypeVar, cast

from django import template
from django.contrib.humanize.templatetags.humanize import NaturalTimeFormatter, naturaltime
from django.template.context import Context
from django.utils import timezone
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.timesince import timesince
from msgspec import convert, structs

from ..accounts.names import DisplayNames
from ..i18n import unit_names
from ..i18n.english import localized
from ..importing import FORMATS
from ..pseudonyms import shown_username
from ..reporting.parts import Filters, Inference, Share
from ..reporting.sections.scores.tables import weights_in_words
from ..reporting.text import figure_format
from ..reporting.text.names import Names
from ..reporting.text.provenance import choices_in_words
from ..web.accounts.fields import sentence
from ..web.rendering.articles import render_paragraph
from ..web.rendering.markdown import excerpt_of, texts_of

register = template.Library()
Figure = TypeVar("Figure")
_AFTER_SEPARATOR = re.compile(r"(?<=[_/.:@-])(?=[^\W_])")

register.filter("shown_username", shown_username)  # in addresses: the user name or a pseudonym
register.filter("unit", unit_names.unit_words)  # "claim"|unit:2 -> claims
register.filter("counted", unit_names.counted)  # 1204|counted:"claim" -> 1,204 claims

register.filter("in_words", texts_of)  # `**Step 2:** heat it` -> `Step 2: heat it`, plain text
register.filter("excerpt", excerpt_of)  # the same for a response, whose paragraphs and cells follow one another
register.filter("as_sentence", sentence)  # an error that commands print within a line: capital and full stop
register.filter("formatted", render_paragraph)  # safe HTML of a prompt: formulas, bold text, code

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
register.filter("measure", Names.measure)  # names|measure:key: the label of a measure
register.filter("option", Names.option)
register.filter("checked_option", Names.checked_option)
register.filter("sign", Names.sign)
register.filter("tone", Names.tone)


@register.filter
def breakable(name: object) -> SafeString:
    """Escape the name of a system or column and let it break at its separators; markup stays as it is.

    `wren_answer/v2` -> `wren_<wbr>answer/<wbr>v2`.
    """
    if isinstance(name, SafeString):
        return name
    parts = _AFTER_SEPARATOR.split(str(name))
    return mark_safe("<wbr>".join(escape(part) for part in parts))  # noqa: S308 - every part is escaped


@register.filter
def ago(moment: datetime | None) -> str:
    """Return how long ago a past moment was, in one unit: 3 hours ago, 1 day ago."""
    now = timezone.now()
    if moment is None:
        return ""
    if now - moment < timedelta(days=1):
        return str(naturaltime(moment))
    words = NaturalTimeFormatter.time_strings["past-day"]
    return words % {"delta": timesince(moment, now, time_strings=NaturalTimeFormatter.past_substrings, depth=1)}


@register.filter
def cost(amount: Decimal | float | None) -> str:
    """Return the amount in USD with four decimals, or a dash for None: without prices there is no cost."""
    return "–" if amount is None else localized(f"{amount:,.4f}")


@register.filter
def price(amount: Decimal) -> str:
    """Return the amount in USD with all its decimals and no more."""
    return localized(f"{amount.normalize():,f}")


@register.filter
def format_title(name: str) -> str:
    """Return the title of a format: `rows` -> Your own rows; unknown names stay as they are."""
    return FORMATS[name].title if name in FORMATS else name


@register.filter
def coefficient(value: float | None) -> str:
    """Format a coefficient of agreement: 0.5234 -> .523; None -> –."""
    return figure_format.coefficient(value, figure_format.AGREEMENT_DIGITS)


@register.filter
def points(value: float | None) -> str:
    """Format a width as points: 0.0312 -> 3.1; None -> –."""
    return figure_format.UNDEFINED if value is None else figure_format.percent(value, sign=False)


@register.filter
def counts(share: Share) -> str:
    """Format the counts of a share: 31 of 40."""
    return f"{figure_format.count(share.k)} of {figure_format.count(share.n)}"


@register.filter
def figures_of(drawings: Mapping[str, Figure], kind: str) -> list[Figure]:
    """Return the figures of a kind, one or one for each measure: `differences`, `differences-accurate` …"""
    return [drawing for name, drawing in drawings.items() if name.partition("-")[0] == kind]


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
