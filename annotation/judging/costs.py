"""What requests cost, and the budget of a run."""

import json
import math
from decimal import Decimal
from typing import Any

from ..models import Judge

MILLION = Decimal(1_000_000)
CHARACTERS_PER_TOKEN = 2.5
"""Fewer than any usual tokenizer has on average for English: a bound until the endpoint has counted some requests."""
MARGIN = 1.1
USUAL_CHARACTERS_PER_TOKEN = 4


def cost_of(judge: Judge, prompt_tokens: int, completion_tokens: int) -> Decimal | None:
    """Return the cost in USD; None without prices."""
    if judge.input_price is None or judge.output_price is None:
        return None
    total = (prompt_tokens * judge.input_price + completion_tokens * judge.output_price) / MILLION
    return total.quantize(Decimal("1e-8"))


class Budget:
    """What a run has spent, and the most that its requests in flight may cost (USD). Without `limit` nothing is
    reserved. `spent` includes lost requests.

    The most that a request may cost: its tokens by the densest request so far, and the longest answer allowed.
    """

    def __init__(self, judge: Judge, limit: Decimal | None, spent: Decimal):
        self.spent = spent
        self._judge, self._limit, self._reserved = judge, limit, Decimal(0)
        self._tokens_per_character = 0.0
        self._lost: dict[str, list[Decimal]] = {}

    def reserve(self, body: dict[str, Any]) -> Decimal | None:
        """Reserve the most that a request may cost and return it; None if the limit does not allow it."""
        if self._limit is None:
            return Decimal(0)
        bound = self.bound(body)
        if self.spent + self._reserved + bound > self._limit:
            return None
        self._reserved += bound
        return bound

    def release(self, bound: Decimal) -> None:
        """End the reservation of a request: its outcome is there."""
        self._reserved -= bound

    def observe(self, body: dict[str, Any], prompt_tokens: int) -> None:
        """Learn how many tokens the endpoint counts for a request."""
        self._tokens_per_character = max(self._tokens_per_character, prompt_tokens / characters(body))

    def charge_lost(self, key: str, bound: Decimal) -> None:
        """Charge a lost request, of this cache key, with the most that it may cost, until `settle_lost`."""
        self._lost.setdefault(key, []).append(bound)
        self.spent += bound

    def settle_lost(self, key: str, cost: Decimal | None) -> None:
        """Charge the lost requests of this cache key with the cost of their repetition instead."""
        for bound in self._lost.pop(key, []):
            self.spent += (cost or 0) - bound

    def bound(self, body: dict[str, Any]) -> Decimal:
        """Return the most that a request may cost, by what is learned so far."""
        rate = self._tokens_per_character * MARGIN or 1 / CHARACTERS_PER_TOKEN
        return cost_of(self._judge, math.ceil(rate * characters(body)), self._judge.max_tokens) or Decimal(0)


def characters(body: dict[str, Any]) -> int:
    """Return the length of what the endpoint reads of a request."""
    extra = len(json.dumps(body["response_format"])) if "response_format" in body else 0
    return sum(len(message["content"]) for message in body["messages"]) + extra


def guessed_tokens(text_length: int) -> int:
    """Return roughly how many tokens a text has, where an endpoint does not say."""
    return math.ceil(text_length / USUAL_CHARACTERS_PER_TOKEN)
