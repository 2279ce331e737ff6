"""The estimate: ten items asked about, nothing stored but the requests, and a run that reuses them."""

import time
from decimal import Decimal

import pytest

from annotation.jobs import Progress
from annotation.judging.estimate import estimate_run
from annotation.judging.run import run_judge
from annotation.models import Rating, Verdict
from tests.cast import study
from tests.judging.fake_endpoint import GOOD, fake_endpoint
from tests.judging.judges import PRICE, TOKENS, model_judge, rule_judge

pytestmark = pytest.mark.django_db


def slow(body):
    time.sleep(0.05)
    return GOOD


def test_ten_items_tell_cost_and_time_of_all_and_the_run_reuses_their_answers():
    june = study(prompts=8, sentences=5)
    with fake_endpoint(slow) as endpoint:
        judge = model_judge(endpoint, concurrency=4)
        shown: list[tuple[int, int | None, str]] = []
        progress = Progress(lambda progress: shown.append((progress.done, progress.total, progress.message)))
        estimate = estimate_run(judge, june.project, progress=progress)
        assert (estimate.items, estimate.tried, estimate.requests, estimate.tokens) == (40, 10, 40, 40 * TOKENS)
        assert [done for done, _total, _message in shown] == sorted(done for done, _total, _message in shown)
        assert shown[0][0] < 10 and shown[-1] == (
            10, 10, f"failed: 0, requests: 10, tokens: {10 * TOKENS:,}, USD {10 * PRICE:.4f}"
        )  # fmt: skip
        assert any(message.endswith(" s") and ", time left: " in message for _done, _total, message in shown)
        assert estimate.cost_usd == pytest.approx(float(40 * PRICE))
        assert 0.4 < estimate.seconds < 60
        assert not Verdict.objects.exists() and not Rating.objects.exists()
        result = run_judge(judge, june.project)
    assert (result.new, result.calls.cached, result.calls.requests, endpoint.charged) == (40, 10, 30, 40)


def test_requests_a_minute_bound_the_time_and_a_limit_the_cost_and_a_rule_costs_nothing():
    june = study(prompts=2, sentences=3)
    with fake_endpoint() as endpoint:
        judge = model_judge(endpoint, requests_per_minute=600)
        estimate = estimate_run(judge, june.project, limit=3)
    assert (estimate.items, estimate.tried, endpoint.charged) == (3, 3, 3)
    assert Decimal(str(estimate.cost_usd)) == pytest.approx(3 * PRICE)
    assert estimate.seconds == pytest.approx(0.3, abs=0.1)
    assert estimate_run(rule_judge(), june.project).cost_usd == 0


def test_whole_responses_are_asked_about_where_a_request_is_about_one_and_the_run_reuses_the_answers():
    june = study(prompts=12, sentences=4)
    with fake_endpoint(lambda body: {"items": [{"number": n, **GOOD} for n in range(1, 5)]}) as endpoint:
        judge = model_judge(endpoint, request_unit="response")
        estimate = estimate_run(judge, june.project)
        result = run_judge(judge, june.project)
    assert (estimate.items, estimate.tried, estimate.requests) == (48, 40, 12)
    assert estimate.cost_usd == pytest.approx(float(12 * PRICE))
    assert (result.new, result.calls.cached, result.calls.requests, endpoint.charged) == (48, 10, 2, 12)
