"""HELM's scenario_state.json: instances, completions, options and references."""

import json

import pytest

from annotation.importing import SourceFile, load_dataset
from annotation.models import Prompt, Response
from tests.importing.files import FIXTURES, refusal_of

RUN = FIXTURES / "helm" / "scenario_state.json"
pytestmark = pytest.mark.django_db


def run_with(path, change) -> SourceFile:
    value = json.loads(RUN.read_text(encoding="utf-8"))
    change(value)
    path.write_text(json.dumps(value), encoding="utf-8")
    return SourceFile(path)


def test_an_instance_is_a_prompt_and_a_completion_a_response():
    counts = load_dataset("helm", [RUN], "birds").as_json()
    assert (counts["prompts"], counts["responses"], counts["left_out"]) == (3, 2, {"response without text": 1})
    first, second, _third = Prompt.objects.order_by("key")
    assert (first.key, first.reference, first.metadata) == ("id101", "worms and snails", {"split": "test"})
    assert first.text == "What do dunlins eat in winter?"
    assert second.text == "Which of these is a wader?\n\nA. dunlin\nB. robin"
    response = Response.objects.get(prompt=first)
    assert response.text == " Dunlins eat worms and snails. They feed at low tide."
    assert response.system.name == "example/dunlin-2"
    assert response.metadata == {"train_trial": 0, "completion": 0}


def test_likelihood_requests_are_left_out_and_perturbed_instances_are_prompts(tmp_path):
    def change(value):
        first, second, _ = value["request_states"]
        second["reference_index"] = 1
        value["request_states"] = [first, second, json.loads(json.dumps(first))]
        value["request_states"][2]["instance"] |= {"perturbation": {"name": "typos"}, "input": {"text": "Waht do?"}}

    counts = load_dataset("helm", [run_with(tmp_path / "s.json", change)], "birds")
    assert counts.left_out["sample without generated text"] == 1
    assert Prompt.objects.get(key="id101/typos").metadata == {"split": "test", "perturbation": "typos"}


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda value: value.pop("request_states"), "s.json: there are no 'request_states'"),
        (lambda value: value["request_states"][1].pop("instance"), "'instance' of the request must be an object"),
        (lambda value: value["request_states"][1]["instance"].pop("id"), "'instance' of the request has no 'id'"),
    ],
)
def test_other_content_is_refused_with_its_place(tmp_path, change, problem):
    [line] = refusal_of(load_dataset, "helm", [run_with(tmp_path / "s.json", change)], "birds")
    assert problem in line and line.startswith("s.json")
