"""Samples of lm-evaluation-harness: generations, repetitions, filters, and the names of model and task."""

import json

import pytest

from annotation.importing import SourceFile, load_dataset
from annotation.models import Prompt, Response
from tests.importing.files import FIXTURES, refusal_of

FORMAT, NAME = "lm-eval", "samples_a.jsonl"
FOLDER = FIXTURES / "lm-eval" / "example__lapwing-7b"
[SAMPLES] = FOLDER.glob("samples_*.jsonl")
pytestmark = pytest.mark.django_db


def row(**changes) -> dict:
    return {**json.loads(SAMPLES.read_text(encoding="utf-8").splitlines()[0]), **changes}


def test_generations_are_responses_of_the_folders_model():
    counts = load_dataset("lm-eval", [SourceFile.named_as_given(SAMPLES)], "birds").as_json()
    assert (counts["prompts"], counts["responses"], counts["left_out"]) == (3, 4, {"identical row": 1})
    first, second, third = Prompt.objects.order_by("key")
    assert (first.key, first.reference, first.metadata) == ("bird_qa/0", "4", {"task": "bird_qa"})
    assert first.text == "Question: How many eggs does a lapwing lay?\nAnswer:"
    assert sorted(second.responses.values_list("text", flat=True)) == [" Kiwis cannot fly.", " Yes, at night."]
    assert third.text == "Do owls swim?"
    assert set(Response.objects.values_list("system__name", flat=True)) == {"example/lapwing-7b"}


def test_a_file_outside_such_a_folder_needs_the_models_name(log):
    [problem] = set(refusal_of(log.load, [row()]))
    assert "the file does not name the model; name it in System (in a command: --system NAME)" in problem
    log.load([row()], system="lapwing")
    assert set(Response.objects.values_list("system__name", "prompt__key")) == {("lapwing", "a/0")}


def test_older_arguments_are_read_and_likelihoods_are_left_out(log):
    old = row(doc_id=5, arguments=[["Older question", {"until": []}]], resps=[["An answer."]], exact_match=float("nan"))
    choice = row(doc_id=6, arguments=[["Q", " yes"], ["Q", " no"]], resps=[[[-3.5, "False"]], [[-1.2, "True"]]])
    assert log.load([old, choice], system="m").excluded.counts["sample without generated text"] == 1
    assert Response.objects.get().prompt.text == "Older question"


def test_invalid_lines_and_a_document_that_occurs_again_with_other_answers_are_named(log):
    for change, problem in (
        ({"doc_id": None}, "'doc_id' must be a number or a text, but is null"),
        ({"doc_id": 1, "arguments": {}}, "'arguments' has no text that the model was asked"),
        ({"doc_id": 1, "resps": "text"}, "'resps' of the line must be a list, but is a text"),
        ({"resps": [["Five eggs."]]}, "document '0' occurs a second time with other requests or answers"),
    ):
        assert log.problem([row(), row(**change)], system="m").startswith(f"samples_a.jsonl:2: {problem}")


TEXT = {"gen_args_0": {"arg_0": "Lapwings nest."}}
YES, NO = {"arg_0": "Q", "arg_1": " yes"}, {"arg_0": "Q", "arg_1": " no"}
REQUESTS = [
    (TEXT, "-41.25", None),
    (TEXT, "-1e-05", None),
    (TEXT, -33.5, None),
    ([["Lapwings nest."]], "(-33.5,)", None),
    ({"gen_args_0": YES}, "-1.5", None),
    ({"gen_args_0": YES, "gen_args_1": NO}, None, None),
    ({"gen_args_0": {"arg_0": "Q", "arg_1": {"until": []}}}, "-41.25", "-41.25"),
    ({"gen_args_0": {"arg_0": "Q"}}, "42", "42"),
    ({"gen_args_0": {"arg_0": "Q", "arg_1": {}, "arg_2": {"visual": []}}}, "Four.", "Four."),
]


def test_only_generated_texts_are_responses(log):
    for n, (arguments, reply, text) in enumerate(REQUESTS):
        replies = [] if reply is None else [reply, "True"] if reply == "-1.5" else [reply]
        counts = log.load([row(), row(doc_id=5, arguments=arguments, resps=[replies])], f"birds-{n}", system="m")
        assert counts.excluded.counts["sample without generated text"] == (text is None), arguments
        found = Response.objects.filter(dataset__slug=f"birds-{n}", prompt__key="a/5").values_list("text", flat=True)
        assert list(found) == ([text] if text else []), arguments


def test_each_request_of_a_document_is_a_prompt_and_empty_repetitions_are_counted(log):
    arguments = {f"gen_args_{n}": {"arg_0": f"Question {n}", "arg_1": {"until": []}} for n in range(2)}
    counts = log.load([row(arguments=arguments, resps=[["One.", ""], ["Two."]])], system="m").as_json()
    assert dict(Response.objects.values_list("prompt__key", "text")) == {"a/0": "One.", "a/0/1": "Two."}
    assert counts["left_out"] == {"response without text": 1}
