"""Message lists, batch inputs and batch outputs."""

import pytest

from annotation.importing import SourceFile, load_dataset, load_responses
from annotation.models import Dataset, Prompt, Response
from tests.importing.files import FIXTURES, lines, refusal_of

HERE = FIXTURES / "chat"
pytestmark = pytest.mark.django_db


def test_the_last_message_of_the_assistant_is_the_response():
    counts = load_dataset("chat", [HERE / "messages.jsonl"], "birds").as_json()
    assert (counts["prompts"], counts["responses"], counts["left_out"]) == (3, 2, {"response without text": 1})
    assert Response.objects.get(prompt__text="What is a heron?").text == "A heron is a wading bird. It eats fish."
    assert Prompt.objects.get(text="What is a heron?").metadata == {"topic": "birds"}
    longer = Response.objects.get(text="The kittiwake.")
    assert longer.prompt.text == (
        "System: You know birds.\n\nUser: Name a gull.\n\nAssistant: The herring gull.\n\nUser: Another one?"
    )
    assert longer.system.name == "heron-chat"


def test_a_batch_output_is_joined_to_its_input_by_custom_id_and_alone_it_is_refused():
    problems = refusal_of(load_dataset, "chat", [SourceFile(HERE / "batch_output.jsonl")], "batch")
    assert problems == [
        "batch_output.jsonl:2: there is an answer to 'bird-1', but not the question; import the questions as a data "
        "set, and then this file as responses (import_responses)"
    ]
    load_dataset("chat", [HERE / "batch_input.jsonl"], "batch")
    counts = load_responses(HERE / "batch_output.jsonl", Dataset.objects.get(), format="chat")
    assert counts.left_out == {"request or sample with an error": 1}
    response = Response.objects.get()
    assert (response.prompt.key, response.prompt.text) == ("bird-1", "Where do storks nest?")
    assert response.system.name == "stork-mini-2026"


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ({"text": "no messages"}, "'messages' must be a list with at least one message"),
        ({"messages": [{"role": "wizard", "content": "x"}]}, "a message has the role 'wizard'; it must be one of"),
        ({"messages": ["x"]}, "a message must be an object, but is a text"),
        ({"messages": [{"role": "user", "content": 3}]}, "the content of a message must be a text or a list of parts"),
    ],
)
def test_invalid_lines_are_named(tmp_path, row, problem):
    path = lines(tmp_path / "chat.jsonl", [{"messages": [{"role": "user", "content": "x"}]}, row])
    [line] = refusal_of(load_dataset, "chat", [SourceFile(path)], "birds", system="m")
    assert line.startswith(f"chat.jsonl:2: {problem}")


def test_messages_without_a_model_need_the_systems_name(tmp_path):
    messages = [{"role": "user", "content": "x"}, {"role": "assistant", "content": "y"}]
    path = lines(tmp_path / "chat.jsonl", [{"messages": messages}])
    assert "does not name the model" in refusal_of(load_dataset, "chat", [path], "birds")[0]
    load_dataset("chat", [path], "birds", system="mine")
    assert Response.objects.get().system.name == "mine"


def batch_of(body: dict) -> list[dict]:
    """Return the output of a batch with this answer to one question."""
    return [{"id": "b", "custom_id": "q1", "response": {"status_code": 200, "body": body}}]


def choice(text: str | None, **more) -> dict:
    return {"message": {"role": "assistant", "content": text, **more}}


REASONED = [
    {"type": "reasoning", "summary": [{"type": "summary_text", "text": "Hm."}]},
    {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Frogs."}]},
]
QUESTION = {"custom_id": "q1", "body": {"model": "m", "messages": [{"role": "user", "content": "What do storks eat?"}]}}


@pytest.mark.parametrize(
    ("body", "texts", "left_out"),
    [
        ({"choices": [choice("Frogs."), choice("Mice.")]}, ["Frogs.", "Mice."], {}),
        ({"choices": [choice("Frogs."), choice("Frogs.")]}, ["Frogs."], {"repeated response": 1}),
        ({"choices": [choice("Frogs."), choice(None)]}, ["Frogs."], {"response without text": 1}),
        ({"choices": [choice(None, tool_calls=[{"id": "c"}])]}, [], {"tool call without text": 1}),
        ({"choices": [choice(None, refusal="I cannot say.")]}, ["I cannot say."], {}),
        ({"choices": [{"text": "Frogs.", "index": 0}]}, ["Frogs."], {}),
        ({"object": "response", "output": REASONED}, ["Frogs."], {}),
        ({"object": "response", "output": [{"type": "function_call"}]}, [], {"tool call without text": 1}),
        ({"content": [{"type": "thinking", "thinking": "Hm."}, {"type": "text", "text": "Frogs."}]}, ["Frogs."], {}),
        ({"error": {"message": "overloaded"}}, [], {"request or sample with an error": 1}),
    ],
)
def test_each_answer_of_a_batch_is_stored_or_counted(tmp_path, body, texts, left_out):
    load_dataset("chat", [lines(tmp_path / "input.jsonl", [QUESTION])], "batch")
    path = lines(tmp_path / "output.jsonl", batch_of({"model": "m", **body}))
    counts = load_responses(path, Dataset.objects.get(), format="chat", system="m")
    assert sorted(Response.objects.values_list("text", flat=True)) == texts
    assert counts.left_out == left_out


def test_a_batch_of_anthropic_is_read_and_an_answer_of_another_service_refused_as_what_it_is(tmp_path):
    load_dataset("chat", [lines(tmp_path / "input.jsonl", [QUESTION])], "batch")
    path = lines(tmp_path / "output.jsonl", batch_of({"object": "list", "data": [{"embedding": [0.1]}]}))
    [line] = refusal_of(load_responses, SourceFile(path), Dataset.objects.get(), format="chat")
    assert line.startswith("output.jsonl:1: the body of the response has none of choices, content, output")
    message = {"model": "m", "role": "assistant", "content": [{"type": "text", "text": "Frogs."}]}
    rows = [
        {"custom_id": "q1", "result": {"type": "succeeded", "message": message}},
        {"custom_id": "q1", "result": {"type": "errored", "error": {"type": "invalid_request"}}},
    ]
    counts = load_responses(lines(tmp_path / "output.jsonl", rows), Dataset.objects.get(), format="chat")
    assert Response.objects.get().text == "Frogs."
    assert counts.left_out == {"request or sample with an error": 1}


def test_the_questions_of_other_batches_are_prompts(tmp_path):
    asked = "What do storks eat?"
    for n, request in enumerate(
        (
            {"body": {"input": asked}},
            {"body": {"input": [{"role": "user", "content": [{"type": "input_text", "text": asked}]}]}},
            {"body": {"prompt": asked}},
            {"params": {"messages": [{"role": "user", "content": asked}]}},
        )
    ):
        load_dataset("chat", [lines(tmp_path / "input.jsonl", [{"custom_id": f"q{n}", **request}])], "batch")
        assert Prompt.objects.get(key=f"q{n}").text == asked
