"""The words for what a rating is about."""

from django import template

from ..units import unit_words

register = template.Library()


@register.filter
def unit(name: str, count: int = 1) -> str:
    """`{{ "claim"|unit }}` -> claim, `{{ "claim"|unit:2 }}` -> claims, in the reader's language."""
    return unit_words(name, count)
