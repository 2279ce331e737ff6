"""Messages of a chat as texts: the question with what came before it, and the answer."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from .json_fields import kind_of
from .problems import BadRecord, echo

ROLES = {"system": "System", "developer": "System", "user": "User", "assistant": "Assistant", "tool": "Tool"}
ASSISTANT = "assistant"


def text_of_content(content: Any) -> str:
    """Return the text of a message's content: a text, or a list of parts of which the texts count. Raise BadRecord."""
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        message = _("the content of a message must be a text or a list of parts, but is %(kind)s")
        raise BadRecord(message % {"kind": kind_of(content)})
    parts = [part if isinstance(part, str) else _text_of_part(part) for part in content]
    return "\n".join(part for part in parts if part)


def _text_of_part(part: Any) -> str:
    text = part.get("text") if isinstance(part, dict) else None
    return text if isinstance(text, str) else ""


def transcript(messages: Sequence[Any]) -> str:
    """Return the messages as one text: that of a single user message, otherwise each with its role. Raise BadRecord."""
    turns = [turn for message in messages if (turn := _turn(message))[1].strip()]
    if len(turns) == 1 and turns[0][0] == "user":
        return turns[0][1]
    return "\n\n".join(f"{ROLES[role]}: {text}" for role, text in turns)


def question_and_answer(messages: Any) -> tuple[str, str]:
    """Return all messages before the last one as a text, and the last one if the assistant wrote it; else all and "".
    Raise BadRecord."""
    if not isinstance(messages, list) or not messages:
        raise BadRecord(_("'messages' must be a list with at least one message"))
    role, text = _turn(messages[-1])
    return (transcript(messages[:-1]), text) if role == ASSISTANT else (transcript(messages), "")


def _turn(message: Any) -> tuple[str, str]:
    if not isinstance(message, Mapping):
        raise BadRecord(_("a message must be an object, but is %(kind)s") % {"kind": kind_of(message)})
    role = message.get("role")
    if role not in ROLES:
        values = {"role": echo(role), "roles": ", ".join(ROLES)}
        raise BadRecord(_("a message has the role %(role)s; it must be one of: %(roles)s") % values)
    return role, text_of_content(message.get("content"))
