"""A stored request of a judge with its answer, as pages show it."""

import json
from typing import Any

from ...models import JudgeCall

CALLS_SHOWN = 10
TONES = {JudgeCall.State.ANSWERED: "good", JudgeCall.State.FAILED: "danger", JudgeCall.State.LOST: "warning"}


def call_context(call: JudgeCall) -> dict[str, Any]:
    """Return what `judging/_calls.html` shows of a request."""
    parameters = {key: value for key, value in call.request.items() if key != "messages"}
    return {
        "call": call,
        "tone": TONES.get(JudgeCall.State(call.state), ""),
        "messages": call.request["messages"],
        "parameters": _indented(parameters),
        "answer_body": _indented(call.answer_body) if call.answer_body else "",
    }


def _indented(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2)
