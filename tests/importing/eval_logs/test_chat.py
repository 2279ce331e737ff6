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


def test_a_batch_output_is_joined_to_its_input_by_custom_id():
    load_dataset("chat", [HERE / "batch_input.jsonl"], "batch")
    counts = load_responses(HERE / "batch_output.jsonl", Dataset.objects.get(), format="chat")
    assert counts.left_out == {"response without text": 1}
    response = Response.objects.get()
    assert (response.prompt.key, response.prompt.text) == ("bird-1", "Where do storks nest?")
    assert response.system.name == "stork-mini-2026"


def test_a_batch_output_alone_is_refused_with_the_remedy():
    problems = refusal_of(load_dataset, "chat", [SourceFile(HERE / "batch_output.jsonl")], "batch")
    assert problems == [
        "batch_output.jsonl:2: there is an answer to 'bird-1', but not the question; import the questions as a data "
        "set, and then this file as responses (import_responses)"
    ]


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
