"""Titles of the formats of data sets."""

from django import template

from ..importing import FORMATS

register = template.Library()


@register.filter
def format_title(name: str) -> str:
    """Return the title: `{{ "rows"|format_title }}` -> Your own rows, translated; unknown names stay as they are."""
    return FORMATS[name].title if name in FORMATS else name
