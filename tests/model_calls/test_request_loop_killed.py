"""A worker that is killed twice, and many requests at once: none lost, none twice, and the costs are those charged.

The endpoint counts other tokens for each request, but the same for the same one: the costs of lost requests are exact.
"""

import itertools
import threading
from collections import Counter
from collections.abc import Callable
from decimal import Decimal
from functools import partial
from pathlib import Path

import pytest

from annotation import jobs
from annotation.judging.run import RUN_JUDGE, run_judge, run_judge_job
from annotation.judging.workload import judged_items
from annotation.model_calls import request_queue
from annotation.models import Job, Judge, JudgeCall, JudgeRun, Project, Rating, Verdict
from annotation.quickstart import demo
from annotation.quickstart.accounts import SAMPLE_ACCOUNTS
from tests.cast import person, study
from tests.judging.fake_endpoint import GOOD, FakeEndpoint, completion, fake_endpoint, hash_of, tokens_by_hash
from tests.judging.judges import TOKENS, model_judge, price_of, stored_cost, stored_tokens
from tests.judging.qasper_samples import SAMPLES, qasper_project
from tests.model_calls.killed_workers import Gate, kill_worker

CONCURRENCY = 8
TIMEOUT = 5.0  # seconds
WITHHELD = completion("", finish_reason="content_filter")
WRONG_OPTION = {"answers": {"accuracy": "perfect", "severity": None}, "reason": "", "quote": ""}
REFUSAL, INVALID_JSON = "I cannot help with that.", '{"answers": {"accuracy": "accu'
INVALID = [INVALID_JSON, WRONG_OPTION, REFUSAL, WITHHELD] * 2
FAULTS = [(429, {"retry-after": "0.1"}), 500, "cut", "junk", ("slow", 0.5)]
LATE = [("slow", TIMEOUT + 2)] * 2  # for a time after both kills: otherwise one could be before the timeout


def stored_usage() -> Counter:
    """Return how often which tokens are stored. Check those of each request, and that those of lost ones are marked."""
    calls = JudgeCall.objects.filter(state__in=["answered", "lost"])
    for call in calls:
        assert (call.prompt_tokens, call.completion_tokens) == tokens_by_hash(call.request), call.state
        assert call.cost == price_of([tokens_by_hash(call.request)])
        assert call.is_estimated == (call.state == "lost")
    return Counter(calls.values_list("prompt_tokens", "completion_tokens"))


@pytest.fixture
def run_with_kills(start_celery_worker, wait_until):
    """Let a judge rate a project by a job with these params, whose worker is killed at the requests `kills`."""

    def run(project: Project, kills: tuple[int, ...], finish: Callable[[Job], None], late=(), **params) -> FakeEndpoint:
        gate, invalid = Gate(*kills), iter(INVALID)

        def answer(body):
            number, is_held = gate.wait()
            return GOOD if number % 5 or len(body["messages"]) > 2 or is_held else next(invalid, GOOD)

        with fake_endpoint(answer, faults=[None, *FAULTS, *[None] * 70, *late]) as endpoint:
            endpoint.count_tokens = tokens_by_hash
            judge = model_judge(endpoint, concurrency=CONCURRENCY, max_tokens=60, timeout=TIMEOUT)
            job = jobs.create(RUN_JUDGE, project=project, params={"judge": judge.pk, **params})
            for number in range(1, len(kills) + 1):
                kill_worker(job, gate, endpoint, start_celery_worker, wait_until, CONCURRENCY)
                assert JudgeCall.objects.filter(state="sent").count() == CONCURRENCY, number
            finish(job)
        job.refresh_from_db()
        assert (job.state, job.problems) == ("done", [])
        assert JudgeCall.objects.count() == len(endpoint.bodies)
        assert stored_cost() == price_of(endpoint.charged_tokens) == Decimal(str(job.result["cost_usd"]))
        assert stored_tokens() == sum(map(sum, endpoint.charged_tokens)) == job.result["tokens"]
        assert stored_usage() == Counter(endpoint.charged_tokens)
        assert JudgeCall.objects.filter(state="lost").count() >= len(kills) * CONCURRENCY
        return endpoint

    return run


def demo_project(_folder: Path) -> Project:
    """Return the first project that `make demo` creates, with its ratings and its rule judge."""
    for account in SAMPLE_ACCOUNTS:
        person(account.username)
    demo.load(lambda step: None)
    return Project.objects.get(slug="demo")


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "create",
    [
        pytest.param(demo_project, id="demo"),
        *(pytest.param(partial(qasper_project, name), id=name, marks=pytest.mark.exhaustive) for name in SAMPLES),
    ],
)
def test_a_worker_killed_twice_ends_with_each_item_judged_once_and_the_sum_of_costs_right(
    create, run_with_kills, start_celery_worker, wait_until, tmp_path
):
    def finish(job):
        start_celery_worker()
        wait_until(lambda: Job.objects.get(pk=job.pk).state not in Job.OPEN, seconds=120)

    project = create(tmp_path)
    endpoint = run_with_kills(project, (12, 50), finish, [*FAULTS, *LATE])
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
    assert JudgeCall.objects.filter(error__icontains="no complete reply within").count() == len(LATE)


@pytest.mark.django_db(transaction=True)
def test_a_run_whose_worker_was_killed_keeps_within_its_budget_of_tokens(run_with_kills):
    budget, june = 50 * TOKENS, study(prompts=10, sentences=5)
    endpoint = run_with_kills(june.project, (12,), lambda job: jobs.run(job.pk, run_judge_job), budget_tokens=budget)
    assert JudgeRun.objects.get().ended == "budget"
    assert budget - 2 * TOKENS < sum(map(sum, endpoint.charged_tokens)) <= budget
    rated = Verdict.objects.filter(state="rated").count()
    assert rated == Rating.objects.filter(role="judge").count() == Rating.objects.values("item").distinct().count() < 40


def fault_script(body: dict) -> list[object]:
    """Return the faults of a request before it is answered, by its hash: as many as the product's attempts allow."""
    number = hash_of(body) % 100
    if number < 2:
        return [500, "cut", (429, {"retry-after": "0.01"}), "cut", 503, "cut", 500][: request_queue.ATTEMPTS - 1]
    if number == 2:  # few: five of them without an answer in between end a run
        return ["junk"]
    return [[500], [(429, {"retry-after": "0.01"})], ["cut"], ["cut", 500]][number % 4] if number < 30 else []


def is_invalid(body: dict) -> bool:
    """Return whether the answer to this request is invalid, by its hash: one in ten."""
    return hash_of(body) // 100 % 10 == 0


@pytest.mark.django_db
def test_many_items_at_concurrency_32_with_faults_lose_none_and_judge_none_twice(monkeypatch):
    monkeypatch.setattr(request_queue, "FIRST_PAUSE", 0.02)
    june = study(prompts=20, sentences=15)
    sent: Counter = Counter()

    def next_fault(body):
        sent[hash_of(body)] += 1
        return next(iter(fault_script(body)[sent[hash_of(body)] - 1 :]), None)

    numbers, together = itertools.count(1), threading.Barrier(24)

    def answer(body):
        if 0 <= next(numbers) - 100 < together.parties:  # these answers wait for each other
            together.wait(timeout=60)
        return {"answers": {}} if is_invalid(body) else GOOD

    with fake_endpoint(answer) as endpoint:
        endpoint.next_fault, endpoint.count_tokens = next_fault, tokens_by_hash
        judge = model_judge(endpoint, concurrency=32, timeout=Judge().timeout)
        result = run_judge(judge, june.project)
    bodies = {hash_of(body): body for body in endpoint.bodies}
    repairs = [body for body in bodies.values() if len(body["messages"]) > 2]
    failed = sum(map(is_invalid, repairs))
    assert len(bodies) - len(repairs) == 300
    assert len(repairs) == sum(is_invalid(body) for body in bodies.values() if len(body["messages"]) == 2) > 15
    assert (result.new, result.failed, result.missing, result.calls.unanswered) == (300 - failed, failed, 0, 0)
    assert failed > 0
    assert sent == {number: len(fault_script(body)) + 1 for number, body in bodies.items()}
    assert max(sent.values()) == request_queue.ATTEMPTS
    assert together.parties <= endpoint.most_open <= 32
    items = Verdict.objects.values_list("item", flat=True)
    assert len(items) == len(set(items)) == 300
    assert Rating.objects.filter(role="judge").count() == result.new
    assert result.cost_usd == stored_cost() == price_of(endpoint.charged_tokens)
    assert stored_usage() == Counter(endpoint.charged_tokens)
    costs: Counter = Counter()  # of a verdict: its answers with their repairs, without lost requests
    for call in JudgeCall.objects.filter(state="answered"):
        costs[call.item_id] += price_of([tokens_by_hash(call.request)])
    assert dict(Verdict.objects.values_list("item", "cost")) == costs
    assert sum(costs.values()) == price_of(map(tokens_by_hash, bodies.values()))
