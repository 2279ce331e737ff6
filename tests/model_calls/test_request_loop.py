"""Runs of a model at a local endpoint, with faults: one verdict an item, and costs that are those charged."""

import json
import math
from decimal import Decimal

import pytest

from annotation import jobs
from annotation.jobs import Progress, Stopped
from annotation.judging.estimate import estimate_run
from annotation.judging.judges import repeat_judge
from annotation.judging.run import RUN_JUDGE, run_judge
from annotation.model_calls import request_queue
from annotation.model_calls.costs import Budget, Spending
from annotation.model_calls.errors import ModelError
from annotation.model_calls.runs import RunLimits
from annotation.models import JudgeCall, JudgeRun, Rating, Verdict
from tests.judging.fake_endpoint import GOOD, completion, fake_endpoint, tokens_by_hash
from tests.judging.judges import PRICE, TOKENS, model_judge, price_of, run_small, stored_cost, stored_tokens

pytestmark = [pytest.mark.django_db, pytest.mark.study(prompts=2, sentences=3)]


@pytest.fixture(autouse=True)
def _short_pauses(monkeypatch):
    monkeypatch.setattr(request_queue, "FIRST_PAUSE", 0.01)


def states():
    return list(JudgeCall.objects.order_by("id").values_list("state", flat=True))


def test_each_item_is_judged_once_with_reason_quote_and_cost(june):
    with fake_endpoint() as endpoint:
        result = run_judge(model_judge(endpoint, key="sk-secret"), june.project)
        assert run_judge(model_judge(endpoint), june.project).calls.requests == 0
    assert (result.new, result.failed, result.missing, result.calls.requests) == (6, 0, 0, 6)
    assert result.cost_usd == 6 * PRICE == stored_cost()
    rating = Rating.objects.filter(role="judge").first()
    assert (rating.answers, rating.comment) == ({"accuracy": "accurate"}, "It is there.")
    assert rating.rater.username == "small@1"
    assert [passage["text"] for passage in rating.evidence] == ["Terns fly further"]
    assert Verdict.objects.filter(state="rated", quote_found=True, cost=PRICE, confidence=None).count() == 6
    call = JudgeCall.objects.first()
    assert (call.state, call.http_status, call.attempt, call.sample) == ("answered", 200, 1, 1)
    assert "Sentence number" in str(call.request) and "heron." not in call.request["messages"][0]["content"]
    assert endpoint.keys[0] == "Bearer sk-secret"
    assert "sk-secret" not in str(list(JudgeCall.objects.values())) + str(list(JudgeRun.objects.values()))


def test_a_key_that_the_endpoint_returns_is_not_stored(june):
    cut_in_the_key = {"choices": "x" * 482 + "sk-secret"}  # of a body without an answer 500 characters are stored
    answer = completion({**GOOD, "reason": "Authorization: Bearer sk-secret"})
    run_small(june.project, faults=[cut_in_the_key, answer], limit=1, key="sk-secret")
    assert states() == ["lost", "answered"]
    assert Verdict.objects.get().reason == "Authorization: Bearer …"
    stored = str(list(JudgeCall.objects.values())) + str(list(Verdict.objects.values()))
    assert "sk-s" not in stored


@pytest.mark.parametrize(
    ("faults", "expected"),
    [
        ([(429, {"retry-after": "0.05"})], ["failed", "answered"]),
        ([500, 503], ["failed", "failed", "answered"]),
        (["cut"], ["lost", "answered"]),
        (["junk"], ["lost", "answered"]),
        ([("slow", 0.6)], ["lost", "answered"]),
        ([completion("no JSON"), completion('{"answers": {"accu')], ["answered", "answered"]),
        ([{"answers": {"accuracy": "perfect"}}], ["answered", "answered"]),
        ([{"answers": {"accuracy": "inaccurate"}}], ["answered", "answered"]),
        ([completion("I cannot help with that.", finish_reason="refusal")], ["answered", "answered"]),
        ([[1, 2]], ["answered", "answered"]),
    ],
)
def test_faults_are_repeated_or_repaired_and_costs_are_those_charged(june, faults, expected):
    result, endpoint = run_small(june.project, faults=faults, limit=1, timeout=0.3)
    assert states() == expected
    assert result.cost_usd == PRICE * endpoint.charged
    assert not JudgeCall.objects.filter(state__in=["lost", "answered"], prompt_tokens=None).exists()
    assert JudgeCall.objects.filter(is_estimated=True).count() == expected.count("lost")
    verdict = Verdict.objects.get()
    failed = len(faults) > 1 and "failed" not in expected
    assert (verdict.state, bool(verdict.problem)) == (("failed", True) if failed else ("rated", False))


def test_a_lost_request_has_the_tokens_of_its_repetition_also_where_another_answer_was_charged(june):
    lengths = iter([7, 31, 50])
    with fake_endpoint(faults=["cut", "cut"]) as endpoint:
        endpoint.count_tokens = lambda body: (1_000, next(lengths))
        result = run_judge(model_judge(endpoint), june.project, RunLimits(limit=1))
    assert endpoint.charged_tokens == [(1_000, 7), (1_000, 31), (1_000, 50)]
    calls = JudgeCall.objects.order_by("id").values_list("state", "prompt_tokens", "completion_tokens", "is_estimated")
    assert list(calls) == [("lost", 1_000, 50, True)] * 2 + [("answered", 1_000, 50, False)]
    assert result.cost_usd == price_of([(1_000, 50)] * 3)
    assert Verdict.objects.get().cost == price_of([(1_000, 50)])


def test_a_lost_request_that_is_never_answered_is_estimated_by_lengths(june, monkeypatch):
    monkeypatch.setattr(request_queue, "ATTEMPTS", 1)
    with fake_endpoint(faults=[None, None, "cut"]) as endpoint:
        endpoint.count_tokens = lambda body: (1_000, 30 if len(endpoint.bodies) == 1 else 41)
        result = run_judge(model_judge(endpoint, concurrency=1), june.project, RunLimits(limit=3))
    assert (result.new, result.calls.unanswered, states()) == (2, 1, ["answered", "answered", "lost"])
    lost = JudgeCall.objects.get(state="lost")
    text = "".join(message["content"] for message in lost.request["messages"])
    length = len(text) + len(json.dumps(endpoint.bodies[-1]["response_format"]))
    assert (lost.prompt_tokens, lost.completion_tokens, lost.is_estimated) == (math.ceil(length / 4), 36, True)
    assert result.cost_usd == price_of([(1_000, 30), (1_000, 41), (lost.prompt_tokens, 36)])


def test_a_lost_request_that_the_cache_answers_has_the_tokens_of_that_answer(june, monkeypatch):
    monkeypatch.setattr(request_queue, "ATTEMPTS", 1)
    with fake_endpoint(faults=[None, "cut"]) as endpoint:
        endpoint.count_tokens = tokens_by_hash
        first, other = model_judge(endpoint, concurrency=1), model_judge(endpoint, concurrency=2)
        run_judge(other, june.project, RunLimits(limit=1))
        run_judge(other, june.project, RunLimits(limit=1))
        lost = JudgeCall.objects.get(state="lost")
        unknown = {"prompt_tokens": None, "completion_tokens": None, "cost": None, "is_estimated": False}
        JudgeCall.objects.filter(pk=lost.pk).update(state="sent", **unknown)  # as if its process was killed
        assert run_judge(first, june.project).new == 6
        result = run_judge(other, june.project)
    assert (result.new, result.calls.requests, result.calls.cached) == (5, 0, 5)
    lost.refresh_from_db()
    assert (lost.state, lost.is_estimated) == ("lost", True)
    assert (lost.prompt_tokens, lost.completion_tokens) == tokens_by_hash(lost.request)
    assert stored_cost() == price_of(endpoint.charged_tokens)


def test_an_answer_that_stays_invalid_fails_is_counted_and_not_guessed(june):
    with fake_endpoint(lambda body: {"answers": {"accuracy": "perfect"}}) as endpoint:
        result = run_judge(model_judge(endpoint), june.project)
        assert (result.new, result.failed, result.calls.requests) == (0, 6, 12)
        repair = next(body for body in endpoint.bodies if len(body["messages"]) == 4)
        assert "'perfect' is not one of the options" in repair["messages"][3]["content"]
        assert run_judge(model_judge(endpoint), june.project).calls.requests == 0
        endpoint.answer = lambda body: GOOD
        again = run_judge(model_judge(endpoint), june.project, RunLimits(retry_failed=True))
    assert (again.new, Verdict.objects.filter(state="rated", problem="").count()) == (6, 6)


def test_passages_alone_are_sent_if_the_judge_sees_them_and_a_quote_of_nothing_is_no_evidence(june):
    _, endpoint = run_small(
        june.project, lambda body: {**GOOD, "quote": "Gulls eat chips"}, limit=1, context="passages"
    )
    assert "No passage shares a word with it." in endpoint.bodies[0]["messages"][1]["content"]
    verdict = Verdict.objects.get()
    assert (verdict.quote, verdict.quote_found, verdict.rating.evidence) == ("Gulls eat chips", False, [])


@pytest.mark.parametrize("accepted", ["json_object", "text"])
def test_an_endpoint_without_json_schema_is_asked_in_a_plainer_form_which_is_remembered(june, accepted):
    with fake_endpoint() as endpoint:
        endpoint.accepts = (accepted,)
        judge = model_judge(endpoint)
        run_judge(judge, june.project, RunLimits(limit=2))
        refused = endpoint.statuses[400]
        assert refused == (1 if accepted == "json_object" else 2)
        result = run_judge(judge, june.project)
    assert (endpoint.statuses[400], result.new) == (refused, 4)
    assert set(JudgeRun.objects.values_list("response_format", flat=True)) == {accepted}


def test_an_endpoint_that_names_the_limit_of_answers_otherwise_is_asked_so(june):
    with fake_endpoint() as endpoint:
        endpoint.limit_name = "max_completion_tokens"
        judge = model_judge(endpoint)
        assert run_judge(judge, june.project, RunLimits(limit=2)).calls.requests == 3
        again = run_judge(model_judge(endpoint, concurrency=1), june.project, RunLimits(limit=2))
    assert (again.new, again.calls.cached) == (2, 1)


@pytest.mark.study(prompts=5, sentences=6)
def test_requests_that_are_all_refused_end_the_run_and_leave_the_items_missing(june):
    with fake_endpoint(faults=[422] * 50) as endpoint, pytest.raises(ModelError, match="HTTP 422"):
        run_judge(model_judge(endpoint), june.project)
    assert len(endpoint.bodies) == 20
    assert not Verdict.objects.exists()


def test_a_refused_request_fails_its_item_alone(june):
    result, _ = run_small(june.project, faults=[GOOD, 422])
    assert (result.new, result.failed) == (5, 1)
    assert Verdict.objects.get(state="failed").problem.startswith("HTTP 422: ")


def test_samples_vote_and_their_share_is_the_confidence(june):
    answers = {1: "accurate", 2: "inaccurate", 3: "accurate"}
    count = iter(range(1, 100))
    bad = {"answers": {"accuracy": "inaccurate", "severity": "severe"}, "reason": "No.", "quote": ""}

    def answer(body):
        return GOOD if answers[next(count)] == "accurate" else bad

    run_small(june.project, answer, limit=1, samples=3, temperature=1.0, concurrency=1)
    verdict = Verdict.objects.get()
    assert verdict.rating.answers == {"accuracy": "accurate"}
    assert verdict.confidence == pytest.approx(2 / 3)
    assert verdict.votes == [{"accuracy": "accurate"}, bad["answers"], {"accuracy": "accurate"}]
    assert verdict.cost == 3 * PRICE


def test_log_probabilities_are_the_confidence(june):
    text = '{"answers": {"accuracy": "accurate", "severity": null}, "reason": "", "quote": ""}'
    tokens = [text[:26], "acc", "urate", text[34:]]
    content = [{"token": token, "logprob": -0.1} for token in tokens]
    body = completion(text, logprobs={"content": content})
    _, endpoint = run_small(june.project, faults=[body], limit=1, logprobs=True)
    assert endpoint.bodies[0]["logprobs"] is True
    assert Verdict.objects.get().confidence == pytest.approx(2.718281828**-0.2)


def test_a_whole_response_is_rated_with_one_request(june):
    entries = [{"number": n, **GOOD} for n in (1, 2, 3)]
    result, endpoint = run_small(
        june.project, lambda body: {"items": entries}, faults=[{"items": entries[:2]}], request_unit="response"
    )
    assert (result.new, result.calls.requests) == (6, 3)
    (repair,) = (body for body in endpoint.bodies if len(body["messages"]) == 4)
    assert "one entry for each number from 1 to 3" in repair["messages"][3]["content"]
    assert sum(Verdict.objects.values_list("cost", flat=True)) == pytest.approx(3 * PRICE, abs=Decimal("1e-6"))


@pytest.mark.parametrize(
    ("budget", "prices"),
    [
        ({"budget_usd": 3 * PRICE + Decimal("0.0005")}, {}),
        ({"budget_tokens": 3 * TOKENS + 500}, {"input_price": None, "output_price": None}),
    ],
)
def test_a_budget_of_money_or_tokens_stops_before_it_is_exceeded_and_the_next_run_continues(june, budget, prices):
    with fake_endpoint() as endpoint:
        judge = model_judge(endpoint, max_tokens=60, **prices)
        first = run_judge(judge, june.project, RunLimits(**budget))
        assert first.run.ended == "budget" and 1 <= first.new <= 3
        assert first.tokens == first.new * TOKENS == stored_tokens() == first.as_json()["tokens"]
        second = run_judge(judge, june.project)
    assert (first.new + second.new, second.run.ended, second.tokens) == (6, "done", second.new * TOKENS)
    assert stored_cost() == (0 if prices else 6 * PRICE)


def test_a_later_run_keeps_its_budget_at_an_endpoint_that_counts_more_tokens_than_expected(june, monkeypatch):
    monkeypatch.setattr("tests.judging.fake_endpoint.PROMPT_TOKENS", 3_000)
    with fake_endpoint() as endpoint:
        judge = model_judge(endpoint, max_tokens=60, concurrency=6)
        run_judge(judge, june.project, RunLimits(limit=1))
        second = run_judge(judge, june.project, RunLimits(budget_tokens=7_000))
    assert (second.run.ended, 3_000 < second.tokens <= 7_000) == ("budget", True)


def test_a_continued_run_charges_its_budget_with_the_requests_that_were_lost(june):
    budget = 8 * PRICE
    with fake_endpoint() as endpoint:
        judge = model_judge(endpoint, concurrency=1, max_tokens=60)
        job = jobs.create(RUN_JUDGE, project=june.project, params={"judge": judge.pk})
        estimate_run(judge, june.project, job=job)
        JudgeRun.objects.update(is_estimate=False, budget_usd=budget, ended="", ended_at=None)
        JudgeCall.objects.update(state="sent", answer="", prompt_tokens=None, completion_tokens=None, cost=None)
        result = run_judge(judge, june.project, RunLimits(budget_usd=budget), job=job)
    assert (result.run, result.run.ended) == (JudgeRun.objects.get(), "budget")
    assert 6 < endpoint.charged <= 8
    assert result.cost_usd <= budget


def test_a_lost_request_counts_with_what_its_repetition_took(june):
    once = Spending(PRICE, TOKENS)
    with fake_endpoint() as endpoint:
        budget = Budget(model_judge(endpoint, max_tokens=60), Decimal(1), 10_000, once)
    for key, bound in {"a": once + once + once, "b": once + once}.items():
        budget.charge_lost(key, bound)
    assert budget.spent == Spending(6 * PRICE, 6 * TOKENS)
    budget.settle_lost("a", once)
    budget.settle_lost("a", once)
    assert budget.spent == Spending(4 * PRICE, 4 * TOKENS)


def test_a_continued_repetition_of_failed_items_asks_about_none_again(june):
    with fake_endpoint(lambda body: {"answers": {"accuracy": "perfect"}}) as endpoint:
        judge = model_judge(endpoint, concurrency=1)
        run_judge(judge, june.project)
        job = jobs.create(RUN_JUDGE, project=june.project, params={"judge": judge.pk})
        run_judge(judge, june.project, RunLimits(retry_failed=True, limit=2), job=job)
        assert endpoint.charged == 12 + 4
        answered = JudgeCall.objects.filter(run__job=job)[2:]
        Verdict.objects.filter(run__job=job, item=answered[0].item_id).update(run=JudgeRun.objects.get(job=None))
        JudgeRun.objects.filter(job=job).update(limit=None)
        result = run_judge(judge, june.project, RunLimits(retry_failed=True), job=job)
    assert (result.failed, result.calls.requests, result.calls.cached) == (5, 8, 2)
    assert Verdict.objects.filter(run__job=job, state="failed").count() == 6


@pytest.mark.parametrize("status", [401, 403, 404])
def test_an_endpoint_that_refuses_access_ends_the_run_and_nothing_is_judged(june, status):
    with fake_endpoint(faults=[status] * 50) as endpoint:
        with pytest.raises(ModelError, match="needs the prices"):
            judge = model_judge(endpoint, "free", input_price=None, output_price=None)
            run_judge(judge, june.project, RunLimits(budget_usd=Decimal("1")))
        with pytest.raises(ModelError, match=f"HTTP {status}"):
            run_judge(model_judge(endpoint), june.project)
        assert len(endpoint.bodies) == 1
    assert not Verdict.objects.exists()
    assert JudgeRun.objects.latest("pk").ended == "failed"


def test_an_endpoint_that_never_answers_leaves_the_items_missing(june, monkeypatch):
    monkeypatch.setattr(request_queue, "ATTEMPTS", 2)
    with fake_endpoint(faults=[500] * 6) as endpoint:
        judge = model_judge(endpoint, concurrency=1)
        result = run_judge(judge, june.project, RunLimits(limit=3))
        assert (result.new, result.calls.unanswered, result.missing) == (0, 3, 6)
        assert JudgeRun.objects.get().ended == "failed"
        again = run_judge(judge, june.project)
    assert (again.missing, again.run.ended) == (0, "done")


def test_nobody_listens(june, monkeypatch):
    monkeypatch.setattr(request_queue, "ATTEMPTS", 2)
    with fake_endpoint() as endpoint:
        judge = model_judge(endpoint)
    result = run_judge(judge, june.project, RunLimits(limit=1))
    assert (result.new, result.calls.unanswered, states(), result.cost_usd) == (0, 1, ["failed", "failed"], 0)


def test_the_cache_answers_what_another_version_asked_alike_but_for_the_first_which_says_the_model(june):
    with fake_endpoint() as endpoint:
        run_judge(model_judge(endpoint), june.project)
        other = model_judge(endpoint, concurrency=2)
        result = run_judge(other, june.project)
    assert other.version == 2
    assert (result.new, result.calls.requests, result.calls.cached, result.cost_usd) == (6, 1, 5, PRICE)


def test_a_canceled_run_stores_what_was_on_its_way(june):
    def stop(progress):
        progress.stopped.set()

    with fake_endpoint() as endpoint:
        judge = model_judge(endpoint)
        with pytest.raises(Stopped):
            run_judge(judge, june.project, progress=Progress(stop))
        assert JudgeRun.objects.get().ended == "stopped"
        assert not JudgeCall.objects.filter(state="sent").exists()
        assert run_judge(judge, june.project).missing == 0
    assert Verdict.objects.count() == 6


def test_a_repetition_of_a_judge_asks_anew_but_reuses_its_own_answers(june):
    with fake_endpoint() as endpoint:
        first = model_judge(endpoint)
        run_judge(first, june.project)
        assert run_judge(model_judge(endpoint, "another"), june.project).calls.cached == 5  # but the first
        again = repeat_judge("small")
        estimate_run(again, june.project)
        result = run_judge(again, june.project)
    assert (result.calls.requests, result.calls.cached, result.new) == (0, 6, 6)
    assert JudgeCall.objects.filter(run__judge=again).count() == 6
