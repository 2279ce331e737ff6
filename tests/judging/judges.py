"""Judges at a local endpoint, and what their requests cost."""

import shlex
from decimal import Decimal
from typing import Any

from django.core.management import call_command
from django.db.models import F, Sum

from annotation.judging.judges import create_judge
from annotation.judging.run import run_judge
from annotation.model_calls.runs import RunLimits
from annotation.models import Judge, JudgeCall, Project
from tests.documented_commands import replaced
from tests.judging.fake_endpoint import COMPLETION_TOKENS, GOOD, PROMPT_TOKENS, FakeEndpoint, fake_endpoint

PRICES = {"input_price": Decimal("2"), "output_price": Decimal("10")}
TOKENS = PROMPT_TOKENS + COMPLETION_TOKENS
PRICE = Decimal(PROMPT_TOKENS * 2 + COMPLETION_TOKENS * 10) / 1_000_000
MODES = ("published", "strict")


def rule_judge(rule: str = "always-accurate", name: str = "rule") -> Judge:
    return create_judge(Judge(name=name, rule=rule))[0]


def model_judge(endpoint: FakeEndpoint, name: str = "small", key: str = "", **values: Any) -> Judge:
    values = {"model": "tiny", "concurrency": 4, "timeout": 5.0, **PRICES, **values}
    return create_judge(Judge(name=name, base_url=endpoint.url, **values), key=key)[0]


def run_small(
    project: Project, answer: Any = lambda body: GOOD, *, faults: Any = (), limit: int | None = None, **values: Any
) -> tuple[Any, FakeEndpoint]:
    """Let the judge `small` rate a project once; return what the run found, and the endpoint with what it was asked."""
    with fake_endpoint(answer, faults) as endpoint:
        return run_judge(model_judge(endpoint, **values), project, RunLimits(limit=limit)), endpoint


def fact_judge(endpoint: FakeEndpoint, mode: str = "strict", **values: Any) -> Judge:
    return model_judge(endpoint, "facts", fact_qa=mode, **values)


def call_documented(block: str, names: dict[str, str]) -> None:
    """Call the commands of a block of the documentation, with other values for some names."""
    for line in replaced(block, names).replace("\\\n", " ").splitlines():
        call_command(*shlex.split(line)[2:])


def stored_cost() -> Decimal:
    return JudgeCall.objects.aggregate(sum=Sum("cost"))["sum"] or Decimal(0)


def stored_tokens() -> int:
    return JudgeCall.objects.aggregate(sum=Sum(F("prompt_tokens") + F("completion_tokens")))["sum"] or 0


def price_of(tokens: list[tuple[int, int]]) -> Decimal:
    """Return what requests with these pairs of tokens cost, of request and answer."""
    return sum((Decimal(prompt * 2 + completion * 10) for prompt, completion in tokens), Decimal(0)) / 1_000_000
