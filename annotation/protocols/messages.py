"""Messages of a package without Django that pages can translate.

A message is an English string that also remembers its template and values, so that a page can translate the template
and the messages among its values.
"""

from collections.abc import Callable
from typing import Any


class TranslatableText(str):
    """A message: `template` with `values` filled in."""

    template: str
    values: dict[str, Any]


def translatable(template: str, **values: Any) -> TranslatableText:
    """Return the message, with values by name: translatable("%(key)s is empty", key="title")."""
    message = TranslatableText(template % values)
    message.template, message.values = template, values
    return message


def translate_message(message: str, translate: Callable[[str], str]) -> str:
    """Return the message with its template, and those of messages among its values, translated; other texts stay."""
    if not isinstance(message, TranslatableText):
        return message
    values = {
        name: translate_message(value, translate) if isinstance(value, str) else value
        for name, value in message.values.items()
    }
    return translate(message.template) % values
