"""Spans of Phoenix, as columns and as nested objects."""

import json

import pytest

from annotation.importing import SourceFile, load_dataset
from annotation.models import Response
from tests.importing.files import FIXTURES, lines, refusal_of

SPANS = FIXTURES / "phoenix" / "spans.jsonl"
pytestmark = pytest.mark.django_db


def test_calls_of_models_are_responses():
    counts = load_dataset("phoenix", [SPANS], "birds").as_json()
    assert counts["left_out"] == {"trace of another step": 1}
    response = Response.objects.get()
    assert (response.key, response.text) == ("s2", "A knot is a wader. It flies far.")
    assert (response.prompt.text, response.system.name) == ("What is a knot?", "plover-1")
    assert response.metadata == {"phoenix": {"trace_id": "t1", "name": "call"}}


def test_nested_attributes_are_read_too(tmp_path):
    span = json.loads(SPANS.read_text(encoding="utf-8").splitlines()[1])
    nested = {"name": "call", "span_kind": "LLM", "context": {"span_id": "s9", "trace_id": "t9"}}
    llm = {"model_name": "plover-1"}
    nested["attributes"] = {"llm": llm, "input": {"value": "What is a ruff?"}, "output": {"value": "A wader."}}
    load_dataset("phoenix", [lines(tmp_path / "spans.jsonl", [nested, span])], "birds")
    assert Response.objects.get(key="s9").prompt.text == "What is a ruff?"


def test_other_rows_are_refused(tmp_path):
    path = lines(tmp_path / "rows.jsonl", [{"input": "a"}])
    assert refusal_of(load_dataset, "phoenix", [SourceFile(path)], "birds") == [
        "rows.jsonl:1: the row has no 'span_kind'; export spans from Phoenix"
    ]
