"""Conversion between ExpertQA's labels of claims and answers and answers to the protocol `claim-attribution`.

The files' labels equal the labels of the protocol's options exactly. A null and an empty text are no answer.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any, TypedDict

from ..protocols import builtin
from .json_fields import Fields
from .problems import BadRecord, echo

PROTOCOL = "claim-attribution"
CLAIM = {
    key: key
    for key in ("support", "reason_missing_support", "informativeness", "worthiness", "correctness", "reliability",
                "revised_claim", "revised_evidence")
}  # fmt: skip
ANSWER = {"usefulness": "usefulness", "revised_answer_string": "revised_answer"}
"""Field of the files -> question of the protocol."""
SEVERAL = "revised_evidence"  # a text, or a list of texts


class PublishedAnswer(TypedDict, total=False):
    """An answer as published with its labels, without its text, sources and claims."""

    annotator_id: str | None


class PublishedRow(TypedDict, total=False):
    """A row as published without question and answers; `systems` are named if it has the answers of several."""

    annotator_id: str | None
    metadata: dict[str, object]
    systems: list[str]


class PublishedResponse(TypedDict):
    """What the metadata of a response contain of its row. A claim has labels, and its text if the item's differs."""

    row: PublishedRow
    answer: PublishedAnswer
    claims: list[dict[str, object]]


@cache
def labels() -> dict[str, dict[str, str]]:
    """Return label -> option of each choice question of the built-in protocol, which uses the files' labels."""
    questions = (question for question in builtin()[PROTOCOL].questions if question.kind == "choice")
    return {question.key: {option.label: option.key for option in question.options} for question in questions}


def answers_of(claim: Mapping[str, Any], answer: Mapping[str, Any] | None) -> dict[str, str]:
    """Return the answers of a published claim; `answer` is added to those of the last claim. Raise BadRecord."""
    parts = [(Fields(claim, "the claim"), CLAIM)]
    if answer is not None:
        parts.append((Fields(answer, "the answer"), ANSWER))
    answers = {key: _answer(fields, name, key) for fields, names in parts for name, key in names.items()}
    return {key: text for key, text in answers.items() if text.strip()}


def published_fields(answers: Mapping[str, str], names: Mapping[str, str]) -> dict[str, str | None]:
    """Return the fields `names`, CLAIM or ANSWER, with these answers: null for a missing label, "" for a text."""
    fields: dict[str, str | None] = {}
    for name, key in names.items():
        options, answer = labels().get(key), answers.get(key, "")
        fields[name] = {option: label for label, option in options.items()}.get(answer) if options else answer
    return fields


def _answer(fields: Fields, name: str, key: str) -> str:
    if name == SEVERAL and isinstance(fields.value.get(name), list):
        return "\n\n".join(fields.texts(name))
    text = fields.text(name)
    options = labels().get(key)
    if options is None or not text:
        return text
    if text not in options:
        raise BadRecord(f"'{name}' of {fields.label} is {echo(text)}; it must be one of: {', '.join(options)}")
    return options[text]
