"""What requests cost, and the budget of a run."""

import json
import math
from dataclasses import dataclass
from decimal import Decimal

from ..models.model_calls import ModelConfiguration
from .request_bodies import RequestBody

MILLION = Decimal(1_000_000)
CHARACTERS_PER_TOKEN = 2.5
"""Fewer than any usual tokenizer has on average for English: a bound until the endpoint has counted some requests."""
MARGIN = 1.1
USUAL_CHARACTERS_PER_TOKEN = 4


def cost_of(configuration: ModelConfiguration, prompt_tokens: int, completion_tokens: int) -> Decimal | None:
    """Return the cost in USD; None without prices."""
    if configuration.input_price is None or configuration.output_price is None:
        return None
    total = (prompt_tokens * configuration.input_price + completion_tokens * configuration.output_price) / MILLION
    return total.quantize(Decimal("1e-8"))


@dataclass(frozen=True)
class Spending:
    """An amount in USD, 0 without prices, and in tokens of requests and answers."""

    usd: Decimal = Decimal(0)
    tokens: int = 0

    def __add__(self, other: "Spending") -> "Spending":
        return Spending(self.usd + other.usd, self.tokens + other.tokens)

    def __sub__(self, other: "Spending") -> "Spending":
        return Spending(self.usd - other.usd, self.tokens - other.tokens)


class Budget:
    """What a run has spent, and the most that its requests in flight may take. Without limits nothing is reserved.
    `spent` includes lost requests.

    The most that a request may take: its tokens by the densest request so far, and the longest answer allowed. The
    first request is reserved alone, since nothing is known of the endpoint's tokenizer.
    """

    def __init__(
        self, configuration: ModelConfiguration, limit_usd: Decimal | None, limit_tokens: int | None, spent: Spending
    ):
        self.spent, self._reserved = spent, Spending()
        self._configuration, self._limit_usd, self._limit_tokens = configuration, limit_usd, limit_tokens
        self._tokens_per_character = 0.0
        self._lost: dict[str, list[Spending]] = {}

    def reserve(self, body: RequestBody) -> Spending | None:
        """Reserve the most that a request may take and return it; None if a limit does not allow it now."""
        if self._limit_usd is None and self._limit_tokens is None:
            return Spending()
        bound = self.bound(body)
        if self._reserved.tokens and not self._tokens_per_character:
            return None
        total = self.spent + self._reserved + bound
        if self._limit_usd is not None and total.usd > self._limit_usd:
            return None
        if self._limit_tokens is not None and total.tokens > self._limit_tokens:
            return None
        self._reserved += bound
        return bound

    def release(self, bound: Spending) -> None:
        """End the reservation of a request: its reply is there."""
        self._reserved -= bound

    def observe(self, body: RequestBody, prompt_tokens: int) -> None:
        """Learn how many tokens the endpoint counts for a request."""
        self._tokens_per_character = max(self._tokens_per_character, prompt_tokens / characters(body))

    def charge_lost(self, key: str, bound: Spending) -> None:
        """Charge a lost request, of this cache key, with the most that it may take, until `settle_lost`."""
        self._lost.setdefault(key, []).append(bound)
        self.spent += bound

    def settle_lost(self, key: str, spending: Spending) -> None:
        """Charge the lost requests of this cache key with what their repetition took instead."""
        for bound in self._lost.pop(key, []):
            self.spent += spending - bound

    def bound(self, body: RequestBody) -> Spending:
        """Return the most that a request may take, by what is learned so far."""
        rate = self._tokens_per_character * MARGIN or 1 / CHARACTERS_PER_TOKEN
        return spending_of(self._configuration, math.ceil(rate * characters(body)), self._configuration.max_tokens)


def spending_of(configuration: ModelConfiguration, prompt_tokens: int, completion_tokens: int) -> Spending:
    """Return what a request with its answer takes."""
    cost = cost_of(configuration, prompt_tokens, completion_tokens)
    return Spending(cost or Decimal(0), prompt_tokens + completion_tokens)


def characters(body: RequestBody) -> int:
    """Return the length of what the endpoint reads of a request."""
    extra = len(json.dumps(body["response_format"])) if "response_format" in body else 0
    return sum(len(message["content"]) for message in body["messages"]) + extra


def guessed_tokens(text_length: int) -> int:
    """Return roughly how many tokens a text has, where an endpoint does not say."""
    return math.ceil(text_length / USUAL_CHARACTERS_PER_TOKEN)
