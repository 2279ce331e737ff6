"""The two sides of a pair: in a protocol about pairs, the options `a` and `b` are the first and the second response.

Raters see the two in either order, and the report has a pair of systems in one order. Both need answers from the other
side, which one function computes; it is its own inverse. A protocol about pairs with other options is asked and
reported in the data's order.

A rater's order is one bit of the assignment's random id: constant for a sheet, random between raters, and not stored.
Answers are stored as if every rater saw the first response first, and converted when a rater reads them, at work or in
adjudications; other users always see the data's order.
"""

from collections.abc import Collection, Mapping
from typing import TypeVar
from uuid import UUID

from .schema import Protocol, Question

Answer = TypeVar("Answer", str, object)
"""Text of a stored answer; anything of a sent one."""

PAIR = "pair"
FIRST, SECOND = SIDES = ("a", "b")
_OTHER = {FIRST: SECOND, SECOND: FIRST}


def asks_for_side(question: Question) -> bool:
    """Return whether the question asks for one of the two responses."""
    return set(SIDES) <= set(question.option_keys)


def has_sides(protocol: Protocol) -> bool:
    """Return whether the responses of a pair can be swapped: only answers with `a` and `b` change."""
    return protocol.unit == PAIR and any(asks_for_side(question) for question in protocol.questions)


def swap_sides(protocol: Protocol, answers: Mapping[str, Answer]) -> dict[str, Answer]:
    """Return the answers after the two responses change places; unchanged if the protocol has no sides."""
    if not has_sides(protocol):
        return dict(answers)
    sided = {question.key for question in protocol.questions if asks_for_side(question)}
    return {key: _other(answer) if key in sided else answer for key, answer in answers.items()}


def are_swapped(protocol: Protocol, assignment: UUID) -> bool:
    """Return whether the rater of this assignment (its public id) has the second response of a pair first."""
    return has_sides(protocol) and bool(assignment.int & 1)


def in_rater_order(protocol: Protocol, assignment: UUID, answers: Mapping[str, Answer]) -> dict[str, Answer]:
    """Convert stored answers to the rater's order of the pair, or the rater's answers to the stored order."""
    return swap_sides(protocol, answers) if are_swapped(protocol, assignment) else dict(answers)


def _other(answer: Answer) -> Answer:
    return _OTHER.get(answer, answer) if isinstance(answer, str) else answer


def one_sided_question(condition: Mapping[str, Collection[str]], questions: dict[str, Question]) -> str:
    """Return the key of a question with one side, but not the other, in the condition; "" if there is none.

    Such a condition would depend on the rater's order of the responses.
    """
    named = ((key, set(values) & set(SIDES)) for key, values in condition.items() if asks_for_side(questions[key]))
    return next((key for key, sides in named if len(sides) == 1), "")
