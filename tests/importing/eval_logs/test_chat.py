"""Message lists, batch inputs and batch outputs."""

import pytest

from annotation.importing import load_responses
from annotation.models import Dataset, Prompt, Response
from tests.importing.files import FIXTURES, problem_of

FORMAT = "chat"
HERE = FIXTURES / "chat"
ASKED = {"role": "user", "content": "What do storks eat?"}
QUESTION = {"custom_id": "q1", "body": {"model": "m", "messages": [ASKED]}}
pytestmark = pytest.mark.django_db


def test_the_last_message_of_the_assistant_is_the_response(log):
    counts = log.load(HERE / "messages.jsonl").as_json()
    assert (counts["prompts"], counts["responses"], counts["left_out"]) == (3, 2, {"response without text": 1})
    assert Response.objects.get(prompt__text="What is a heron?").text == "A heron is a wading bird. It eats fish."
    assert Prompt.objects.get(text="What is a heron?").metadata == {"topic": "birds"}
    longer = Response.objects.get(text="The kittiwake.")
    assert longer.prompt.text == (
        "System: You know birds.\n\nUser: Name a gull.\n\nAssistant: The herring gull.\n\nUser: Another one?"
    )
    assert longer.system.name == "heron-chat"


def test_a_batch_output_is_joined_to_its_input_by_custom_id_and_alone_it_is_refused(log):
    assert log.problem(HERE / "batch_output.jsonl") == (
        "batch_output.jsonl:2: there is an answer to 'bird-1', but not the question; import the questions as a data "
        "set, and then this file as responses (import_responses)"
    )
    log.load(HERE / "batch_input.jsonl")
    counts = load_responses(HERE / "batch_output.jsonl", Dataset.objects.get(), format="chat")
    assert counts.excluded.counts == {"request or sample with an error": 1}
    response = Response.objects.get()
    assert (response.prompt.key, response.prompt.text) == ("bird-1", "Where do storks nest?")
    assert response.system.name == "stork-mini-2026"


def test_invalid_lines_and_messages_without_a_model_are_named(log):
    for row, problem in (
        ({"text": "no messages"}, "'messages' must be a list with at least one message"),
        ({"messages": [{"role": "wizard", "content": "x"}]}, "a message has the role 'wizard'; it must be one of"),
        ({"messages": ["x"]}, "a message must be an object, but is a text"),
        ({"messages": [{"role": "user", "content": 3}]}, "the content of a message must be a text or a list of parts"),
    ):
        assert log.problem([{"messages": [ASKED]}, row], system="m").startswith(f"log.json:2: {problem}")
    rows = [{"messages": [ASKED, {"role": "assistant", "content": "y"}]}]
    assert "does not name the model" in log.problem(rows)
    log.load(rows, system="mine")
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
TOOL, ERROR = "tool call without text", "request or sample with an error"
ANSWERS = [
    ({"choices": [choice("Frogs."), choice("Mice.")]}, ["Frogs.", "Mice."], ""),
    ({"choices": [choice("Frogs."), choice("Frogs.")]}, ["Frogs."], "repeated response"),
    ({"choices": [choice("Frogs."), choice(None)]}, ["Frogs."], "response without text"),
    ({"choices": [choice(None, tool_calls=[{"id": "c"}])]}, [], TOOL),
    ({"choices": [choice(None, refusal="I cannot say.")]}, ["I cannot say."], ""),
    ({"choices": [{"text": "Frogs.", "index": 0}]}, ["Frogs."], ""),
    ({"object": "response", "output": REASONED}, ["Frogs."], ""),
    ({"object": "response", "output": [{"type": "function_call"}]}, [], TOOL),
    ({"content": [{"type": "thinking", "thinking": "Hm."}, {"type": "text", "text": "Frogs."}]}, ["Frogs."], ""),
    ({"error": {"message": "overloaded"}}, [], ERROR),
]


def test_each_answer_of_a_batch_is_stored_or_counted(log):
    for n, (body, texts, reason) in enumerate(ANSWERS):
        log.load([QUESTION], f"batch-{n}")
        data = Dataset.objects.get(slug=f"batch-{n}")
        counts = load_responses(log.file(batch_of({"model": "m", **body})), data, format="chat", system="m")
        assert sorted(data.responses.values_list("text", flat=True)) == texts, body
        assert counts.excluded.counts == ({reason: 1} if reason else {}), body


def test_a_batch_of_anthropic_is_read_and_an_answer_of_another_service_refused_as_what_it_is(log):
    log.load([QUESTION])
    other = log.file(batch_of({"object": "list", "data": [{"embedding": [0.1]}]}))
    problem = problem_of(load_responses, other, Dataset.objects.get(), format="chat")
    assert problem.startswith("log.json:1: the body of the response has none of choices, content, output")
    message = {"model": "m", "role": "assistant", "content": [{"type": "text", "text": "Frogs."}]}
    rows = [
        {"custom_id": "q1", "result": {"type": "succeeded", "message": message}},
        {"custom_id": "q1", "result": {"type": "errored", "error": {"type": "invalid_request"}}},
    ]
    assert load_responses(log.file(rows), Dataset.objects.get(), format="chat").excluded.counts == {ERROR: 1}
    assert Response.objects.get().text == "Frogs."


def test_the_questions_of_other_batches_are_prompts(log):
    asked = ASKED["content"]
    for n, request in enumerate(
        (
            {"body": {"input": asked}},
            {"body": {"input": [{"role": "user", "content": [{"type": "input_text", "text": asked}]}]}},
            {"body": {"prompt": asked}},
            {"params": {"messages": [ASKED]}},
        )
    ):
        log.load([{"custom_id": f"q{n}", **request}])
        assert Prompt.objects.get(key=f"q{n}").text == asked
