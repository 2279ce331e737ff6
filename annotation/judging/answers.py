"""Read what a judge answered. Only the protocol's own check decides what is valid; nothing is guessed."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .. import protocols
from ..model_calls.invalid_answers import InvalidAnswer
from ..model_calls.replies import storable

DECODER = json.JSONDecoder()


@dataclass(frozen=True)
class ItemAnswer:
    """A valid answer about one item. `quote` is what the judge copied from the document, if anything."""

    answers: dict[str, str]
    reason: str = ""
    quote: str = ""


def read_answers(text: str, questions: Sequence[protocols.Protocol], *, is_list: bool) -> list[ItemAnswer]:
    """Return the answer about each item; `questions` are those about each, in order. Raises InvalidAnswer.

    `is_list`: the answer has a list `items`, with the number of each item from 1.
    """
    value = object_in(text)
    if not is_list:
        return [_read(value, questions[0], "")]
    entries = value.get("items")
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise InvalidAnswer('There is no list "items".')
    by_number = {entry.get("number"): entry for entry in entries}
    numbers = range(1, len(questions) + 1)
    if set(by_number) != set(numbers) or len(entries) != len(questions):
        raise InvalidAnswer(f'"items" must have one entry for each number from 1 to {len(questions)}.')
    return [_read(by_number[number], questions[number - 1], f"Item {number}: ") for number in numbers]


def object_in(text: str) -> dict[str, Any]:
    """Return the first JSON object in the text, which may stand in a code block or between sentences."""
    start = text.find("{")
    if start < 0:
        raise InvalidAnswer("It has no JSON object.")
    try:
        value, _end = DECODER.raw_decode(text, start)
    except ValueError as error:
        raise InvalidAnswer(f"Its JSON is invalid: {error}.") from None
    except RecursionError:
        raise InvalidAnswer("Its JSON is nested too deeply.") from None
    if not isinstance(value, dict):
        raise InvalidAnswer("It has no JSON object.")
    return value


def _read(value: Mapping[str, Any], protocol: protocols.Protocol, place: str) -> ItemAnswer:
    sent = value.get("answers")
    if not isinstance(sent, dict):
        raise InvalidAnswer(f'{place}There is no object "answers".')
    question_keys = {question.key for question in protocol.questions}
    answers = {key: answer for key, answer in sent.items() if key in question_keys or answer is not None}
    problems = protocols.problems(protocol, answers)
    if problems:
        lines = (f"{key}: {' '.join(messages)}" for key, messages in problems.items())
        raise InvalidAnswer(f"{place}{' '.join(lines)}")
    pruned = protocols.prune(protocol, answers)
    if not pruned:
        raise InvalidAnswer(f"{place}No question is answered.")
    return ItemAnswer(
        {key: str(answer) for key, answer in pruned.items()}, _text(value, "reason"), _text(value, "quote")
    )


def _text(value: Mapping[str, Any], name: str) -> str:
    text = value.get(name)
    return storable(text.strip()) if isinstance(text, str) else ""


def probability(answer: str, tokens: Sequence[tuple[str, float]], choice: str) -> float | None:
    """Return the probability of `choice`, an option's key, where it first stands in quotation marks in the answer: that
    of the tokens that spell it. None without log-probabilities, or if they do not spell the answer.
    """
    if not tokens or "".join(token for token, _ in tokens) != answer:
        return None
    start = answer.find(f'"{choice}"') + 1
    if not start:
        return None
    end, position, total = start + len(choice), 0, 0.0
    for token, logprob in tokens:
        if position < end and position + len(token) > start:
            total += logprob
        position += len(token)
    return min(math.exp(total), 1.0)
