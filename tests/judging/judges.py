"""Judges at a local endpoint, and what their requests cost."""

from decimal import Decimal
from typing import Any

from django.db.models import F, Sum

from annotation.judging.judges import Configuration, create_judge
from annotation.models import Judge, JudgeCall
from tests.judging.fake_endpoint import COMPLETION_TOKENS, PROMPT_TOKENS, FakeEndpoint

PRICES = {"input_price": Decimal("2"), "output_price": Decimal("10")}
TOKENS = PROMPT_TOKENS + COMPLETION_TOKENS
PRICE = Decimal(PROMPT_TOKENS * 2 + COMPLETION_TOKENS * 10) / 1_000_000
MODES = ("published", "strict")


def rule_judge(rule: str = "always-accurate", name: str = "rule") -> Judge:
    return create_judge(name, Configuration(rule=rule))[0]


def model_judge(endpoint: FakeEndpoint, name: str = "small", key: str = "", **values: Any) -> Judge:
    values = {"model": "tiny", "concurrency": 4, "timeout": 5.0, **PRICES, **values}
    return create_judge(name, Configuration(base_url=endpoint.url, **values), key=key)[0]


def fact_judge(endpoint: FakeEndpoint, mode: str = "strict", **values: Any) -> Judge:
    return model_judge(endpoint, "facts", fact_qa=mode, **values)


def stored_cost() -> Decimal:
    return JudgeCall.objects.aggregate(sum=Sum("cost"))["sum"] or Decimal(0)


def stored_tokens() -> int:
    return JudgeCall.objects.aggregate(sum=Sum(F("prompt_tokens") + F("completion_tokens")))["sum"] or 0


def price_of(tokens: list[tuple[int, int]]) -> Decimal:
    """Return what requests with these pairs of tokens cost, of request and answer."""
    return sum((Decimal(prompt * 2 + completion * 10) for prompt, completion in tokens), Decimal(0)) / 1_000_000
