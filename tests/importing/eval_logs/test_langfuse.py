"""Traces and observations of Langfuse."""

import pytest

from annotation.models import Prompt, Response
from tests.importing.files import FIXTURES, refusal_of

FORMAT = "langfuse"
HERE = FIXTURES / "langfuse"
pytestmark = pytest.mark.django_db


def test_the_same_input_of_traces_is_one_prompt(log):
    counts = log.load(HERE / "traces.json", system="plover").as_json()
    assert (counts["prompts"], counts["responses"]) == (1, 2)
    assert counts["left_out"] == {"trace of another step": 1}
    assert Prompt.objects.get().text == "What is a stilt?"
    response = Response.objects.get(key="tr-1")
    assert (response.text, response.system.name) == ("A stilt is a wader. It has long legs.", "plover")
    assert response.metadata["langfuse"] == {"name": "bird-qa", "sessionId": "s1", "version": "2", "tags": ["birds"]}


def test_generations_name_their_model(log):
    assert log.load(HERE / "observations.csv").excluded.counts["trace of another step"] == 1
    response = Response.objects.get()
    assert (response.text, response.system.name) == ("A wader.", "plover-1")
    assert response.prompt.text == "System: Be brief.\n\nUser: What is a stilt?"


def test_other_rows_missing_models_and_files_without_a_call_are_refused(log):
    rows = [{"input": "a", "output": "b"}, {"question": "a"}]
    first, second, *_ = refusal_of(log.load, rows)
    assert first.startswith("log.json:1: the file does not name the model")
    assert second.startswith("log.json:2: the row has neither 'input' nor 'output'")
    assert log.problem([{"id": "s", "type": "SPAN", "input": "a", "output": "b"}]) == (
        "log.json: no record has a prompt, so nothing is stored; excluded: 1 × trace of another step (it is no call "
        "of a model with an input: log.json:1)"
    )


TERN = [{"role": "user", "content": "What do terns eat?"}]
AI = {"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", "AIMessage"]}

REASONS = {
    "": "response without text", "tool": "tool call without text", "other": "message that the model did not write",
    "error": "request or sample with an error",
}  # fmt: skip


OUTPUTS = [
    ('{"answer": "Fish.", "sure": true}', '{"answer": "Fish.", "sure": true}'),
    ('{"answer": "Fish."}', '{"answer": "Fish."}'),
    ('{"role": "guide", "text": "Fish."}', '{"role": "guide", "text": "Fish."}'),
    ('{"choices": ["fish", "eels"]}', '{"choices": ["fish", "eels"]}'),
    ({"answer": "Fish.", "explanation": "They dive."}, '{"answer": "Fish.", "explanation": "They dive."}'),
    ({"result": "Fish.", "source_documents": [{"page_content": "x"}]}, "Fish."),
    ({"question": "What?", "answer": "Fish.", "context": ["x"]}, "Fish."),
    ({"input": "What?", "output": "Fish.", "intermediate_steps": []}, "Fish."),
    ({"messages": [{"type": "human", "content": "x"}, {"type": "ai", "content": "Fish."}]}, "Fish."),
    ([{"type": "human", "data": {"content": "x"}}, {"type": "ai", "data": {"content": "Fish."}}], "Fish."),
    ({**AI, "kwargs": {"content": "Fish.", "type": "ai"}}, "Fish."),
    ({"generations": [[{"text": "Fish.", "message": {**AI, "kwargs": {"content": "Fish."}}}]]}, "Fish."),
    ([{"type": "thinking", "thinking": "Hm."}, {"type": "text", "text": "Fish."}], "Fish."),
    ({"role": "assistant", "content": [{"type": "reasoning", "text": "Hm."}, {"type": "text", "text": "F"}]}, "F"),
    ({"role": "model", "parts": [{"text": "Hm.", "thought": True}, {"text": "Fish."}]}, "Fish."),
    ({"candidates": [{"content": {"role": "model", "parts": [{"text": "Fish."}]}}]}, "Fish."),
    ({"output": {"message": {"role": "assistant", "content": [{"text": "Fish."}]}}, "usage": {"x": 1}}, "Fish."),
    ({"object": "response", "output": [{"type": "reasoning", "summary": []}]}, ""),
    ({"role": "assistant", "content": "", "tool_calls": [{"id": "c"}]}, "tool"),
    ([{"type": "tool_use", "name": "look_up", "input": {}}], "tool"),
    ({"role": "assistant", "content": "Fish.", "tool_calls": [{"id": "c"}]}, "Fish."),
    ({}, ""),
    ({"answer": None, "sources": []}, ""),
    ({"name": "look_up", "arguments": "{}"}, "tool"),
    ({"role": "tool", "content": "42 rows"}, "other"),
    ({"type": "tool", "content": "42 rows"}, "other"),
    ({"role": "user", "content": "What?"}, "other"),
    ([{"role": "assistant", "content": "Hm."}, {"role": "tool", "content": "42 rows"}], "other"),
    ({"error": "boom"}, "error"),
    ({"error": {"type": "overloaded"}, "status": 529}, "error"),
    ({"error": "4 cm", "length": 3}, '{"error": "4 cm", "length": 3}'),
    ({"choices": []}, ""),
    ({"candidates": [], "promptFeedback": {"blockReason": "SAFETY"}}, ""),
    ({"choices": [], "answer": "Fish.", "sure": True}, '{"choices": [], "answer": "Fish.", "sure": true}'),
]


def test_an_output_is_the_text_that_was_answered(log):
    for n, (output, expected) in enumerate(OUTPUTS):
        row = {"id": "o", "type": "GENERATION", "input": TERN, "output": output}
        counts = log.load([row], f"birds-{n}", system="m")
        texts = list(Response.objects.filter(dataset__slug=f"birds-{n}").values_list("text", flat=True))
        reason = REASONS.get(expected)
        assert texts == ([] if reason else [expected]), output
        assert counts.excluded.counts[reason or "response without text"] == bool(reason), output


QUESTION = TERN[0]["content"]
INPUTS = [
    ({"args": [QUESTION], "kwargs": {}}, QUESTION),
    ({"args": [], "kwargs": {"question": QUESTION}}, QUESTION),
    ({"messages": [[{"type": "human", "content": QUESTION}]]}, QUESTION),
    ({"messages": TERN, "temperature": 0.2, "tools": []}, QUESTION),
    ({"system": "Be brief.", "messages": TERN}, f"System: Be brief.\n\nUser: {QUESTION}"),
    ({"contents": [{"role": "user", "parts": [{"text": QUESTION}]}]}, QUESTION),
    ({"text": "Terns eat fish.", "task": "Sum up."}, '{"text": "Terns eat fish.", "task": "Sum up."}'),
    ('{"text": "Terns eat fish."}', '{"text": "Terns eat fish."}'),
]


def test_an_input_is_the_text_that_was_asked(log):
    for n, (asked, expected) in enumerate(INPUTS):
        log.load([{"id": "o", "input": asked, "output": "Fish."}], f"birds-{n}", system="m")
        assert Prompt.objects.get(dataset__slug=f"birds-{n}").text == expected


GENERATION = {"id": "g1", "type": "GENERATION", "model": "tern-1", "input": TERN, "output": "Fish and shrimps."}


def test_the_download_of_a_trace_has_its_generations_or_the_trace_itself(log):
    trace = {"id": "t1", "name": "qa", "input": QUESTION, "output": "Fish."}
    step = {"id": "p1", "type": "SPAN", "input": None, "output": None}
    counts = log.load({"trace": trace, "observations": [step, GENERATION]}, "with")
    assert counts.as_json()["left_out"] == {"trace of another step": 1, "trace with its calls": 1}
    assert Response.objects.get().text == "Fish and shrimps."
    log.load({"trace": trace, "observations": [step]}, "without", system="m")
    assert Response.objects.get(dataset__slug="without").text == "Fish."


def test_a_page_of_the_api_and_one_observation_on_several_lines_are_read(log):
    for n, content in enumerate(({"data": [GENERATION], "meta": {"page": 1}}, GENERATION)):
        log.load(content, f"d{n}")
    assert list(Response.objects.values_list("text", flat=True)) == ["Fish and shrimps."] * 2


def test_a_trace_may_have_lists_that_hold_no_traces(log):
    for n, (key, value) in enumerate(
        (("observations", ["o1", "o2"]), ("data", [1, 2]), ("data", [{"rows": 3}]), ("observations", []))
    ):
        counts = log.load([{"id": "t", "input": "What?", "output": "Fish.", key: value}], f"birds-{n}", system="m")
        assert counts.excluded.counts["trace with its calls"] == 0
        assert Response.objects.get(dataset__slug=f"birds-{n}").text == "Fish."
