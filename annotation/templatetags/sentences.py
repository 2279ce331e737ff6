"""Sentences of responses, for lists that show many of them.

`{{ text|in_words }}`: `**Step 2:** heat it` -> `Step 2: heat it`. The result is plain text, escaped like any other.
"""

from django import template

from ..web.rendering.markdown import texts_of

register = template.Library()

register.filter("in_words", texts_of)
