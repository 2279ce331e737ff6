"""Sentences of responses, for lists that show many of them."""

from django import template

from ..web.rendering.markdown import texts_of

register = template.Library()


@register.filter
def in_words(text: str) -> str:
    """Convert `**Step 2:** heat it` to `Step 2: heat it`. The result is plain text, escaped like any other."""
    return texts_of(text)
