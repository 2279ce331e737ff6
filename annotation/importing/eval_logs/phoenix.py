"""Phoenix: spans as a table or as JSON, with the attributes of OpenInference as columns or as nested objects."""

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _

from ..exchanges import Exchange
from ..input_files import FileReader
from ..json_fields import THE_ROW, Fields
from ..problems import BadRecord, Problems
from ..records import LeftOut
from ..tabular_files import read_rows
from .langfuse import NO_CALL
from .traces import text_of_value

CALL = "LLM"


def read_phoenix(file_reader: FileReader, problems: Problems) -> Iterator[Exchange | LeftOut]:
    """Yield the calls of models in one file. Invalid rows go to `problems`; other spans are left out."""
    for row in read_rows(file_reader, problems, format=None, needed=()):
        try:
            yield _exchange(row.location, Fields(row.values, THE_ROW))
        except BadRecord as broken:
            problems.add(row.location, broken)


def _exchange(location: str, row: Fields) -> Exchange | LeftOut:
    kind = _at(row.value, "span_kind") or _at(row.value, "attributes.openinference.span.kind")
    if kind is None:
        raise BadRecord(_("the row has no 'span_kind'; export spans from Phoenix"))
    asked = _at(row.value, "attributes.llm.input_messages") or _at(row.value, "attributes.input.value")
    prompt = text_of_value(asked)
    if kind != CALL or not prompt.strip():
        return LeftOut(location, NO_CALL)
    answered = _at(row.value, "attributes.llm.output_messages") or _at(row.value, "attributes.output.value")
    model = _at(row.value, "attributes.llm.model_name")
    trace = _at(row.value, "context.trace_id")
    return Exchange(
        location=location,
        prompt=prompt,
        response=text_of_value(answered),
        response_id=str(_at(row.value, "context.span_id") or ""),
        system=model if isinstance(model, str) else "",
        response_metadata={"phoenix": {"trace_id": trace, "name": _at(row.value, "name")}},
    )


def _at(value: Mapping[str, Any], path: str) -> Any:
    """Return the value at a path such as `a.b.c`, whose parts are one key or nested ones; None without it."""
    if path in value:
        return value[path]
    parts = path.split(".")
    for n in range(len(parts) - 1, 0, -1):
        inner = value.get(".".join(parts[:n]))
        if isinstance(inner, Mapping) and (found := _at(inner, ".".join(parts[n:]))) is not None:
            return found
    return None
