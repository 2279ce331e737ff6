"""Sentences of responses, for lists that show many of them.

`{{ text|in_words }}`: `**Step 2:** heat it` -> `Step 2: heat it`. The result is plain text, escaped like any other.
`{{ text|excerpt }}`: the same for a response, whose paragraphs, headings and cells follow one another.
`{{ error|as_sentence }}`: an error that commands print within a line, with a capital and a full stop.
`{{ text|formatted }}` is safe HTML of a prompt: formulas, bold text, code.
"""

from django import template

from ..web.accounts.fields import sentence
from ..web.rendering.articles import render_paragraph
from ..web.rendering.markdown import excerpt_of, texts_of

register = template.Library()

register.filter("in_words", texts_of)
register.filter("excerpt", excerpt_of)
register.filter("as_sentence", sentence)
register.filter("formatted", render_paragraph)
