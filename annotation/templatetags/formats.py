"""Titles of the formats of data sets."""

from django import template
from django.utils.translation import gettext as _

from ..importing import FORMATS

register = template.Library()


@register.filter
def format_title(name: str) -> str:
    """Return the title: `{{ "rows"|format_title }}` -> Your own rows, translated; unknown names stay as they are."""
    return _(FORMATS[name].title) if name in FORMATS else name
