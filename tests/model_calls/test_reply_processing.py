"""What an endpoint returns besides the text: its model, whose change ends a run, fingerprints, how an answer ended."""

import itertools
import math

import pytest

from annotation.judging.estimate import estimate_run
from annotation.judging.judges import find_judge
from annotation.judging.project_judges import runs_of
from annotation.judging.run import run_judge
from annotation.model_calls import request_queue
from annotation.model_calls.errors import ModelChanged, ModelError
from annotation.model_calls.runs import RunLimits
from annotation.models import JudgeCall, JudgeRun, Rating, Verdict
from tests.judging.fake_endpoint import GOOD, completion, fake_endpoint
from tests.judging.judges import PRICE, TOKENS, model_judge, run_small, stored_cost

pytestmark = [pytest.mark.django_db, pytest.mark.study(prompts=2, sentences=3)]
OLD, NEW = "tiny-2026-01", "tiny-2026-07"


@pytest.fixture(autouse=True)
def _short_pauses(monkeypatch):
    monkeypatch.setattr(request_queue, "FIRST_PAUSE", 0.01)


@pytest.fixture
def changing_endpoint():
    """An endpoint that answers as OLD three times, and then as NEW."""
    count = itertools.count(1)

    def answer(body):
        endpoint.names = {"model": OLD if next(count) <= 3 else NEW}
        return GOOD

    with fake_endpoint(answer) as endpoint:
        yield endpoint


def test_model_fingerprint_finish_reason_and_the_whole_answer_are_stored_without_the_key(june):
    echo = completion({**GOOD, "reason": "sk-secret"}, finish_reason="stop") | {"model": OLD}
    with fake_endpoint(faults=[echo]) as endpoint:
        endpoint.names = {"model": OLD, "system_fingerprint": "fp_1", "note": "NUL \x00 sk-secret"}
        endpoint.names["bound"] = float("inf")
        run_judge(model_judge(endpoint, key="sk-secret"), june.project, RunLimits(limit=2))
    first, second = JudgeCall.objects.order_by("pk")
    assert (first.returned_model, first.system_fingerprint, first.finish_reason) == (OLD, "", "stop")
    assert (second.returned_model, second.system_fingerprint, second.finish_reason) == (OLD, "fp_1", "")
    assert first.answer_body["choices"][0]["message"]["content"] == first.answer
    assert first.answer_body["usage"]["prompt_tokens"] == first.prompt_tokens
    assert "sk-secret" not in str(first.answer_body) + str(second.answer_body)
    assert (second.answer_body["note"], second.answer_body["bound"]) == ("NUL \ufffd …", "inf")


def test_log_probabilities_whose_tokens_spell_the_key_are_not_stored(june):
    tokens = [{"token": token, "logprob": -0.1, "bytes": list(token.encode())} for token in ("sk-", "secret")]
    echo = completion("sk-secret", logprobs={"content": tokens})
    other = completion(GOOD, logprobs={"content": tokens[:1]})
    run_small(june.project, faults=[echo, other], limit=1, key="sk-secret", logprobs=True)
    first, repair = JudgeCall.objects.order_by("pk")
    assert "logprobs" not in first.answer_body["choices"][0]
    assert repair.answer_body["choices"][0]["logprobs"]["content"] == tokens[:1]


def test_of_a_very_long_answer_the_text_alone_is_stored(june):
    run_small(june.project, faults=[completion(GOOD) | {"padding": "x" * 500_000}], limit=1)
    call = JudgeCall.objects.get()
    assert call.answer_body["left_out"].startswith("500") and "Terns" in call.answer


@pytest.mark.study(prompts=5, sentences=6)
def test_with_requests_at_the_same_time_only_answers_of_the_first_model_become_verdicts(june):
    count = itertools.count(1)

    def answer(body):
        n = next(count)
        endpoint.names = {"model": OLD if n <= 10 else NEW}
        return {**GOOD, "reason": "new" if n > 10 else "old"}

    with fake_endpoint(answer) as endpoint, pytest.raises(ModelChanged):
        run_judge(model_judge(endpoint, concurrency=8), june.project)
    by_old = JudgeCall.objects.filter(returned_model=OLD, state="answered")
    assert set(Verdict.objects.values_list("item", flat=True)) == set(by_old.values_list("item", flat=True))
    assert JudgeCall.objects.filter(returned_model=NEW).count() <= 8


def test_a_run_ends_when_another_model_answers_and_the_next_version_of_the_judge_uses_no_answer_of_either_before(
    june, changing_endpoint
):
    judge = model_judge(changing_endpoint, concurrency=1)
    with pytest.raises(ModelChanged, match=f"now answers as model '{NEW}'.*as model '{OLD}' before"):
        run_judge(judge, june.project)
    assert JudgeRun.objects.get().ended == "model"
    judge.refresh_from_db()
    assert judge.returned_model == OLD
    assert list(JudgeCall.objects.order_by("pk").values_list("returned_model", flat=True)) == [OLD, OLD, OLD, NEW]
    assert Verdict.objects.count() == Rating.objects.filter(role="judge").count() == 3
    assert stored_cost() == 4 * PRICE
    with pytest.raises(ModelChanged):
        run_judge(find_judge("small@1"), june.project)
    second = model_judge(changing_endpoint, concurrency=1)
    assert (second.version, second.returned_model) == (2, None)
    result = run_judge(second, june.project)
    assert (result.new, result.run.ended) == (6, "done")
    assert (result.calls.requests, result.calls.cached) == (6, 0)
    second.refresh_from_db()
    assert second.returned_model == NEW
    assert model_judge(changing_endpoint, concurrency=1) == second


def test_an_endpoint_that_stops_naming_its_model_ends_the_run(june):
    with fake_endpoint() as endpoint:
        endpoint.names = {"model": OLD}
        run_judge(model_judge(endpoint), june.project, RunLimits(limit=2))
        endpoint.names = {}
        with pytest.raises(ModelChanged, match="now answers as a model that it does not name"):
            run_judge(find_judge("small"), june.project)


def test_fingerprints_are_counted_and_end_no_run(june):
    count = itertools.count(1)

    def answer(body):
        endpoint.names = {"model": OLD, "system_fingerprint": "fp_1" if next(count) <= 3 else "fp_2"}
        return GOOD

    with fake_endpoint(answer) as endpoint:
        judge = model_judge(endpoint, concurrency=1, samples=2, temperature=1.0)
        run_judge(judge, june.project, RunLimits(limit=3))
    assert list(Verdict.objects.order_by("pk").values_list("fingerprints", flat=True)) == ["fp_1", "fp_1 fp_2", "fp_2"]
    run = runs_of(june.project).get()
    assert (run.fingerprints, run.tokens, run.ended) == (2, 6 * TOKENS, "limit")


@pytest.mark.parametrize("text", ['{"answers": {"accu', GOOD])
def test_a_cut_answer_is_invalid_even_if_it_can_be_read_and_is_repaired_once(june, text):
    cut = completion(text, finish_reason="length")
    with fake_endpoint(faults=[cut, GOOD, cut, cut]) as endpoint:
        judge = model_judge(endpoint, max_tokens=70)
        result = run_judge(judge, june.project, RunLimits(limit=1))
        assert (result.new, result.calls.requests) == (1, 2)
        assert "It was cut, because it has more than 70 tokens" in endpoint.bodies[1]["messages"][3]["content"]
        again = run_judge(judge, june.project, RunLimits(limit=1))
    assert (again.failed, again.calls.requests) == (1, 2)
    problem = Verdict.objects.get(state="failed").problem
    assert problem == "It was cut, because it has more than 70 tokens (finish_reason: length)."


def test_a_withheld_answer_fails_without_a_repair_also_from_the_cache(june):
    with fake_endpoint(faults=[completion(GOOD, finish_reason="content_filter")]) as endpoint:
        judge = model_judge(endpoint)
        result = run_judge(judge, june.project, RunLimits(limit=1))
        assert (result.failed, result.calls.requests) == (1, 1)
        problem = "The endpoint's filter withheld the answer (finish_reason: content_filter)."
        assert Verdict.objects.get().problem == problem
        Verdict.objects.all().delete()
        again = run_judge(judge, june.project, RunLimits(limit=1))
        assert (again.failed, again.calls.requests, Verdict.objects.get().problem) == (1, 0, problem)
        assert run_judge(judge, june.project, RunLimits(retry_failed=True, limit=1)).new == 1


@pytest.mark.parametrize("work", [run_judge, estimate_run])
def test_an_endpoint_that_sends_web_pages_ends_a_run_and_an_estimate_soon(june, work):
    with fake_endpoint(faults=["junk"] * 50) as endpoint:
        judge = model_judge(endpoint)
        with pytest.raises(ModelError, match=r"answered 5 requests in a row with status 200 but.*starts with '<html>'"):
            work(judge, june.project)
    assert len(endpoint.bodies) == 5
    run = JudgeRun.objects.get()
    assert run.ended == "failed"
    assert run.problem.startswith(f"the endpoint {endpoint.url} answered") and "often ends in /v1" in run.problem
    assert not Verdict.objects.exists()


def test_some_web_pages_between_answers_end_no_run(june):
    result, _ = run_small(june.project, faults=["junk"] * 4 + [GOOD] + ["junk"] * 4, concurrency=1)
    assert (result.new, result.run.ended, result.run.problem) == (6, "done", "")


def test_a_run_without_some_answers_names_the_last_failure(june, monkeypatch):
    monkeypatch.setattr(request_queue, "ATTEMPTS", 2)
    result, _ = run_small(june.project, faults=[GOOD, *[503] * 10], concurrency=1)
    assert (result.new, result.missing, result.run.ended) == (1, 5, "failed")
    assert result.run.problem.startswith("without an answer, and missing for the next run: 5; ")
    assert "HTTP 503" in JudgeRun.objects.get().problem


def test_an_estimate_without_an_answer_has_failed_and_one_of_another_model_ends(june, monkeypatch, changing_endpoint):
    monkeypatch.setattr(request_queue, "ATTEMPTS", 1)
    with fake_endpoint(faults=[503] * 6) as endpoint, pytest.raises(ModelError, match="nothing can be estimated"):
        estimate_run(model_judge(endpoint), june.project)
    assert JudgeRun.objects.get().ended == "failed"
    with pytest.raises(ModelChanged):
        estimate_run(model_judge(changing_endpoint, "other"), june.project)
    assert JudgeRun.objects.latest("pk").ended == "model"


def test_a_run_still_counts_what_a_later_run_has_repeated(june):
    with fake_endpoint(lambda body: {"answers": {"accuracy": "perfect"}}) as endpoint:
        judge = model_judge(endpoint)
        run_judge(judge, june.project)
        endpoint.answer = lambda body: GOOD
        run_judge(judge, june.project, RunLimits(retry_failed=True, limit=4))
    second, first = runs_of(june.project)
    assert (first.failures, first.still_failed, first.replaced) == (6, 2, 4)
    assert (second.rated, second.failures, second.replaced) == (4, 0, 0)


DRAFT = '<think>Perhaps {"answers": {"accuracy": "accurate"}}?</think>\n'
FINAL = '{"answers": {"accuracy": "inaccurate", "severity": "severe"}, "reason": "No.", "quote": ""}'


@pytest.mark.parametrize(
    "message",
    [
        {"content": DRAFT + FINAL},
        {"content": FINAL, "reasoning": DRAFT},
        {"content": [{"type": "thinking", "thinking": DRAFT}, {"type": "text", "text": FINAL}]},
    ],
)
def test_a_verdict_is_that_of_the_answer_and_the_reasoning_is_kept(june, message):
    reply = completion("") | {"choices": [{"message": {"role": "assistant", **message}}]}
    with fake_endpoint(faults=[reply]) as endpoint:
        assert run_judge(model_judge(endpoint), june.project, RunLimits(limit=1)).calls.requests == 1
    call = JudgeCall.objects.get()
    assert (call.answer, "Perhaps" in call.reasoning) == (FINAL, True)
    assert Rating.objects.get(role="judge").answers == {"accuracy": "inaccurate", "severity": "severe"}


def test_the_confidence_is_that_of_the_answer_and_not_of_its_draft(june):
    tokens = [(DRAFT, -3.0), (FINAL.partition("inaccurate")[0], -0.5), ("inaccurate", -0.25)]
    tokens.append((FINAL.partition("inaccurate")[2], -0.5))
    logprobs = {"content": [{"token": token, "logprob": logprob} for token, logprob in tokens]}
    run_small(june.project, faults=[completion(DRAFT + FINAL, logprobs=logprobs)], limit=1, logprobs=True)
    assert Verdict.objects.get().confidence == pytest.approx(math.exp(-0.25))
