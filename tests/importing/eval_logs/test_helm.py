"""HELM's scenario_state.json: instances, completions, options and references."""

import copy
import json

import pytest

from annotation.models import Prompt, Response
from tests.importing.files import FIXTURES

FORMAT = "helm"
RUN = FIXTURES / "helm" / "scenario_state.json"
pytestmark = pytest.mark.django_db


@pytest.fixture
def run() -> dict:
    return json.loads(RUN.read_text(encoding="utf-8"))


def test_an_instance_is_a_prompt_and_a_completion_a_response(log):
    counts = log.load(RUN).as_json()
    assert (counts["prompts"], counts["responses"], counts["left_out"]) == (3, 2, {"response without text": 1})
    first, second, _third = Prompt.objects.order_by("key")
    assert (first.key, first.reference, first.metadata) == ("id101", "worms and snails", {"split": "test"})
    assert first.text == "What do dunlins eat in winter?"
    assert second.text == "Which of these is a wader?\n\nA. dunlin\nB. robin"
    response = Response.objects.get(prompt=first)
    assert response.text == " Dunlins eat worms and snails. They feed at low tide."
    assert response.system.name == "example/dunlin-2"
    assert response.metadata == {"train_trial": 0, "completion": 0}


def test_likelihood_requests_are_left_out_and_perturbed_instances_are_prompts(log, run):
    first, second, _ = run["request_states"]
    second["reference_index"] = 1
    perturbed = copy.deepcopy(first)
    perturbed["instance"] |= {"perturbation": {"name": "typos"}, "input": {"text": "Waht do?"}}
    counts = log.load(run | {"request_states": [first, second, perturbed]})
    assert counts.excluded.counts["sample without generated text"] == 1
    assert Prompt.objects.get(key="id101/typos").metadata == {"split": "test", "perturbation": "typos"}


def test_other_content_is_refused_with_its_place(log, run):
    del run["request_states"][1]["instance"]["id"]
    assert "'instance' of the request has no 'id'" in log.problem(run)
    del run["request_states"][1]["instance"]
    assert "'instance' of the request must be an object" in log.problem(run)
    del run["request_states"]
    assert log.problem(run).startswith("log.json: there are no 'request_states'")
