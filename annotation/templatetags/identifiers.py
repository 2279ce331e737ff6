"""Names of systems and columns: `{{ name|breakable }}` lets a long one break at its separators.

`wren_answer/v2` -> `wren_<wbr>answer/<wbr>v2`.
"""

import re

from django import template
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

register = template.Library()
_AFTER_SEPARATOR = re.compile(r"(?<=[_/.:@-])(?=[^\W_])")


@register.filter
def breakable(name: object) -> SafeString:
    """Escape a name, with a `wbr` after each separator; what is markup already stays as it is."""
    if isinstance(name, SafeString):
        return name
    parts = _AFTER_SEPARATOR.split(str(name))
    return mark_safe("<wbr>".join(escape(part) for part in parts))  # noqa: S308 - every part is escaped
