"""Inputs and outputs of traced calls as texts: programs log a text, messages, or any JSON value."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from ..chat_messages import transcript
from ..problems import BadRecord

_TEXTS = ("content", "text", "output", "answer", "response", "completion", "question", "input", "query", "prompt")


def text_of_value(value: Any) -> str:
    """Return the text of an input or output; another JSON value is written as JSON. Raise BadRecord."""
    if isinstance(value, str):
        return _text_of_json(value)
    if isinstance(value, Sequence) and value and all(isinstance(each, Mapping) for each in value):
        messages = [_plain_message(each) for each in value]
        if all("role" in message for message in messages):
            is_answer = len(messages) == 1 and messages[0]["role"] == "assistant"
            return text_of_value(messages[0].get("content")) if is_answer else transcript(messages)
    if isinstance(value, Mapping):
        if isinstance(value.get("messages"), list):
            return text_of_value(value["messages"])
        found = next((value[key] for key in _TEXTS if value.get(key)), None)
        if found is not None:
            return text_of_value(found)
    return "" if value is None else json.dumps(value, ensure_ascii=False)


def _text_of_json(text: str) -> str:
    """Return the text, or that of the messages or object that it is as JSON."""
    if not text.lstrip().startswith(("{", "[")):
        return text
    try:
        value = json.loads(text)
        return text_of_value(value) if isinstance(value, dict | list) and value else text
    except (ValueError, RecursionError, BadRecord):
        return text


def _plain_message(message: Mapping[str, Any]) -> dict[str, Any]:
    """Return a message without the prefix that OpenInference gives its keys."""
    return {key.removeprefix("message."): value for key, value in message.items()}
