"""Spans of Phoenix, as columns and as nested objects."""

import csv
import json

import pyarrow
import pyarrow.parquet
import pytest

from annotation.models import Response
from tests.importing.files import FIXTURES

FORMAT = "phoenix"
SPANS = FIXTURES / "phoenix" / "spans.jsonl"
KIND = {"key": "openinference.span.kind", "value": {"stringValue": "LLM"}}
pytestmark = pytest.mark.django_db


def test_calls_of_models_are_responses_and_nested_attributes_are_read_too(log):
    assert log.load(SPANS).as_json()["left_out"] == {"trace of another step": 1}
    response = Response.objects.get()
    assert (response.key, response.text) == ("s2", "A knot is a wader. It flies far.")
    assert (response.prompt.text, response.system.name) == ("What is a knot?", "plover-1")
    assert response.metadata == {"phoenix": {"trace_id": "t1", "name": "call"}}
    nested = {"name": "call", "span_kind": "LLM", "context": {"span_id": "s9", "trace_id": "t9"}}
    llm = {"model_name": "plover-1"}
    nested["attributes"] = {"llm": llm, "input": {"value": "What is a ruff?"}, "output": {"value": "A wader."}}
    log.load([nested, json.loads(SPANS.read_text(encoding="utf-8").splitlines()[1])])
    assert Response.objects.get(key="s9").prompt.text == "What is a ruff?"


def test_attributes_whose_key_is_no_text_and_other_rows_are_refused(log, tmp_path):
    for key in (5, None, [1], {"a": 1}, 1.5, True):
        attributes = [KIND, {"key": key, "value": {"stringValue": "x"}}]
        assert log.problem([{"name": "call", "span_kind": "LLM", "attributes": attributes}]) == (
            "log.json:1: 'attributes' must be an object, or a list of objects of which each has a text as its 'key'"
        )
    assert log.problem([{"input": "a"}]) == "log.json:1: the row has no 'span_kind'; export spans from Phoenix"
    path = tmp_path / "spans.csv"
    path.write_text("span_kind,attributes.llm.input_messages\nLLM,\"[{'a': array([1])}]\"\n", encoding="utf-8")
    problem = log.problem(path)
    assert problem.startswith("spans.csv:2:") and "write the spans as Parquet or JSON Lines" in problem


ANSWER = "Ruffs eat insects. They also eat seeds."
REPLY = {"id": "c", "model": "plover-1", "choices": [{"message": {"role": "assistant", "content": ANSWER}}]}


def flat(**more) -> dict:
    """Return attributes with dots and numbers in their names, as the REST API has them."""
    return {
        "llm.model_name": "plover-1",
        "llm.input_messages.0.message.role": "user",
        "llm.input_messages.0.message.content": "What do ruffs eat?",
        **more,
    }


def rest_span(attributes, **more) -> dict:
    """Return a span of the REST API."""
    about = {"id": "U3Bhbjox", "name": "call", "context": {"trace_id": "t7", "span_id": "s7"}, "span_kind": "LLM"}
    return {**about, "parent_id": None, "status_code": "OK", "attributes": attributes, "events": [], **more}


PARTS = "llm.output_messages.0.message.contents"
TEXT = {"llm.output_messages.0.message.role": "assistant", "llm.output_messages.0.message.content": ANSWER}
CONTENTS = {
    "llm.output_messages.0.message.role": "model",
    f"{PARTS}.0.message_content.type": "reasoning",
    f"{PARTS}.0.message_content.text": "The user asks about ruffs.",
    f"{PARTS}.1.message_content.type": "text",
    f"{PARTS}.1.message_content.text": ANSWER,
}
REPLIED = {"role": "assistant", "content": None, "contents": [{"message_content": {"type": "text", "text": ANSWER}}]}
NESTED = {
    "llm": {
        "model_name": "plover-1",
        "input_messages": [{"message": {"role": "user", "content": "What do ruffs eat?"}}],
        "output_messages": [{"message": REPLIED}],
    }
}
OTLP = [
    {"key": "openinference.span.kind", "value": {"stringValue": "LLM"}},
    *({"key": key, "value": {"stringValue": value}} for key, value in flat(**TEXT).items()),
]
OF_OUTPUT = {"output.value": json.dumps(REPLY), "output.mime_type": "application/json"}
OF_INPUT = {"input.value": json.dumps({"messages": [{"role": "user", "content": "What do ruffs eat?"}]})}


MODEL = {"llm.model_name": "plover-1"}
SHAPES = [
    flat(**TEXT),
    flat(**TEXT, **OF_INPUT, **OF_OUTPUT),
    flat(**CONTENTS),
    flat(**OF_OUTPUT),
    {**MODEL, **OF_INPUT, **OF_OUTPUT},
    {**MODEL, **OF_INPUT, "output.value": json.dumps(REPLY)},
    {**MODEL, "input.value": "What do ruffs eat?", "output.value": ANSWER},
    NESTED,
    json.dumps(NESTED),
    OTLP,
    {"llm": {"model_name": "plover-1", "prompts": ["What do ruffs eat?"]}, "output": {"value": ANSWER}},
    {**MODEL, "llm.prompts.0.prompt.text": "What do ruffs eat?", "llm.choices.0.completion.text": ANSWER},
]


@pytest.mark.parametrize("around", ["list", "data", "lines"])
def test_the_shapes_of_the_rest_api_have_the_same_text(log, around):
    for n, attributes in enumerate(SHAPES):
        span = rest_span(attributes)
        log.load(
            {"list": (span,), "data": {"data": [span], "next_cursor": None}, "lines": [span]}[around], f"birds-{n}"
        )
        response = Response.objects.get(dataset__slug=f"birds-{n}")
        assert (response.text, response.prompt.text) == (ANSWER, "What do ruffs eat?")
        assert (response.key, response.system.name) == ("s7", "plover-1")


def test_a_data_frame_is_read_from_csv_and_parquet(log, tmp_path):
    text = 'Ruffs eat insects.\nThey\'re "waders".'
    asked = [{"message.role": "user", "message.content": "What do ruffs eat?"}]
    answered = [{"message.role": "assistant", "message.content": text}]
    columns = {
        "name": ["call", "call"],
        "span_kind": ["LLM", "LLM"],
        "context.span_id": ["s1", "s2"],
        "attributes.llm.model_name": ["plover-1", "plover-1"],
        "attributes.llm.input_messages": [asked, [*asked, *asked]],
        "attributes.llm.output_messages": [answered, answered],
    }
    pyarrow.parquet.write_table(pyarrow.table(columns), tmp_path / "spans.parquet")
    # pandas writes an array of NumPy without commas
    columns["attributes.llm.input_messages"] = [str(asked), f"[{asked[0]!r}\n {asked[0]!r}]"]
    with open(tmp_path / "spans.csv", "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([columns, *zip(*columns.values(), strict=True)])
    for ending in ("parquet", "csv"):
        log.load(tmp_path / f"spans.{ending}", ending)
        responses = Response.objects.filter(dataset__slug=ending).order_by("key")
        assert [response.text for response in responses] == [text, text]
        assert responses[1].prompt.text == "User: What do ruffs eat?\n\nUser: What do ruffs eat?"


def test_calls_without_a_text_are_counted_under_their_reasons_and_choices_are_responses(log):
    called = {
        "llm.output_messages.0.message.role": "assistant",
        "llm.output_messages.0.message.tool_calls.0.tool_call.function.name": "look_up",
    }
    second = {"llm.output_messages.1.message.role": "assistant", "llm.output_messages.1.message.content": "Seeds."}
    spans = [
        rest_span(flat(**called)),
        rest_span(flat(**{"output.value": "{}"})),
        rest_span(flat(), status_code="ERROR"),
        rest_span(flat(**TEXT), span_kind="TOOL"),
        rest_span(flat(**TEXT, **second)),
    ]
    counts = log.load([span | {"context": {"span_id": f"s{n}"}} for n, span in enumerate(spans, 1)]).as_json()
    assert counts["left_out"] == {
        "tool call without text": 1, "response without text": 1, "request or sample with an error": 1,
        "trace of another step": 1,
    }  # fmt: skip
    assert dict(Response.objects.values_list("key", "text")) == {"s5": ANSWER, "s5-2": "Seeds."}
