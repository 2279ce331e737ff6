"""The words for units of rating."""

from django import template

from ..i18n import unit_names

register = template.Library()


@register.filter
def unit(name: str, count: int = 1) -> str:
    """Return the translated unit: `{{ "claim"|unit }}` -> claim, `{{ "claim"|unit:2 }}` -> claims."""
    return unit_names.unit_words(name, count)


@register.filter
def counted(count: int, name: str) -> str:
    """Format a number with its unit: `{{ 1204|counted:"claim" }}` -> 1,204 claims."""
    return unit_names.counted(count, name)
