"""Langfuse: traces or observations, exported from a table of its pages or to a storage, as JSON, JSON Lines or CSV.

A trace, or an observation that is a generation, is an exchange. Names are in camel case or with underscores.
"""

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from ..exchanges import Exchange
from ..input_files import FileReader
from ..json_fields import THE_ROW, Fields
from ..problems import BadRecord, Problems
from ..records import LeftOut
from ..tabular_files import read_rows
from .traces import text_of_value

NO_CALL = gettext_noop("trace of another step")
GENERATION = "GENERATION"


def read_langfuse(file_reader: FileReader, problems: Problems) -> Iterator[Exchange | LeftOut]:
    """Yield the traces of one file. Invalid rows go to `problems`; observations other than generations are left out."""
    for row in read_rows(file_reader, problems, format=None, needed=()):
        try:
            yield _exchange(row.location, Fields(row.values, THE_ROW))
        except BadRecord as broken:
            problems.add(row.location, broken)


def _exchange(location: str, row: Fields) -> Exchange | LeftOut:
    if "input" not in row.value and "output" not in row.value:
        raise BadRecord(_("the row has neither 'input' nor 'output'; export traces or observations from Langfuse"))
    kind = row.value.get("type")
    if kind and kind != GENERATION:
        return LeftOut(location, NO_CALL)
    prompt = text_of_value(row.value.get("input"))
    if not prompt.strip():
        return LeftOut(location, NO_CALL)
    names = ("name", "traceId", "trace_id", "sessionId", "session_id", "release", "version", "tags")
    about = {name: row.value[name] for name in names if row.value.get(name) not in (None, "", [], "[]")}
    return Exchange(
        location=location,
        prompt=prompt,
        response=text_of_value(row.value.get("output")),
        response_id=row.id("id", needed=False),
        system=_first(row, "model", "providedModelName", "provided_model_name"),
        response_metadata={"langfuse": about},
    )


def _first(row: Fields, *names: str) -> str:
    value: Any = next((row.value[name] for name in names if row.value.get(name)), "")
    return value if isinstance(value, str) else ""
