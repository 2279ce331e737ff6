"""Answers that cannot be used, and whether an answer is complete."""

from .replies import CONTENT_FILTER, LENGTH

REASONING_ALONE = "It has reasoning but no answer."


class InvalidAnswer(ValueError):
    """The answer is not valid; the message says why, for the model and for people."""


class WithheldAnswer(InvalidAnswer):
    """The endpoint's filter withheld the answer: asking to repair it is no use."""


def check_is_whole(answer: str, reasoning: str, finish_reason: str, max_tokens: int) -> None:
    """Raise InvalidAnswer for an answer that was cut after `max_tokens`, or in its reasoning, and WithheldAnswer for a
    withheld one.
    """
    if finish_reason == LENGTH:
        raise InvalidAnswer(f"It was cut, because it has more than {max_tokens} tokens (finish_reason: {LENGTH}).")
    if finish_reason == CONTENT_FILTER:
        raise WithheldAnswer(f"The endpoint's filter withheld the answer (finish_reason: {CONTENT_FILTER}).")
    if reasoning and not answer.strip():
        raise InvalidAnswer(REASONING_ALONE)
