"""The answers that are compared with gold answers: those to the protocol's checked questions."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ...protocols import Protocol
from .arrays import MISSING, Indices, indices

NOT_ASKED = ""
"""The option for a checked question that is not asked because of an earlier answer."""


@dataclass(frozen=True)
class CheckedAnswers:
    """`options`: the keys; `by_answers[a]`: the option in the a-th set of answers, MISSING if unanswered."""

    options: list[str]
    by_answers: Indices


def checked_answers(protocol: Protocol, answers: Iterable[Mapping[str, str]]) -> CheckedAnswers:
    """Return the checked answer in each distinct set of answers."""
    keys = dict.fromkeys(key for question in protocol.checked_questions for key in question.option_keys)
    options = [*keys, *([NOT_ASKED] if protocol.may_skip_checked else [])]
    number = {key: i for i, key in enumerate(options)}
    return CheckedAnswers(
        options,
        indices(number.get(protocol.checked_answer(answer_set) or NOT_ASKED, MISSING) for answer_set in answers),
    )
