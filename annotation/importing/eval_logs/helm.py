"""HELM: `scenario_state.json` of one run, an object with the adapter's settings and a list of requests.

A request is an instance of the scenario with the completions of the run's model.
"""

from collections.abc import Iterator
from functools import partial
from typing import Any

from ..exchanges import Exchange
from ..input_files import FileReader
from ..json_fields import Fields
from ..json_stream import JsonText
from ..problems import Problems, read_each
from ..records import LeftOut
from .lm_eval import NOT_GENERATED

CORRECT = "correct"  # tag of a reference


def read_helm(file_reader: FileReader, problems: Problems) -> Iterator[Exchange | LeftOut]:
    """Yield the completions of one run. Invalid requests go to `problems`. Raise Refused for another file."""
    text, model, has_requests = JsonText(file_reader, nan_as_null=True), "", False
    if text.next_character() != "{":
        text.refuse("this is not a scenario_state.json, which is one object with 'request_states'")
    for _location, key in text.members():
        if key == "adapter_spec":
            spec = text.any_value()
            model = (spec.get("model") or spec.get("model_deployment") or "") if isinstance(spec, dict) else ""
        elif key == "request_states" and text.next_character() == "[":
            has_requests = True
            yield from read_each(text.inner_elements(), problems, partial(_exchanges, str(model)))
        else:
            text.skip()
    if not has_requests:
        raise file_reader.refused("there are no 'request_states' in the file; choose scenario_state.json of a run")


def _exchanges(model: str, location: str, value: Any) -> Iterator[Exchange | LeftOut]:
    state = Fields(value, "the request")
    instance = Fields(state.value.get("instance"), "'instance' of the request")
    request = Fields(state.get("request", dict, {}), "'request' of the request")
    if state.value.get("reference_index") is not None or request.value.get("max_tokens") == 0:
        yield LeftOut(location, NOT_GENERATED)
        return
    key = instance.id("id")
    perturbation = instance.get("perturbation", dict, {}).get("name")
    result = Fields(state.get("result", dict, {}), "'result' of the request")
    texts = [completion.text("text") for completion in result.objects("completions", "completion")]
    for number, text in enumerate(texts or [""]):
        references = instance.objects("references", "reference")
        correct = [reference for reference in references if CORRECT in reference.get("tags", list, [])]
        question = Fields(instance.get("input", dict, {}), "'input' of the instance").text("text")
        options = [f"{letter}. {option}" for letter, option in state.get("output_mapping", dict, {}).items()]
        yield Exchange(
            location=location,
            prompt=("\n\n".join(filter(None, [question.strip("\n"), "\n".join(options)])) or request.text("prompt")),
            response=text,
            prompt_id=f"{key}/{perturbation}" if perturbation else key,
            system=model or request.text("model"),
            reference="\n".join(
                Fields(reference.value.get("output"), "'output' of a reference").text("text") for reference in correct
            ),
            metadata={"split": instance.text("split"), "perturbation": perturbation},
            response_metadata={"train_trial": state.get("train_trial_index", int, 0), "completion": number},
        )
