"""The words for what a rating is about."""

from django import template

from ..i18n import unit_names

register = template.Library()


@register.filter
def unit(name: str, count: int = 1) -> str:
    """`{{ "claim"|unit }}` -> claim, `{{ "claim"|unit:2 }}` -> claims, in the reader's language."""
    return unit_names.unit_words(name, count)


@register.filter
def counted(count: int, name: str) -> str:
    """`{{ 1204|counted:"claim" }}` -> 1,204 claims."""
    return unit_names.counted(count, name)
