"""Estimate the tokens of requests, and find those that are too long for the model."""

from dataclasses import dataclass

from ..i18n.english import localized
from ..model_calls.costs import USUAL_CHARACTERS_PER_TOKEN
from ..model_calls.request_bodies import Messages
from ..models import GenerationCall, Generator

MEASURED_CALLS = 100
"""Of the newest answered requests, by which tokens are estimated."""


@dataclass(frozen=True)
class TokenLimit:
    """How many tokens a request has, and may have.

    `tokens_per_character`: measured in `measured` answered requests of the generator, or assumed if there are none.
    `most`: tokens of a request, so that the longest answer still fits; None if the model's limit is not known.
    """

    tokens_per_character: float
    measured: int
    most: int | None

    @classmethod
    def of(cls, generator: Generator) -> "TokenLimit":
        """Return the limit of a generator, by its newest answered requests."""
        answered = GenerationCall.objects.filter(run__generator=generator, state=GenerationCall.State.ANSWERED)
        calls = list(
            answered.filter(is_estimated=False).order_by("-pk").only("request", "prompt_tokens")[:MEASURED_CALLS]
        )
        characters = sum(length_of(call.request["messages"]) for call in calls)
        tokens = sum(call.prompt_tokens or 0 for call in calls)
        rate = tokens / characters if characters else 1 / USUAL_CHARACTERS_PER_TOKEN
        context = generator.context_tokens
        return cls(rate, len(calls), None if context is None else context - generator.max_tokens)

    def tokens_of(self, messages: Messages) -> int:
        """Return how many tokens the messages have, about."""
        return round(length_of(messages) * self.tokens_per_character)

    def problem_of(self, messages: Messages) -> str:
        """Return why the messages are too long; "" if they are not, or if the limit is not known."""
        tokens = self.tokens_of(messages)
        if self.most is None or tokens <= self.most:
            return ""
        most = localized(f"{max(self.most, 0):,}")
        return f"Too long: about {localized(f'{tokens:,}')} tokens, and at most {most} fit with the longest answer."


def length_of(messages: Messages) -> int:
    """Return the characters of the messages."""
    return sum(len(message["content"]) for message in messages)
