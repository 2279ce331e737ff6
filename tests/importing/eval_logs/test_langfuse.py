"""Traces and observations of Langfuse."""

import pytest

from annotation.importing import SourceFile, load_dataset
from annotation.models import Prompt, Response
from tests.importing.files import FIXTURES, lines, refusal_of

HERE = FIXTURES / "langfuse"
pytestmark = pytest.mark.django_db


def test_the_same_input_of_traces_is_one_prompt():
    counts = load_dataset("langfuse", [HERE / "traces.json"], "birds", system="plover").as_json()
    assert (counts["prompts"], counts["responses"]) == (1, 2)
    assert counts["left_out"] == {"trace of another step": 1}
    assert Prompt.objects.get().text == "What is a stilt?"
    response = Response.objects.get(key="tr-1")
    assert (response.text, response.system.name) == ("A stilt is a wader. It has long legs.", "plover")
    assert response.metadata["langfuse"] == {"name": "bird-qa", "sessionId": "s1", "version": "2", "tags": ["birds"]}


def test_generations_name_their_model():
    counts = load_dataset("langfuse", [HERE / "observations.csv"], "birds").as_json()
    assert counts["left_out"] == {"trace of another step": 1}
    response = Response.objects.get()
    assert (response.text, response.system.name) == ("A wader.", "plover-1")
    assert response.prompt.text == "System: Be brief.\n\nUser: What is a stilt?"


def test_other_rows_and_missing_models_are_refused(tmp_path):
    path = lines(tmp_path / "rows.jsonl", [{"input": "a", "output": "b"}, {"question": "a"}])
    problems = refusal_of(load_dataset, "langfuse", [SourceFile(path)], "birds")
    assert problems[0].startswith("rows.jsonl:1: the file does not name the model")
    assert problems[1].startswith("rows.jsonl:2: the row has neither 'input' nor 'output'")
