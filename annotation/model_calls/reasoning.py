"""Separate what a model thought from what it answered: by tags in its text, and by fields and parts of its message.

Pure Python. `splitting.reasoning` finds the marks in a text; those in a string of a JSON object are none.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ..splitting.reasoning import separate
from .json_objects import FoundObject, ObjectReader

_REASONING_FIELDS = ("reasoning_content", "reasoning", "reasoning_details", "thinking_blocks", "thinking")
"""Fields of a message with its reasoning. Some endpoints send the same in several: the first one counts."""
_TEXT_FIELDS = ("text", "thinking", "reasoning", "reasoning_content", "summary", "content", "value")


@dataclass(frozen=True)
class SeparatedAnswer:
    """An answer, and what the model thought before it."""

    answer: str
    reasoning: str = ""


def separated_message(message: Mapping[str, Any]) -> SeparatedAnswer:
    """Return the answer of a message of an endpoint, or its refusal, and its reasoning, wherever it is.

    Raises TypeError for a message without a text.
    """
    content = message.get("content")
    parts = content if isinstance(content, list) else [content]
    texts = [_text_of(part) for part in parts if part is not None and not _is_reasoning(part)]
    thoughts = [_all_text(part) for part in parts if _is_reasoning(part)]
    fields = (_all_text(message.get(name)) for name in _REASONING_FIELDS)
    thoughts.append(next((text for text in fields if text.strip()), ""))
    refusal = message.get("refusal")
    found = separated("".join(texts) or (refusal if isinstance(refusal, str) else ""))
    return SeparatedAnswer(found.answer, _joined([*thoughts, found.reasoning]))


def _is_reasoning(part: object) -> bool:
    if not isinstance(part, dict):
        return False
    kind = str(part.get("type", "")).lower()
    return part.get("thought") is True or any(word in kind for word in ("think", "reason", "thought", "summary"))


def _text_of(part: object) -> str:
    """Return the text of a part of an answer; "" for a call of a tool and the like."""
    if isinstance(part, str):
        return part
    if not isinstance(part, dict):
        raise TypeError(f"a part of an answer is of type {type(part).__name__}")
    text = part.get("text", part.get("refusal", ""))
    return text if isinstance(text, str) else _all_text(text)


def _all_text(value: object) -> str:
    """Return the texts of reasoning, which endpoints send as text, or as lists and objects of texts."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return _joined(_all_text(each) for each in value)
    if isinstance(value, dict):
        return next((text for name in _TEXT_FIELDS if (text := _all_text(value.get(name)))), "")
    return ""


def separated(text: str) -> SeparatedAnswer:
    """Return the answer and the reasoning that marks enclose. Without an opening mark the reasoning begins with the
    text, without a closing one it is the rest.
    """
    reader = ObjectReader(text)

    def end_of_object(start: int) -> int:
        found = reader.read(start)
        return found.end if isinstance(found, FoundObject) else start + 1

    reasoning, answers = separate(text, end_of_object)
    if not reasoning and answers == [(0, len(text))]:
        return SeparatedAnswer(text)
    answer = "".join(text[start:end] for start, end in answers).strip()
    return SeparatedAnswer(answer, _joined(text[each.first : each.last] for each in reasoning))


def _joined(thoughts: Iterable[str]) -> str:
    return "\n\n".join(stripped for thought in thoughts if (stripped := thought.strip()))
