"""Langfuse: traces or observations, exported from a table of its pages or to a storage, of its API, or downloaded from
the page of a trace, as JSON, JSON Lines or CSV.

A trace, or an observation that is a generation, is an exchange. Names are in camel case or with underscores.
"""

from collections.abc import Iterator
from typing import Any

from ..exchanges import Exchange, exchanges_of
from ..input_files import FileReader
from ..json_fields import THE_ROW, Fields
from ..problems import BadRecord, Problems, read_each
from ..records import LeftOut
from ..tabular_files import Row
from .traces import NO_CALL, Around, answers_in, decoded, question_in, traces_in, why_no_answer

GENERATION = "GENERATION"
WITH_CALLS = "trace with its calls"
_LISTS = ("data", "observations")


def read_langfuse(file_reader: FileReader, problems: Problems) -> Iterator[Exchange | LeftOut]:
    """Yield the traces of one file. Invalid rows go to `problems`; left out are observations other than generations,
    and a trace whose generations are in it."""
    calls = 0  # generations of the trace that is being read

    def read(location: str, row: Row) -> Iterator[Exchange | LeftOut]:
        nonlocal calls
        if isinstance(row, Around):
            trace = row.values.get("trace", row.values)
            yield from [LeftOut(location, WITH_CALLS)] if calls else _exchanges(location, Row(location, trace))
            calls = 0
            return
        for exchange in _exchanges(location, row):
            calls += isinstance(exchange, Exchange)
            yield exchange

    yield from read_each(traces_in(file_reader, problems, _LISTS), problems, read)


def _exchanges(location: str, row: Row) -> Iterator[Exchange | LeftOut]:
    fields = Fields(row.values, THE_ROW)
    kind = fields.value.get("type")
    if kind and kind != GENERATION:
        yield LeftOut(location, NO_CALL)
        return
    if "input" not in fields.value and "output" not in fields.value:
        raise BadRecord("the row has neither 'input' nor 'output'; export traces or observations from Langfuse")
    question, answered = (_value(row, key) for key in ("input", "output"))
    prompt = question_in(question)
    if not prompt.strip():
        yield LeftOut(location, NO_CALL)
        return
    names = ("name", "traceId", "trace_id", "sessionId", "session_id", "release", "version", "tags")
    about = {name: fields.value[name] for name in names if fields.value.get(name) not in (None, "", [], "[]")}
    model = next(filter(None, map(fields.value.get, ("model", "providedModelName", "provided_model_name"))), "")
    exchange = Exchange(
        location=location,
        prompt=prompt,
        response_id=fields.id("id", needed=False),
        system=model if isinstance(model, str) else "",
        response_metadata={"langfuse": about},
        why_empty=why_no_answer(answered, failed=fields.value.get("level") == "ERROR"),
    )
    yield from exchanges_of(exchange, answers_in(answered))


def _value(row: Row, key: str) -> Any:
    """Return an input or output. A table has JSON in its cells."""
    value = row.values.get(key)
    return decoded(value) if row.is_csv else value
