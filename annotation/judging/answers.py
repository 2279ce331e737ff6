"""Read what a judge answered. Only the protocol's own check decides what is valid; nothing is guessed.

The reasoning is separated first. Of several answers the last one counts: those before are drafts and examples.
"""

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

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

    def is_answer(candidate: FoundObject) -> bool:
        if is_list:
            return ITEMS in candidate.value
        return ANSWERS in candidate.value or _is_flat(candidate, questions[0])

    candidates = _Candidates(text, is_answer, {question.key for each in questions for question in each.questions})
    refused: InvalidAnswer | None = None
    for candidate in reversed(candidates.objects):
        try:
            value, source = candidates.value_of(candidate), candidates.source_of(candidate)
            answers = _read_list(value, questions, source) if is_list else [_read_item(value, questions[0], source)]
        except InvalidAnswer as problem:
            refused = refused or problem
            continue
        if _names_another_option(candidates.json_after(candidate), questions, answers):
            break
        return answers
    raise refused or InvalidAnswer(_OTHER_ANSWER)


def object_in(text: str, key: str = "") -> Mapping[str, object]:
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
        self.objects = sorted(
            [each for each in objects if is_answer(each)] or whole[-1:],
            key=lambda each: not _BEFORE_QUOTATION.search(self._text[max(each.start - 100, 0) : each.start]),
        )
        if not self.objects:
            if not broken and text.strip() and not answer.strip():
                raise InvalidAnswer(REASONING_ALONE)
            start = answer.find("{")
            begun = broken[-1] if broken else ObjectReader(answer).read(start) if start >= 0 else None
            raise InvalidAnswer(begun.problem if isinstance(begun, BrokenObject) else "It has no JSON object.")
        last_name = max((match.start() for match in _NAMES_ANSWERS.finditer(self._text)), default=-1)
        cut = [each for each in broken if each.end == len(self._text) and each.start < last_name]
        self._cut = cut[-1] if cut else None

    def value_of(self, candidate: FoundObject) -> Mapping[str, object]:
        """Return the value of the object. Raises InvalidAnswer if it is ambiguous, or a later answer is cut."""
        if candidate.repeated:
            raise InvalidAnswer(f'Its JSON has the key "{candidate.repeated}" twice, with different values.')
        if self._cut and self._cut.start >= candidate.end:
            raise InvalidAnswer(self._cut.problem)
        return candidate.value

    def source_of(self, candidate: FoundObject) -> str:
        """Return the object as it stands in the text."""
        return self._text[candidate.start : candidate.end]

    def json_after(self, candidate: FoundObject) -> str:
        """Return the text from the next brace after the object, without what is in quotation marks."""
        pieces, position = [], candidate.end
        for quoted in (each for each in self._quoted if each.start > candidate.start):
            pieces.append(self._text[position : quoted.start])
            position = quoted.end
        rest = "".join([*pieces, self._text[position:]])
        return rest[rest.find("{") :] if "{" in rest else ""


def _is_quoted(text: str, candidate: FoundObject) -> bool:
    """Return whether the object is in quotation marks, and the text has more than that."""
    mark = _QUOTATION_MARKS.get(text[candidate.start - 1 : candidate.start]) if candidate.start else None
    is_marked = mark is not None and text.startswith(mark, candidate.end)
    return is_marked and (candidate.start, candidate.end) != (1, len(text) - 1)


def _is_flat(candidate: FoundObject, protocol: protocols.Protocol) -> bool:
    """Return whether the object itself has the answers, and no name that could mean something else."""
    keys = {question.key for question in protocol.questions}
    return not candidate.is_part and not keys.isdisjoint(candidate.value) and keys.isdisjoint(_OTHER_NAMES)


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


def _read_list(value: Mapping[str, object], questions: Sequence[protocols.Protocol], source: str) -> list[ItemAnswer]:
    entries = value.get(ITEMS)
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise InvalidAnswer('There is no list "items".')
    by_number = {entry["number"]: entry for entry in entries if type(entry.get("number")) is int}
    numbers = range(1, len(questions) + 1)
    if set(by_number) != set(numbers) or len(entries) != len(questions):
        raise InvalidAnswer(f'"items" must have one entry for each number from 1 to {len(questions)}.')
    return [_read_item(by_number[number], questions[number - 1], source, f"Item {number}: ") for number in numbers]


def _read_item(value: Mapping[str, object], protocol: protocols.Protocol, source: str, place: str = "") -> ItemAnswer:
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
    texts = {name: text for name in ("reason", "quote") if isinstance(text := value.get(name), str)}
    return ItemAnswer(
        {key: str(answer) for key, answer in pruned.items()},
        **{name: storable(text.strip()) for name, text in texts.items()},
        source=source,
    )


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
