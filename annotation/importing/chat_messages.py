"""Messages of a chat as texts: the question with what came before it, and the answer.

Messages of OpenAI, Anthropic and Gemini, of LangChain (`type` in place of `role`) and of OpenInference (keys that begin
with `message.`) are understood.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from .json_fields import kind_of
from .problems import BadRecord, echo

ASSISTANT = "Assistant"
ROLES = {
    "system": "System",
    "developer": "System",
    "user": "User",
    "human": "User",
    "assistant": ASSISTANT,
    "model": ASSISTANT,
    "ai": ASSISTANT,
    "tool": "Tool",
    "function": "Tool",
}
_TYPES = {f"{role}message{ending}": role for role in ROLES for ending in ("", "chunk")}
_CALLS = ("tool_calls", "function_call", "functionCall", "toolUse")
_OF_A_CALL = {"name", "arguments", "args", "id", "call_id", "type", "index"}
_PREFIXES = ("message.", "message_content.")
_NO_ANSWER = {
    *("reasoning", "thinking", "redacted_thinking", "thought", "tool_use", "tool_call", "tool-call", "tool_result"),
    *("tool-result", "function_call", "server_tool_use", "image", "image_url", "audio", "input_audio", "document"),
}
"""Types of parts whose text, if they have one, is not that of the message."""


def text_of_content(content: Any) -> str:
    """Return the text of a message's content: a text, or a list of parts of which the texts count, without the model's
    reasoning. Raise BadRecord."""
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if isinstance(content, Mapping):
        return _text_of_part(content)
    if not isinstance(content, list | tuple):
        raise BadRecord(f"the content of a message must be a text or a list of parts, but is {kind_of(content)}")
    parts = [part if isinstance(part, str) else _text_of_part(part) for part in content]
    return "\n".join(part for part in parts if part)


def _text_of_part(part: Any) -> str:
    if not isinstance(part, Mapping):
        return ""
    part = _without_prefix(part)
    part = part["message_content"] if isinstance(part.get("message_content"), Mapping) else part
    if str(part.get("type")) in _NO_ANSWER or part.get("thought") is True:
        return ""
    if isinstance(part.get("parts"), list):  # Gemini's content
        return text_of_content(part["parts"])
    text = part.get("text") or part.get("refusal")
    return text if isinstance(text, str) else ""


def plain_message(message: Mapping[str, Any]) -> dict[str, Any]:
    """Return a message of any program with `role` and `content`; without a `role` if it is no message."""
    plain = _without_prefix(message)
    if isinstance(plain.get("message"), Mapping) and "role" not in plain:
        plain = _without_prefix(plain["message"])
    if isinstance(plain.get("kwargs"), Mapping) and isinstance(plain.get("id"), list):  # LangChain's dumps
        plain = {**plain["kwargs"], "type": str(plain["id"][-1]) if plain["id"] else ""}
    elif isinstance(plain.get("data"), Mapping) and "type" in plain:  # LangChain's messages_to_dict
        plain = {**plain["data"], "type": plain["type"]}
    has_content = any(key in plain for key in ("content", "contents", "parts"))
    if isinstance(role := plain.get("role"), str):
        plain["role"] = role.lower()
    elif role is None and has_content and isinstance(kind := plain.get("type"), str):
        role = _TYPES.get(kind.lower(), kind.lower())
        plain |= {"role": role} if role in ROLES else {}
    if plain.get("content") in (None, "", []):
        plain["content"] = next((plain[key] for key in ("contents", "parts", "refusal") if plain.get(key)), None)
    return plain


def _without_prefix(part: Mapping[str, Any]) -> dict[str, Any]:
    """Return an object without the prefixes that OpenInference gives its keys."""
    return {key.removeprefix(_PREFIXES[0]).removeprefix(_PREFIXES[1]): value for key, value in part.items()}


def transcript(messages: Sequence[Any]) -> str:
    """Return the messages as one text: that of a single user message, otherwise each with its role. Raise BadRecord."""
    turns = [turn for message in messages if (turn := turn_of(message))[1].strip()]
    if len(turns) == 1 and turns[0][0] == "User":
        return turns[0][1]
    return "\n\n".join(f"{speaker}: {text}" for speaker, text in turns)


def question_and_answer(messages: Any) -> tuple[str, str]:
    """Return all messages before the last one as a text, and the last one if the assistant wrote it; else all and "".
    Raise BadRecord."""
    if not isinstance(messages, list) or not messages:
        raise BadRecord("'messages' must be a list with at least one message")
    speaker, text = turn_of(messages[-1])
    return (transcript(messages[:-1]), text) if speaker == ASSISTANT else (transcript(messages), "")


def turn_of(message: Any) -> tuple[str, str]:
    """Return who speaks, one of the values of `ROLES`, and the text. Raise BadRecord."""
    if not isinstance(message, Mapping):
        raise BadRecord(f"a message must be an object, but is {kind_of(message)}")
    plain = plain_message(message)
    role = plain.get("role")
    if not isinstance(role, str) or role not in ROLES:
        roles = ", ".join(ROLES)
        raise BadRecord(f"a message has the role {echo(role)}; it must be one of: {roles}")
    return ROLES[role], text_of_content(plain.get("content"))


def calls_a_tool(value: Any) -> bool:
    """Return whether a message, an answer of a model or any part of it calls a tool."""
    if isinstance(value, Mapping):
        is_call = value.get("type") in ("tool_use", "tool_call", "tool-call", "function_call") or (
            {"name"} < value.keys() <= _OF_A_CALL and ("arguments" in value or "args" in value)
        )
        named = (key for key in value if key.rsplit(".", 1)[-1] in _CALLS)
        return is_call or any(value[key] for key in named) or any(map(calls_a_tool, value.values()))
    return isinstance(value, list | tuple) and any(map(calls_a_tool, value))
