"""Messages that can be said in another language, in a room that knows of none.

A message is a text like any other, in English. It also remembers the words it was made from, so that whoever shows it
can put those, and the messages among its values, into the reader's language.
"""

from collections.abc import Callable
from typing import Any


class Said(str):
    """A message: `template` with `values` put in."""

    template: str
    values: dict[str, Any]


def said(template: str, **values: Any) -> Said:
    """The message, with values by name: said("%(key)s is empty", key="title")."""
    message = Said(template % values)
    message.template, message.values = template, values
    return message


def said_by(message: str, say: Callable[[str], str]) -> str:
    """The message with its template put through `say`, and those of messages among its values; other texts stay."""
    if not isinstance(message, Said):
        return message
    values = {name: said_by(value, say) if isinstance(value, str) else value for name, value in message.values.items()}
    return say(message.template) % values
