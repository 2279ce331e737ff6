"""Logs of any shape: what a reader does not understand is a message, never another error."""

import json
from contextlib import suppress

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotation.importing.exchanges import read_exchanges
from annotation.importing.formats import FORMATS
from annotation.importing.input_files import FileReader, source_file
from annotation.importing.problems import Problems
from annotation.jobs import Refused

NAMES = [
    "input", "output", "role", "type", "content", "text", "messages", "message", "choices", "candidates", "parts",
    "key", "value", "attributes", "span_kind", "context", "llm", "llm.output_messages.0.message.content", "0", "data",
    "observations", "trace", "error", "level", "id", "custom_id", "response", "body", "result", "instance", "samples",
    "eval", "request_states", "name", "arguments", "kwargs", "metadata", "tool_calls", "doc", "resps",
    "output_messages",
]  # fmt: skip
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-2, 2)
    | st.floats(0, 1)
    | st.sampled_from(["", "LLM", "user", "ai", "[1", "a"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(NAMES), inner, max_size=4)
        | st.fixed_dictionaries({"key": inner, "value": inner})
        | st.fixed_dictionaries({"role": st.sampled_from(["user", "assistant", "tool"]), "content": inner})
    ),
    max_leaves=12,
)
ROWS = st.dictionaries(st.sampled_from(NAMES), VALUES, max_size=6) | st.fixed_dictionaries(
    {"span_kind": st.just("LLM"), "attributes": VALUES, "input": VALUES, "output": VALUES, "id": VALUES}
)


@pytest.mark.parametrize("name", [format.name for format in FORMATS.values() if format.exchanges])
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=100, deadline=None)
@given(rows=st.lists(ROWS, min_size=1, max_size=2), is_list=st.booleans())
def test_any_value_is_read_or_refused(tmp_path, name, rows, is_list):
    path = tmp_path / "log.json"
    path.write_text(json.dumps(rows) if is_list else "\n".join(map(json.dumps, rows)), encoding="utf-8")
    reader = FORMATS[name].exchanges
    assert reader
    with suppress(Refused), Problems() as problems:
        list(read_exchanges(reader, FileReader(source_file(path)), problems, "m"))
