"""Read what a judge answered. Only the protocol's own check decides what is valid; nothing is guessed.

The reasoning is separated first. Of several answers the last one counts: those before are drafts and examples.
"""

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .. import protocols
from ..model_calls.errors import REASONING_ALONE, InvalidAnswer
from ..model_calls.json_objects import BrokenObject, FoundObject, ObjectReader, find_objects
from ..model_calls.reasoning import separated
from ..model_calls.replies import storable

ANSWERS, ITEMS, FACTS = "answers", "items", "facts"
"""What the object of an answer has: the answers about an item, those about several, or facts."""
_NAMES_ANSWERS = re.compile(f'"(?:{ANSWERS}|{ITEMS}|{FACTS})"\\s*:')
_DECIDING_NAMES = {ANSWERS, ITEMS, FACTS, "number", "fact", "supported"}
_OTHER_NAMES = {"reason", "quote", "number"}
_QUOTATION_MARKS = {'"': '"', "'": "'", "“": "”", "„": "“", "‘": "’", "«": "»"}
_QUOTED_LINE = re.compile(r"^[^\S\n]*>.*", re.MULTILINE)
_QUOTATION_MARK = re.compile(r"^[^\S\n]*>", re.MULTILINE)
_BEFORE_QUOTATION = re.compile(
    r"\b(?:(?:says?|said|states?|stated|reads?|wr[io]tes?|contain(?:s|ed)|includ(?:es|ed)|ha[sd]|ends|quot(?:es?|ed|ing))"
    r"(?: +(?:this|the|an?|following|as|follows|with|json|object|block|text|itself))*"
    r"|(?:text|sentence|item|claim|document|article|passage|prompt|input|source|(?:the|rated) response)(?: was)?)"
    r"[ :]*\s*(?:[`~]{3,}\w*\s*)?\Z",
    re.IGNORECASE,
)
_NAMED_OPTION = re.compile(r"""(?<!\w)(\w{1,40})["']?\s*:\s*["']([^"'\n]{1,100})["'](?!\s*(?:[|/]|or\b))""")
"""A question's key with an option. Of several options, as in a description of the form, none is named."""
_OTHER_ANSWER = "After its answer it gives another one."


@dataclass(frozen=True)
class ItemAnswer:
    """A valid answer about one item. `quote` is what the judge copied from the document, if anything; `source`: the
    JSON of which it was read.
    """

    answers: dict[str, str]
    reason: str = ""
    quote: str = ""
    source: str = field(default="", compare=False)


def read_answers(text: str, questions: Sequence[protocols.Protocol], *, is_list: bool) -> list[ItemAnswer]:
    """Return the answer about each item; `questions` are those about each, in order. Raises InvalidAnswer.

    `is_list`: the answer has a list `items`, with the number of each item from 1. The last object that the protocol
    accepts counts, unless JSON after it names another option.
    """

    def is_answer(found: FoundObject) -> bool:
        return ITEMS in found.value if is_list else ANSWERS in found.value or _is_flat(found, questions[0])

    candidates = _Candidates(text, is_answer, {question.key for each in questions for question in each.questions})
    refused: InvalidAnswer | None = None
    for found in reversed(candidates.objects):
        try:
            read = _read_entries if is_list else _read_single
            answers = read(candidates.value_of(found), questions, candidates.source_of(found))
        except InvalidAnswer as problem:
            refused = refused or problem
            continue
        if _names_another_option(candidates.json_after(found), questions, answers):
            break
        return answers
    raise refused or InvalidAnswer(_OTHER_ANSWER)


def object_in(text: str, key: str = "") -> dict[str, Any]:
    """Return the last complete JSON object after the reasoning, which may stand in a code block or between sentences:
    the last with `key`, or with what an answer has. Raises InvalidAnswer.
    """
    names = {key} if key else {ANSWERS, ITEMS, FACTS}
    candidates = _Candidates(text, lambda each: not names.isdisjoint(each.value))
    last = candidates.objects[-1]
    if any(each.value != last.value for each in candidates.objects if each.start > last.start):
        raise InvalidAnswer(_OTHER_ANSWER)
    return candidates.value_of(last)


class _Candidates:
    """The objects of a text that are answers, or else its last object; those that words such as "the text says"
    introduce come first, as they count only where there is nothing else. Raises InvalidAnswer if there is none.
    """

    def __init__(self, text: str, is_answer: Callable[[FoundObject], bool], keys: Iterable[str] = ()):
        answer = separated(text).answer
        self._text = _QUOTED_LINE.sub("", answer).strip() or _QUOTATION_MARK.sub("", answer).strip()
        parts = list(find_objects(self._text, _DECIDING_NAMES.union(keys)))
        broken = [each for each in parts if isinstance(each, BrokenObject)]
        objects = [each for each in parts if isinstance(each, FoundObject)]
        self._quoted = [each for each in objects if _is_quoted(self._text, each)]
        objects = [each for each in objects if not _is_quoted(self._text, each)]
        whole = [each for each in objects if not each.is_part]
        self.objects = sorted([each for each in objects if is_answer(each)] or whole[-1:], key=self._is_not_introduced)
        if not self.objects:
            raise InvalidAnswer(broken[-1].problem if broken else _problem_without_object(text, answer))
        last_name = max((match.start() for match in _NAMES_ANSWERS.finditer(self._text)), default=-1)
        cut = [each for each in broken if each.end == len(self._text) and each.start < last_name]
        self._cut = cut[-1] if cut else None

    def _is_not_introduced(self, candidate: FoundObject) -> bool:
        return not _BEFORE_QUOTATION.search(self._text[max(candidate.start - 100, 0) : candidate.start])

    def value_of(self, found: FoundObject) -> dict[str, Any]:
        """Return the value of the object. Raises InvalidAnswer if it is ambiguous, or a later answer is cut."""
        if found.repeated:
            raise InvalidAnswer(f'Its JSON has the key "{found.repeated}" twice, with different values.')
        if self._cut and self._cut.start >= found.end:
            raise InvalidAnswer(self._cut.problem)
        return found.value

    def source_of(self, found: FoundObject) -> str:
        """Return the object as it stands in the text."""
        return self._text[found.start : found.end]

    def json_after(self, found: FoundObject) -> str:
        """Return the text from the next brace after the object, without what is in quotation marks."""
        pieces, position = [], found.end
        for quoted in (each for each in self._quoted if each.start > found.start):
            pieces.append(self._text[position : quoted.start])
            position = quoted.end
        rest = "".join([*pieces, self._text[position:]])
        return rest[rest.find("{") :] if "{" in rest else ""


def _problem_without_object(text: str, answer: str) -> str:
    if text.strip() and not answer.strip():
        return REASONING_ALONE
    start = answer.find("{")
    begun = ObjectReader(answer).read(start) if start >= 0 else None
    return begun.problem if isinstance(begun, BrokenObject) else "It has no JSON object."


def _is_quoted(text: str, found: FoundObject) -> bool:
    """Return whether the object is in quotation marks, and the text has more than that."""
    mark = _QUOTATION_MARKS.get(text[found.start - 1 : found.start]) if found.start else None
    is_marked = mark is not None and text.startswith(mark, found.end)
    return is_marked and (found.start, found.end) != (1, len(text) - 1)


def _is_flat(found: FoundObject, protocol: protocols.Protocol) -> bool:
    """Return whether the object itself has the answers, and no name that could mean something else."""
    keys = {question.key for question in protocol.questions}
    return not found.is_part and not keys.isdisjoint(found.value) and keys.isdisjoint(_OTHER_NAMES)


def _names_another_option(json: str, questions: Sequence[protocols.Protocol], answers: Sequence[ItemAnswer]) -> bool:
    """Return whether JSON, valid or not, gives another answer to a question than `answers`, in whatever letters."""
    for key, option in set(_NAMED_OPTION.findall(json)):
        for protocol, item in zip(questions, answers, strict=True):
            options = {each for question in protocol.questions if question.key == key for each in question.option_keys}
            named = {each for each in options if _plain(each) == _plain(option)}
            if named and item.answers.get(key) not in named:
                return True
    return False


def _plain(text: str) -> str:
    return re.sub(r"\W", "", text).casefold()


def _read_single(value: Mapping[str, Any], questions: Sequence[protocols.Protocol], source: str) -> list[ItemAnswer]:
    return [_read(value, questions[0], "", source)]


def _read_entries(value: Mapping[str, Any], questions: Sequence[protocols.Protocol], source: str) -> list[ItemAnswer]:
    entries = value.get(ITEMS)
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise InvalidAnswer('There is no list "items".')
    by_number = {entry["number"]: entry for entry in entries if type(entry.get("number")) is int}
    numbers = range(1, len(questions) + 1)
    if set(by_number) != set(numbers) or len(entries) != len(questions):
        raise InvalidAnswer(f'"items" must have one entry for each number from 1 to {len(questions)}.')
    return [_read(by_number[number], questions[number - 1], f"Item {number}: ", source) for number in numbers]


def _read(value: Mapping[str, Any], protocol: protocols.Protocol, place: str, source: str) -> ItemAnswer:
    question_keys = {question.key for question in protocol.questions}
    sent = value.get(ANSWERS)
    if ANSWERS not in value and question_keys.isdisjoint(_OTHER_NAMES):
        sent = {key: answer for key, answer in value.items() if key in question_keys} or None
    if not isinstance(sent, dict):
        raise InvalidAnswer(f'{place}There is no object "answers".')
    answers = {key: answer for key, answer in sent.items() if key in question_keys or answer is not None}
    problems = protocols.problems(protocol, answers)
    if problems:
        lines = (f"{key}: {' '.join(messages)}" for key, messages in problems.items())
        raise InvalidAnswer(f"{place}{' '.join(lines)}")
    pruned = protocols.prune(protocol, answers)
    if not pruned:
        raise InvalidAnswer(f"{place}No question is answered.")
    return ItemAnswer(
        {key: str(answer) for key, answer in pruned.items()}, _text(value, "reason"), _text(value, "quote"), source
    )


def _text(value: Mapping[str, Any], name: str) -> str:
    text = value.get(name)
    return storable(text.strip()) if isinstance(text, str) else ""


def probability(answer: str, tokens: Sequence[tuple[str, float]], choice: str) -> float | None:
    """Return the probability of `choice`, an option's key, where it first stands in quotation marks in the answer: that
    of the tokens that spell it. None without log-probabilities, or if they do not spell the answer.

    `answer` is the JSON of the answer; the tokens may spell reasoning before it.
    """
    start, inside = "".join(token for token, _ in tokens).rfind(answer), answer.find(f'"{choice}"')
    if not tokens or start < 0 or inside < 0:
        return None
    start += inside + 1
    end, position, total = start + len(choice), 0, 0.0
    for token, logprob in tokens:
        if position < end and position + len(token) > start:
            total += logprob
        position += len(token)
    return min(math.exp(total), 1.0)
