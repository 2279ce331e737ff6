"""Inputs and outputs of traced calls as texts: programs log a text, messages, a model's whole reply, or any JSON value.

What is understood is read; everything else stays whole, as JSON.
"""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from ..chat_messages import ASSISTANT, ROLES, calls_a_tool, plain_message, text_of_content, transcript, turn_of
from ..input_files import FileReader
from ..json_stream import JsonText
from ..problems import Problems
from ..records import NO_RESPONSE
from ..tabular_files import Row, is_binary, read_rows

NO_CALL = "trace of another step"
TOOL_CALL = "tool call without text"
FAILED = "request or sample with an error"
OTHER_SPEAKER = "message that the model did not write"

_QUESTIONS = ("question", "query", "prompt", "input", "text", "content", "messages", "message")
_ANSWERS = ("output", "answer", "result", "response", "completion", "generation", "text", "content", "message")
_BESIDE_A_QUESTION = {
    *("context", "documents", "model", "temperature", "top_p", "max_tokens", "max_completion_tokens", "stream", "n"),
    *("tools", "tool_choice", "stop", "seed", "response_format", "config", "session_id", "user_id"),
    "invocation_params",
}
_BESIDE_AN_ANSWER = {
    *_QUESTIONS[:4],
    *("source_documents", "sources", "context", "documents", "chat_history", "history", "intermediate_steps"),
    *("model", "usage", "usage_metadata", "metadata", "response_metadata", "id", "object", "created", "finish_reason"),
    *("stop_reason", "stopReason", "metrics", "ResponseMetadata", "done"),
}
_OF_AN_ERROR = {"error", "message", "status", "status_code", "code", "type", "detail", "details", "traceback"}
_CHOICES = ("choices", "candidates", "generations")  # keys of the replies of models
_TEXTS = ("message", "content", "text")  # keys of a choice
_HISTORY = ("chat_history", "history", "messages", "conversation")


class Around(Row):
    """A trace whose steps, which were in it, were yielded before."""


def traces_in(file_reader: FileReader, problems: Problems, lists: Collection[str]) -> Iterator[tuple[str, Row]]:
    """Yield location and row of each trace: of a table, of JSON Lines, of a list, or of objects on any number of lines.
    Of an object that has a list of objects under one of the keys `lists` the elements of this list are yielded, and
    then the object as `Around`, if it is a trace itself and no page of an API. `data` of a trace is any value."""
    if is_binary(file_reader) or not file_reader.beginning().startswith(b"{"):
        yield from ((row.location, row) for row in read_rows(file_reader, problems, format=None, needed=()))
        return
    text = JsonText(file_reader, nan_as_null=True)
    while text.next_character():
        location, around, is_list = text.location, dict[str, Any](), False
        for _location, key in text.members():
            is_of_trace = key == "data" and around.keys() & {"input", "output"}
            if key in lists and not is_of_trace and text.first_of_element() in ("{", "]"):
                is_list = True
                yield from ((place, Row(place, element)) for place, element in text.inner_elements())
            else:
                around[key] = text.any_value()
        if not is_list:
            yield location, Row(location, around)
        elif around.keys() & {"trace", "input", "output"}:
            yield location, Around(location, around)


def question_in(value: Any) -> str:
    """Return the text that was asked; a value that is not understood as JSON. Raise BadRecord."""
    value = _unpacked(value)
    if _is_nothing(value):
        return ""
    if isinstance(value, Mapping):
        inner = _question_of(value)
        return _as_json(value) if inner is None else question_in(inner)
    if isinstance(value, Sequence) and not isinstance(value, str):
        if len(value) == 1 and isinstance(value[0], str | list | tuple):
            return question_in(value[0])
        if messages := _messages(value):
            return transcript(messages)
        return text_of_content(value) if _are_parts(value) else _as_json(value)
    return value if isinstance(value, str) else _as_json(value)


def _question_of(value: Mapping[str, Any]) -> Any:
    """Return the part of an object that was asked; None if it is not understood."""
    messages = value.get("messages")
    if isinstance(messages, Sequence) and not isinstance(messages, str) and messages:
        if system := value.get("system") or value.get("instructions"):
            rest = messages[0] if len(messages) == 1 and isinstance(messages[0], list) else messages
            return [{"role": "system", "content": system}, *rest]
        return messages
    if "contents" in value:  # Gemini's request
        return value["contents"]
    if _is_message(plain := plain_message(value)):
        return text_of_content(plain["content"])
    if value.keys() == {"args", "kwargs"}:  # the arguments of a traced function
        return value["kwargs"] or value["args"]
    if value.get("instructions") and isinstance(inner := value.get("input"), str | list):
        turns = [{"role": "user", "content": inner}] if isinstance(inner, str) else inner
        return [{"role": "system", "content": value["instructions"]}, *turns]
    for name in ("question", "query"):
        if isinstance(value.get(name), str) and value[name] and not any(value.get(key) for key in _HISTORY):
            return value[name]
    return _only(value, _QUESTIONS, _BESIDE_A_QUESTION)


def answers_in(value: Any) -> list[str]:
    """Return the texts that were answered, several for several choices, which may be empty; a value that is not
    understood as JSON. Raise BadRecord."""
    return list(_answers(_unpacked(value)))


def _answers(value: Any) -> Iterable[str]:
    if _is_nothing(value):
        return []
    if isinstance(value, Mapping):
        return _answers_of_object(value)
    if isinstance(value, Sequence) and not isinstance(value, str):
        if messages := _messages(value):
            return _answers_of_messages(messages)
        if _are_parts(value):
            return [text_of_content(value)]
        if _are_items(value):
            return [_text_of_items(value)]
        if len(value) == 1:
            return _answers(value[0])
        return [] if calls_a_tool(value) else [_as_json(value)]
    return [value if isinstance(value, str) else _as_json(value)]


def _answers_of_object(value: Mapping[str, Any]) -> Iterable[str]:
    if choices := _choices(value):
        contents = [next((choice[key] for key in _TEXTS if choice.get(key)), "") for choice in choices]
        plain = (plain_message(each).get("content") if isinstance(each, Mapping) else each for each in contents)
        return [text_of_content(content) for content in plain]
    if isinstance(value.get("output"), list) and _are_items(value["output"]):
        return [_text_of_items(value["output"])]
    if isinstance(value.get("output_text"), str):
        return [value["output_text"]]
    if _is_message(plain_message(value)):
        return _answers_of_messages([value])
    if isinstance(messages := value.get("messages"), Sequence) and _messages(messages):
        return _answers(messages)
    answers = _only(value, _ANSWERS, _BESIDE_AN_ANSWER)
    if answers is not None:
        return _answers(answers)
    has_no_choice = any(value.get(key) == [] for key in _CHOICES) and not any(value.get(key) for key in _ANSWERS)
    is_empty = has_no_choice or all(map(_is_nothing, value.values()))
    return [] if is_empty or _is_error(value) or calls_a_tool(value) else [_as_json(value)]


def _is_error(value: Any) -> bool:
    """Return whether the object has an error, and nothing else than what describes it."""
    if not isinstance(value, Mapping) or not isinstance(value.get("error"), str | Mapping) or not value["error"]:
        return False
    return all(_is_nothing(inner) for key, inner in value.items() if key not in _OF_AN_ERROR | _BESIDE_AN_ANSWER)


def _choices(value: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the choices of a model's reply; none of another object."""
    listed: list[Any] = next((value[key] for key in _CHOICES if isinstance(value.get(key), list)), [])
    choices = [inner for each in listed for inner in (each if isinstance(each, list) else [each])]
    are_choices = all(isinstance(each, Mapping) and any(key in each for key in _TEXTS) for each in choices)
    return choices if are_choices else []


def _answers_of_messages(messages: Sequence[Mapping[str, Any]]) -> Iterable[str]:
    """Return the text of each choice where all messages are the model's, else that of the last one if it is."""
    turns = [turn_of(message) for message in messages]
    if all(speaker == ASSISTANT for speaker, _text in turns):
        return [text for _speaker, text in turns]
    return [turns[-1][1]] if turns[-1][0] == ASSISTANT else []


def why_no_answer(value: Any, *, failed: bool = False) -> str:
    """Return the reason for which an output without a text has no response."""
    value = _unpacked(value)
    if failed or _is_error(value):
        return FAILED
    if calls_a_tool(value):
        return TOOL_CALL
    messages = _messages(value if isinstance(value, list | tuple) else [value])
    return OTHER_SPEAKER if messages and turn_of(messages[-1])[0] != ASSISTANT else NO_RESPONSE


def decoded(text: Any) -> Any:
    """Return the value that a cell of a table has as JSON; the cell itself if it is a text."""
    if isinstance(text, str) and text.lstrip().startswith(("{", "[")):
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            pass
    return text


def _unpacked(value: Any) -> Any:
    """Return the messages or the reply of a model that a text is as JSON, None for an empty object; another text, also
    as JSON, is itself."""
    inner = decoded(value)
    if _is_nothing(inner):
        return None
    if isinstance(inner, Mapping):
        messages = inner.get("messages")
        is_message = _is_message(plain_message(inner)) or (isinstance(messages, list) and bool(_messages(messages)))
        is_known = is_message or bool(_choices(inner)) or inner.get("object") == "response"
    else:
        is_known = isinstance(inner, list) and bool(_messages(inner))
    return inner if is_known else value


def _messages(values: Sequence[Any]) -> list[dict[str, Any]]:
    """Return the values as messages; none if one of them is no message. Lists of one conversation are unpacked."""
    if len(values) == 1 and isinstance(values[0], list):
        values = values[0]
    messages = [plain_message(value) for value in values if isinstance(value, Mapping)]
    return messages if len(messages) == len(values) and all(map(_is_message, messages)) else []


def _is_message(plain: Mapping[str, Any]) -> bool:
    return str(plain.get("role")) in ROLES and (isinstance(plain.get("content"), str | list) or calls_a_tool(plain))


def _are_parts(values: Sequence[Any]) -> bool:
    """Return whether these are the parts of a message's content."""
    are_typed = all(isinstance(value, Mapping) and ("type" in value or value.keys() == {"text"}) for value in values)
    return are_typed and any("text" in value for value in values)


def _are_items(values: Sequence[Any]) -> bool:
    """Return whether these are the items of a reply of /v1/responses."""
    types = [str(value.get("type", "")) if isinstance(value, Mapping) else "" for value in values]
    return all(types) and not {"message", "reasoning", "function_call"}.isdisjoint(types)


def _text_of_items(items: Sequence[Mapping[str, Any]]) -> str:
    texts = (item for item in items if item["type"] == "message" and item.get("role") in (None, "assistant"))
    return "\n".join(text_of_content(item.get("content")) for item in texts)


def _only(value: Mapping[str, Any], names: Sequence[str], beside: Collection[str]) -> Any:
    """Return the value under the first of `names`, if nothing would be lost: the object has no other key with a value
    than those in `beside`. None otherwise."""
    filled = [key for key, inner in value.items() if not _is_nothing(inner)]
    name = next((name for name in names if name in filled), None)
    return None if name is None or set(filled) - {name} - set(beside) else value[name]


def _is_nothing(value: Any) -> bool:
    return value is None or value == "" or (isinstance(value, Mapping | list | tuple) and not value)


def _as_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
