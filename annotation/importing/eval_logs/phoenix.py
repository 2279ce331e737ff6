"""Phoenix: spans as a table or as JSON, of its pages, its REST API or a data frame.

The attributes of OpenInference are columns (`attributes.llm.model_name`), nested objects, or names with dots and
numbers (`llm.output_messages.0.message.content`), also of a list of `key` and `value`.
"""

import ast
from collections.abc import Iterator, Mapping
from typing import Any

from ..exchanges import Exchange, exchanges_of
from ..input_files import FileReader
from ..json_fields import THE_ROW, Fields
from ..problems import BadRecord, Problems, read_each
from ..records import LeftOut
from ..tabular_files import Row
from .traces import NO_CALL, answers_in, decoded, question_in, traces_in, why_no_answer

CALL = "LLM"
_MAX_LITERAL = 1_000_000  # characters of a cell in Python's notation
_LISTS = ("data", "spans")


def read_phoenix(file_reader: FileReader, problems: Problems) -> Iterator[Exchange | LeftOut]:
    """Yield the calls of models in one file. Invalid rows go to `problems`; other spans are left out."""
    yield from read_each(traces_in(file_reader, problems, _LISTS), problems, _exchanges)


def _exchanges(location: str, row: Row) -> Iterator[Exchange | LeftOut]:
    span = _nested(Fields(row.values, THE_ROW).value)
    attributes = _nested(_list_or_object(_inner(span, "attributes")))
    if isinstance(attributes, list) and attributes:
        raise BadRecord("'attributes' must be an object, or a list of objects of which each has a text as its 'key'")
    kind = _inner(span, "span_kind") or _inner(attributes, "openinference", "span", "kind")
    if kind is None:
        raise BadRecord("the row has no 'span_kind'; export spans from Phoenix")
    prompt = _question(attributes)
    if str(kind).upper() != CALL or not prompt.strip():
        yield LeftOut(location, NO_CALL)
        return
    context = _list_or_object(_inner(span, "context"))
    trace_id, span_id = (_inner(context, key) or _inner(span, key) for key in ("trace_id", "span_id"))
    model = _inner(attributes, "llm", "model_name")
    texts, answered = _answers(attributes)
    exchange = Exchange(
        location=location,
        prompt=prompt,
        response_id=str(span_id or ""),
        system=model if isinstance(model, str) else "",
        response_metadata={"phoenix": {"trace_id": trace_id, "name": _inner(span, "name")}},
        why_empty=why_no_answer(answered, failed=_inner(span, "status_code") == "ERROR"),
    )
    yield from exchanges_of(exchange, texts)


def _question(attributes: Any) -> str:
    """Return the messages or the prompts of the call, or else its input."""
    for key in ("input_messages", "prompts"):
        if text := question_in(_texts_of(_list(attributes, key))):
            return text
    return question_in(_value(attributes, "input"))


def _answers(attributes: Any) -> tuple[list[str], Any]:
    """Return the texts of the messages or the choices of the call, or else of its output, and the value with them."""
    for key in ("output_messages", "choices"):
        if values := _texts_of(_list(attributes, key)):
            are_texts = all(isinstance(each, str) for each in values)
            return values if are_texts else answers_in(values), values
    output = _value(attributes, "output")
    return answers_in(output), output


def _list(attributes: Any, key: str) -> list[Any]:
    value = _nested(_list_or_object(_inner(attributes, "llm", key)))
    return [each for each in value if each] if isinstance(value, list) else []


def _texts_of(values: list[Any]) -> list[Any]:
    """Return the texts of completions' prompts and choices; messages as they are."""
    return [_inner(each, "prompt", "text") or _inner(each, "completion", "text") or each for each in values]


def _value(attributes: Any, key: str) -> Any:
    """Return the value of the input or output, which is JSON if its type says so."""
    value = _inner(attributes, key, "value")
    return decoded(value) if _inner(attributes, key, "mime_type") == "application/json" else value


def _list_or_object(value: Any) -> Any:
    """Return a list or an object, which a cell of a table may have as JSON or in Python's notation. Raise BadRecord."""
    value = decoded(value)
    if isinstance(value, str) and value.lstrip().startswith(("{", "[")) and len(value) <= _MAX_LITERAL:
        try:
            # NumPy writes no comma between the objects of a list; in quotes a line break is never a character.
            return ast.literal_eval(value.strip().replace("}\n {", "}, {"))
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            message = "the messages are neither JSON nor a list of Python; write the spans as Parquet or JSON Lines"
            raise BadRecord(message) from None
    return value


def _nested(value: Any) -> Any:
    """Return the value with objects in place of the dots in names, and lists in place of numbers in names; a list of
    `key` and `value`, as OpenTelemetry writes attributes, as an object."""
    if isinstance(value, list | tuple):
        objects = [each for each in value if isinstance(each, Mapping) and each.keys() == {"key", "value"}]
        if value and len(objects) == len(value) and all(isinstance(each["key"], str) for each in objects):
            return _nested({each["key"]: _plain_value(each["value"]) for each in value})
        return [_nested(each) for each in value]
    if not isinstance(value, Mapping):
        return value
    result: dict[str, Any] = {}
    for name, inner in value.items():
        *path, last = name.split(".")
        node = result
        for part in path:
            following = node.setdefault(part, {})
            node = following if isinstance(following, dict) else {}
        node[last] = {**node[last], **inner} if isinstance(node.get(last), dict) and isinstance(inner, dict) else inner
    return _with_lists(result)


def _with_lists(value: Any) -> Any:
    if isinstance(value, list):
        return [_nested(each) for each in value]
    if not isinstance(value, dict):
        return value
    if value and all(key.isdecimal() for key in value):
        return [_with_lists(value[key]) for key in sorted(value, key=int)]
    return {key: _nested(inner) if isinstance(inner, dict) else _with_lists(inner) for key, inner in value.items()}


def _plain_value(value: Any) -> Any:
    """Return the value of OpenTelemetry's object that names its type, such as {"stringValue": "text"}."""
    return next(iter(value.values()), None) if isinstance(value, Mapping) else value


def _inner(value: Any, *path: str) -> Any:
    for key in path:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value
