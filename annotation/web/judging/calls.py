"""A stored request of a judge with its answer, as pages show it."""

import json

from ...model_calls.reasoning import separated
from ...models import JudgeCall

CALLS_SHOWN = 10
TONES = {JudgeCall.State.ANSWERED: "good", JudgeCall.State.FAILED: "danger", JudgeCall.State.LOST: "warning"}


def call_context(call: JudgeCall) -> dict[str, object]:
    """Return what `judging/_calls.html` shows of a request. Calls of earlier states of 0.8.0-dev have the reasoning in
    the answer.
    """
    found = separated(call.answer)
    parameters = {key: value for key, value in call.request.items() if key != "messages"}
    return {
        "call": call,
        "tone": TONES.get(JudgeCall.State(call.state), ""),
        "messages": call.request["messages"],
        "answer": found.answer,
        "reasoning": call.reasoning or found.reasoning,
        "parameters": _indented(parameters),
        "answer_body": _indented(call.answer_body) if call.answer_body else "",
    }


def _indented(value: dict[str, object]) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2)
