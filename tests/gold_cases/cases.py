"""The cases of ../shared/gold, when they are there."""

import json

import pytest

from tests.gold_cases.files import STATISTICS

CASES = {case["id"]: case for case in json.loads(STATISTICS.read_text())["cases"]}


def of_kind(kind: str) -> list:
    return [pytest.param(case, id=case["id"]) for case in CASES.values() if case["kind"] == kind]


def answers(q1: str, q2: str | None) -> dict:
    """Return the answers; a problem without a severity is not severe in these cases (the product refuses it)."""
    problem = q1 in ("inaccurate", "unsupported", "disputed")
    return {"accuracy": q1} | ({"severity": q2 or "not_severe"} if problem else {})
