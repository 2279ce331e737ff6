"""Samples of lm-evaluation-harness: generations, repetitions, filters, and the names of model and task."""

import json
import shutil

import pytest

from annotation.importing import SourceFile, load_dataset
from annotation.models import Prompt, Response
from tests.importing.files import FIXTURES, lines, refusal_of

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
    texts = Response.objects.filter(prompt=second).values_list("text", flat=True)
    assert sorted(texts) == [" Kiwis cannot fly.", " Yes, at night."]
    assert third.text == "Do owls swim?"
    assert set(Response.objects.values_list("system__name", flat=True)) == {"example/lapwing-7b"}


def test_a_file_outside_such_a_folder_needs_the_models_name(tmp_path):
    path = shutil.copy(SAMPLES, tmp_path / "samples_birds.jsonl")
    problems = refusal_of(load_dataset, "lm-eval", [SourceFile(path)], "birds")
    assert "the file does not name the model; name it in System (in a command: --system NAME)" in problems[0]
    load_dataset("lm-eval", [SourceFile(path)], "birds", system="lapwing")
    assert set(Response.objects.values_list("system__name", flat=True)) == {"lapwing"}
    assert Prompt.objects.filter(key="birds/0").exists()


def test_older_arguments_are_read_and_likelihoods_are_left_out(tmp_path):
    old = row(doc_id=5, arguments=[["Older question", {"until": []}]], resps=[["An answer."]], exact_match=float("nan"))
    choice = row(doc_id=6, arguments=[["Q", " yes"], ["Q", " no"]], resps=[[[-3.5, "False"]], [[-1.2, "True"]]])
    counts = load_dataset("lm-eval", [lines(tmp_path / "samples_a.jsonl", [old, choice])], "birds", system="m")
    assert counts.left_out["sample without generated text"] == 1
    assert Response.objects.get().prompt.text == "Older question"


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"doc_id": None}, "'doc_id' must be a number or a text, but is null"),
        ({"arguments": {}}, "'arguments' has no text that the model was asked"),
        ({"resps": "text"}, "'resps' of the line must be a list, but is a text"),
    ],
)
def test_invalid_lines_are_named(tmp_path, change, problem):
    path = lines(tmp_path / "samples_a.jsonl", [row(), row(**({"doc_id": 1} | change))])
    [line] = refusal_of(load_dataset, "lm-eval", [SourceFile(path)], "birds", system="m")
    assert line.startswith(f"samples_a.jsonl:2: {problem}")


@pytest.mark.parametrize(
    ("arguments", "resps", "text"),
    [
        ({"gen_args_0": {"arg_0": "Lapwings nest."}}, [["-41.25"]], None),
        ({"gen_args_0": {"arg_0": "Lapwings nest."}}, [["-1e-05"]], None),
        ({"gen_args_0": {"arg_0": "Lapwings nest."}}, [[-33.5]], None),
        ([["Lapwings nest."]], [["(-33.5,)"]], None),
        ({"gen_args_0": {"arg_0": "Q", "arg_1": " yes"}}, [["-1.5", "True"]], None),
        ({"gen_args_0": {"arg_0": "Q", "arg_1": " yes"}, "gen_args_1": {"arg_0": "Q", "arg_1": " no"}}, [[]], None),
        ({"gen_args_0": {"arg_0": "Q", "arg_1": {"until": []}}}, [["-41.25"]], "-41.25"),
        ({"gen_args_0": {"arg_0": "Q"}}, [["42"]], "42"),
        ({"gen_args_0": {"arg_0": "Q", "arg_1": {}, "arg_2": {"visual": []}}}, [["Four."]], "Four."),
    ],
)
def test_only_generated_texts_are_responses(tmp_path, arguments, resps, text):
    rows = [row(), row(doc_id=5, arguments=arguments, resps=resps)]
    counts = load_dataset("lm-eval", [lines(tmp_path / "samples_a.jsonl", rows)], "birds", system="m")
    assert counts.left_out["sample without generated text"] == (text is None)
    assert list(Response.objects.filter(prompt__key="a/5").values_list("text", flat=True)) == ([text] if text else [])


def test_each_request_of_a_document_is_a_prompt_and_empty_repetitions_are_counted(tmp_path):
    arguments = {f"gen_args_{n}": {"arg_0": f"Question {n}", "arg_1": {"until": []}} for n in range(2)}
    path = lines(tmp_path / "samples_a.jsonl", [row(arguments=arguments, resps=[["One.", ""], ["Two."]])])
    counts = load_dataset("lm-eval", [path], "birds", system="m").as_json()
    assert dict(Response.objects.values_list("prompt__key", "text")) == {"a/0": "One.", "a/0/1": "Two."}
    assert counts["left_out"] == {"response without text": 1}


def test_a_document_that_occurs_again_with_other_answers_is_refused(tmp_path):
    path = lines(tmp_path / "samples_a.jsonl", [row(), row(resps=[["Five eggs."]])])
    [line] = refusal_of(load_dataset, "lm-eval", [SourceFile(path)], "birds", system="m")
    assert line.startswith("samples_a.jsonl:2: document '0' occurs a second time with other requests or answers")
