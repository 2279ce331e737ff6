"""A worker that is killed twice, and many requests at once: none lost, none twice, and the costs are those charged."""

import itertools
import os
import random
import signal
import threading
import time
from decimal import Decimal

import pytest

from annotation import jobs
from annotation.judging import retries
from annotation.judging.judges import Configuration, create_judge
from annotation.judging.run import RUN_JUDGE, run_judge
from annotation.models import Job, JudgeCall, JudgeRun, Rating, Verdict
from tasks.app import app
from tasks.jobs import TASKS, requeue_stale
from tests.cast import study
from tests.judging.fake_endpoint import GOOD, fake_endpoint
from tests.judging.test_model_runs import PRICE, PRICES, TOKENS, stored_cost, stored_tokens

CONCURRENCY = 8


@pytest.fixture
def run_with_two_kills(start_celery_worker, wait_until):
    """Let a judge rate 80 items by a job with these params, whose worker is killed twice with requests in flight."""

    def run(**params):
        june = study(prompts=10, sentences=8)
        go = threading.Event()
        go.set()
        count = itertools.count(1)

        def answer(body):
            if next(count) in (12, 50):
                go.clear()  # from here on requests are on their way until the worker is killed
            go.wait()
            return GOOD

        with fake_endpoint(answer, faults=[(429, {"retry-after": "0.1"}), 500, "cut", "junk"]) as endpoint:
            configuration = Configuration(
                base_url=endpoint.url, model="tiny", concurrency=CONCURRENCY, max_tokens=60, **PRICES
            )
            judge, _ = create_judge("small", configuration)
            job = jobs.create(RUN_JUDGE, project=june.project, params={"judge": judge.pk, **params})
            app.send_task(TASKS[job.kind], args=[job.pk])
            for _ in range(2):
                worker = start_celery_worker()
                wait_until(lambda: not go.is_set() and endpoint.open == CONCURRENCY, seconds=120)
                os.killpg(worker.pid, signal.SIGKILL)
                go.set()
                assert JudgeCall.objects.filter(state="sent").count() == CONCURRENCY
                Job.objects.filter(pk=job.pk).update(heartbeat_at="2020-01-01T00:00Z")
                wait_until(lambda: endpoint.open == 0, seconds=120)
                assert requeue_stale() == 1
            start_celery_worker()
            wait_until(lambda: Job.objects.get(pk=job.pk).state not in Job.OPEN, seconds=120)
        job.refresh_from_db()
        assert (job.state, job.problems) == ("done", [])
        assert JudgeCall.objects.filter(state="lost").count() == 2 * CONCURRENCY + 2
        assert stored_cost() == endpoint.charged * PRICE
        assert stored_tokens() == endpoint.charged * TOKENS
        return endpoint

    return run


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_worker_killed_twice_ends_with_each_item_judged_once_and_the_sum_of_costs_right(run_with_two_kills):
    endpoint = run_with_two_kills()
    assert Verdict.objects.filter(state="rated").count() == Rating.objects.filter(role="judge").count() == 80
    assert JudgeRun.objects.get().ended == "done"
    assert endpoint.charged == 80 + 2 * CONCURRENCY + 2


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_worker_killed_twice_keeps_within_its_budget_of_tokens(run_with_two_kills):
    budget = 80 * TOKENS
    endpoint = run_with_two_kills(budget_tokens=budget)
    assert JudgeRun.objects.get().ended == "budget"
    assert budget - 2 * TOKENS < endpoint.charged * TOKENS <= budget
    rated = endpoint.charged - 2 * CONCURRENCY - 2
    assert Verdict.objects.filter(state="rated").count() == Rating.objects.filter(role="judge").count() == rated < 80


@pytest.mark.slow
@pytest.mark.django_db
def test_a_thousand_items_at_concurrency_32_with_faults_lose_none_and_judge_none_twice(monkeypatch):
    monkeypatch.setattr(retries, "FIRST_PAUSE", 0.02)
    monkeypatch.setattr(retries, "ATTEMPTS", 30)  # a quarter of the first requests fails
    june = study(prompts=50, sentences=20)
    chance = random.Random(1)
    kinds = [None] * 12 + [500, (429, {"retry-after": "0.01"}), "cut", "junk", {"answers": {}}]

    def answer(body):
        time.sleep(0.05)
        return GOOD

    with fake_endpoint(answer, faults=[chance.choice(kinds) for _ in range(1_000)]) as endpoint:
        configuration = Configuration(base_url=endpoint.url, model="tiny", concurrency=32, **PRICES)
        result = run_judge(create_judge("small", configuration)[0], june.project)
    assert (result.rated + result.failed, result.missing, result.calls.unanswered) == (1_000, 0, 0)
    assert result.failed < 30  # an invalid answer and an invalid repair
    assert endpoint.most_open > 16
    items = Verdict.objects.values_list("item", flat=True)
    assert len(items) == len(set(items)) == 1_000
    assert Rating.objects.filter(role="judge").count() == result.rated
    assert result.cost_usd == endpoint.charged * PRICE
    assert sum(Verdict.objects.values_list("cost", flat=True)) <= Decimal(result.cost_usd)
