"""A worker that is killed twice, and many requests at once: none lost, none twice, and the costs are those charged."""

import itertools
import os
import random
import signal
import threading
import time
from decimal import Decimal
from functools import partial
from pathlib import Path

import pytest

from annotation import jobs
from annotation.judging import retries
from annotation.judging.judged_items import judged_items
from annotation.judging.judges import Configuration, create_judge
from annotation.judging.run import RUN_JUDGE, run_judge
from annotation.models import Job, Judge, JudgeCall, JudgeRun, Project, Rating, Verdict
from annotation.quickstart import demo
from annotation.quickstart.accounts import SAMPLE_ACCOUNTS
from tasks.app import app
from tasks.jobs import TASKS, requeue_stale
from tests.cast import person, study
from tests.judging.fake_endpoint import GOOD, FakeEndpoint, completion, fake_endpoint
from tests.judging.qasper_samples import SAMPLES, qasper_project
from tests.judging.test_model_runs import PRICE, PRICES, TOKENS, stored_cost, stored_tokens

CONCURRENCY = 8
TIMEOUT = 8.0  # seconds
WITHHELD = completion("", finish_reason="content_filter")
WRONG_OPTION = {"answers": {"accuracy": "perfect", "severity": None}, "reason": "", "quote": ""}
REFUSAL, INVALID_JSON = "I cannot help with that.", '{"answers": {"accuracy": "accu'
INVALID = [INVALID_JSON, WRONG_OPTION, REFUSAL, WITHHELD] * 2
FAULTS = [(429, {"retry-after": "0.1"}), 500, "cut", "junk", ("slow", 0.5)]
LATE = [("slow", TIMEOUT + 2)] * 2  # for a time after both kills: otherwise one could be before the timeout


@pytest.fixture
def run_with_two_kills(start_celery_worker, wait_until):
    """Let a judge rate a project by a job with these params, whose worker is killed twice with requests in flight."""

    def run(project: Project, late_faults=(), **params) -> FakeEndpoint:
        go = threading.Event()
        go.set()
        count, invalid = itertools.count(1), iter(INVALID)

        def answer(body):
            number, is_repair = next(count), len(body["messages"]) > 2
            if number in (12, 50):
                go.clear()  # from here on requests are on their way until the worker is killed
            is_lost = not go.is_set()
            go.wait()
            return GOOD if number % 5 or is_repair or is_lost else next(invalid, GOOD)

        with fake_endpoint(answer, faults=[None, *FAULTS, *[None] * 70, *late_faults]) as endpoint:
            configuration = Configuration(
                base_url=endpoint.url, model="tiny", concurrency=CONCURRENCY, max_tokens=60, timeout=TIMEOUT, **PRICES
            )
            judge, _ = create_judge("small", configuration)
            job = jobs.create(RUN_JUDGE, project=project, params={"judge": judge.pk, **params})
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
        assert JudgeCall.objects.count() == len(endpoint.bodies)
        assert stored_cost() == endpoint.charged * PRICE == Decimal(str(job.result["cost_usd"]))
        assert stored_tokens() == endpoint.charged * TOKENS == job.result["tokens"]
        assert JudgeCall.objects.filter(state__in=["answered", "lost"]).count() == endpoint.charged
        assert JudgeCall.objects.filter(state="lost").count() >= 2 * CONCURRENCY
        return endpoint

    return run


def demo_project(_folder: Path) -> Project:
    """Return the first project that `make demo` creates, with its ratings and its rule judge."""
    for account in SAMPLE_ACCOUNTS:
        person(account.username)
    demo.load(lambda step: None)
    return Project.objects.get(slug="demo")


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "create", [demo_project, *(partial(qasper_project, name) for name in SAMPLES)], ids=["demo", *SAMPLES]
)
def test_a_worker_killed_twice_ends_with_each_item_judged_once_and_the_sum_of_costs_right(
    create, run_with_two_kills, tmp_path
):
    project = create(tmp_path)
    endpoint = run_with_two_kills(project, [*FAULTS, *LATE])
    judge = Judge.objects.get(name="small")
    verdicts, items = Verdict.objects.filter(judge=judge), judged_items(project).order_by("pk").values_list("pk")
    assert list(verdicts.order_by("item").values_list("item")) == list(items)
    rated, failed = verdicts.filter(state="rated"), verdicts.filter(state="failed")
    assert failed.count() == 2  # the answers that the endpoint withheld
    ratings = Rating.objects.filter(role="judge", rater=judge.user)
    assert list(ratings.order_by("item").values_list("item")) == list(rated.order_by("item").values_list("item"))
    assert JudgeRun.objects.get(judge=judge).ended == "done"
    # Answers that were lost by a kill, cut, unreadable, invalid or late are charged, too; each is asked for once more.
    repeated = 2 * CONCURRENCY + 2 * len(("cut", "junk")) + 2 * len((INVALID_JSON, WRONG_OPTION, REFUSAL)) + len(LATE)
    assert endpoint.charged == len(items) + repeated
    assert (endpoint.statuses[429], endpoint.statuses[500]) == (2, 2)
    assert JudgeCall.objects.filter(error__icontains="timed out").count() == len(LATE)


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_worker_killed_twice_keeps_within_its_budget_of_tokens(run_with_two_kills):
    budget = 80 * TOKENS
    endpoint = run_with_two_kills(study(prompts=10, sentences=8).project, budget_tokens=budget)
    assert JudgeRun.objects.get().ended == "budget"
    assert budget - 2 * TOKENS < endpoint.charged * TOKENS <= budget
    rated = Verdict.objects.filter(state="rated").count()
    assert rated == Rating.objects.filter(role="judge").count() == Rating.objects.values("item").distinct().count() < 60


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
