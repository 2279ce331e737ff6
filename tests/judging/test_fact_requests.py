"""Fact-QA at a local endpoint: two requests for each response, in both modes, with unreadable answers and costs."""

from decimal import Decimal

import pytest

from annotation.judging.estimate import estimate_run
from annotation.judging.judges import create_judge
from annotation.judging.run import run_judge
from annotation.model_calls.errors import ModelError
from annotation.model_calls.runs import RunLimits
from annotation.models import Exclusion, FactScore, Judge, JudgeCall, JudgeRun, Rating, Sheet, Verdict
from tests.cast import person
from tests.fact_qa_studies import FACTS, fact_qa_study, prompt
from tests.judging.fake_endpoint import answer_fact_qa, completion, count_facts, fake_endpoint
from tests.judging.judges import MODES, PRICE, fact_judge, stored_cost

pytestmark = pytest.mark.django_db


@pytest.fixture
def june(tmp_path):
    return fact_qa_study(tmp_path, (prompt(number) for number in range(6)))


def expected_f1(precision, recall):
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def score_next(project, judge, endpoint, answer):
    """Let the endpoint answer the first request about the next response so; return its score and the run's result."""
    endpoint.faults = [completion(answer)]
    result = run_judge(judge, project, RunLimits(limit=1))
    return FactScore.objects.order_by("pk").last(), result


@pytest.mark.parametrize("mode", MODES)
def test_each_response_has_precision_recall_and_f1_from_two_requests(june, mode):
    with fake_endpoint(answer_fact_qa) as endpoint:
        judge = fact_judge(endpoint, mode)
        result = run_judge(judge, june)
        assert run_judge(judge, june).calls.requests == 0
    assert (result.new, result.failed, result.missing, result.calls.requests) == (6, 0, 0, 12)
    assert result.cost_usd == 12 * PRICE == stored_cost()
    for score in FactScore.objects.select_related("response__prompt"):
        response, reference = score.response.text, score.response.prompt.reference
        supported, total = count_facts(response, reference)
        contained, wanted = count_facts(reference, response)
        assert (score.precision, score.recall) == (supported / total, contained / wanted)
        assert score.f1 == pytest.approx(expected_f1(score.precision, score.recall))
        assert [score.counts[name]["supported"] for name in ("precision", "recall")] == [supported, contained]
        assert (score.state, score.unreadable, score.cost) == ("scored", 0, 2 * PRICE)
    assert not Verdict.objects.exists() and not Rating.objects.exists()
    assert {body["temperature"] for body in endpoint.bodies} == {0}
    formats = {body.get("response_format", {}).get("type") for body in endpoint.bodies}
    assert formats == ({None} if mode == "published" else {"json_schema"})


def test_the_strict_mode_lists_each_fact_with_its_support_also_in_a_plainer_form(june):
    with fake_endpoint(answer_fact_qa) as endpoint:
        endpoint.accepts = ("text",)
        assert run_judge(fact_judge(endpoint), june).new == 6
    assert JudgeRun.objects.get().response_format == "text"
    counts = FactScore.objects.get(response__key="r003").counts  # all four facts but the first; the reference has one
    assert counts["precision"] == {"supported": 0, "facts": 3, "list": [[fact, False] for fact in FACTS[1:]]}
    assert counts["recall"] == {"supported": 0, "facts": 1, "list": [[FACTS[0], False]]}


def test_an_unreadable_answer_counts_0_in_the_published_mode_and_is_not_repaired(june):
    unreadable = ["I cannot say.", "Score: 3/2", "Score: 0/0", "Score: 1.2.3/4", "Score: two/three", ""]
    with fake_endpoint(answer_fact_qa) as endpoint:
        judge = fact_judge(endpoint, "published", concurrency=1)
        for answer in unreadable:
            score, result = score_next(june, judge, endpoint, answer)
            assert (result.new, result.calls.requests) == (1, 2)
            assert (score.precision, score.recall is None, score.f1, score.unreadable) == (0.0, False, 0.0, 1), answer
            assert (score.state, score.counts["precision"]) == ("scored", None)


FACT = '{"facts": [{"fact": "The exam is in %s", "supported": %s}]}'


def test_the_first_score_counts_also_with_decimals_as_the_published_program_reads_it(june):
    scores = {
        "Score: 1/3\nScore: 2/3": 1 / 3,
        "**Score: 1.5/2**": 0.75,
        "<think>Score: 3/3?</think>\nScore: 1/2": 0.5,
        "Score: 3/3? No.\n[/THINK]Score: 1/2": 0.5,
    }
    with fake_endpoint(answer_fact_qa) as endpoint:
        judge = fact_judge(endpoint, "published", concurrency=1)
        for text, value in scores.items():
            assert score_next(june, judge, endpoint, text)[0].precision == value, text


def test_an_unreadable_answer_is_repaired_once_in_the_strict_mode(june):
    wrong_facts = (3, ["It is."], [{"fact": " ", "supported": True}], [{"fact": "It is.", "supported": "yes"}])
    unreadable = ["no JSON", *({"facts": facts} for facts in wrong_facts)]
    with fake_endpoint(answer_fact_qa) as endpoint:
        judge = fact_judge(endpoint, concurrency=1)
        for number, answer in enumerate(unreadable, start=1):
            score, result = score_next(june, judge, endpoint, answer)
            assert (result.new, result.failed, result.calls.requests) == (1, 0, 3), answer
            assert JudgeCall.objects.filter(is_repair=True).count() == number
            assert score.cost == 3 * PRICE


def test_one_that_stays_unreadable_fails_is_counted_and_not_guessed(june):
    with fake_endpoint(lambda body: "no JSON") as endpoint:
        judge = fact_judge(endpoint)
        result = run_judge(judge, june)
        assert (result.new, result.failed, result.calls.requests, result.run.ended) == (0, 6, 24, "done")
        score = FactScore.objects.first()
        assert (score.state, score.precision, score.recall, score.f1) == ("failed", None, None, None)
        assert score.problem == "It has no JSON object."
        endpoint.answer = answer_fact_qa
        assert run_judge(judge, june).calls.requests == 0
        again = run_judge(judge, june, RunLimits(retry_failed=True))
    assert (again.new, FactScore.objects.filter(state="scored", problem="").count()) == (6, 6)


def test_a_response_without_facts_has_no_precision_and_the_facts_after_the_reasoning_count(june):
    thought = f"<think>{FACT % ('June', 'true')}?</think>\n{FACT % ('May', 'false')}"
    with fake_endpoint(answer_fact_qa) as endpoint:
        judge = fact_judge(endpoint, concurrency=1)
        score, _ = score_next(june, judge, endpoint, {"facts": []})
        assert (score.state, score.precision, score.recall, score.f1) == ("scored", None, 1.0, None)
        score, _ = score_next(june, judge, endpoint, thought)
    assert score.counts["precision"]["list"] == [["The exam is in May", False]]


def test_a_refused_request_fails_its_response_in_both_modes(june):
    for mode in MODES:
        with fake_endpoint(answer_fact_qa) as endpoint:
            judge = fact_judge(endpoint, mode, concurrency=1)
            run_judge(judge, june, RunLimits(limit=1))
            endpoint.faults = [422]
            assert run_judge(judge, june).failed == 1
        assert FactScore.objects.get(judge=judge, state="failed").problem.startswith("HTTP 422: ")


def test_facts_of_a_response_are_judged_by_the_document_if_the_judge_is_told_so(tmp_path):
    without_reference = prompt(2, reference=None)
    lines = [prompt(0), prompt(1), without_reference, prompt(3), prompt(5, document=None)]
    june = fact_qa_study(tmp_path, lines)
    with fake_endpoint(answer_fact_qa) as endpoint:
        result = run_judge(fact_judge(endpoint, fact_source="document"), june)
        assert (result.new, result.failed, result.missing, result.calls.requests) == (4, 1, 0, 7)
    document = f"{FACTS[0]}. {FACTS[3]}."
    for score in FactScore.objects.filter(state="scored").select_related("response__prompt"):
        supported, total = count_facts(score.response.text, document)
        assert score.precision == supported / total
    alone = FactScore.objects.get(response__key="r002")
    assert (alone.recall, alone.f1, list(alone.counts)) == (None, None, ["precision"])
    assert FactScore.objects.get(state="failed").problem == "The prompt has no document."


def test_a_prompt_without_a_reference_fails_and_an_excluded_response_is_not_asked_about(tmp_path):
    june = fact_qa_study(tmp_path, [prompt(0, reference=None), prompt(1)])
    sheet = Sheet.objects.get(project=june, response__key="r001")
    Exclusion.objects.create(sheet=sheet, project=june, reason="A copy.", excluded_by=person("lena"))
    with fake_endpoint(answer_fact_qa) as endpoint:
        result = run_judge(fact_judge(endpoint), june)
    assert (result.total, result.failed, result.calls.requests, endpoint.bodies) == (1, 1, 0, [])
    assert FactScore.objects.get().problem == "The prompt has no reference answer."


def test_a_budget_ends_the_run_and_the_next_one_continues(june):
    with fake_endpoint(answer_fact_qa) as endpoint:
        judge = fact_judge(endpoint, max_tokens=60)
        first = run_judge(judge, june, RunLimits(budget_usd=5 * PRICE + Decimal("0.0005")))
        assert (first.run.ended, first.new in (1, 2)) == ("budget", True)
        assert first.cost_usd <= 5 * PRICE + Decimal("0.0005")
        second = run_judge(judge, june)
    assert (first.new + second.new, second.run.ended) == (6, "done")
    assert stored_cost() == endpoint.charged * PRICE == 12 * PRICE


@pytest.mark.parametrize("mode", MODES)
def test_an_estimate_asks_about_some_responses_and_the_run_reuses_its_answers(june, mode):
    with fake_endpoint(answer_fact_qa) as endpoint:
        judge = fact_judge(endpoint, mode)
        estimate = estimate_run(judge, june, limit=3)
        assert (estimate.items, estimate.tried, estimate.requests) == (3, 3, 6)
        assert not FactScore.objects.exists()
        result = run_judge(judge, june)
    assert (result.new, result.calls.cached, result.calls.requests) == (6, 6, 6)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"fact_qa": "strict", "samples": 2, "temperature": 0.5}, "Fact-QA asks once"),
        ({"fact_qa": "strict", "temperature": 0.5}, "Fact-QA asks once"),
        ({"fact_qa": "published", "logprobs": True}, "Fact-QA asks once"),
        ({"fact_source": "document"}, "only Fact-QA checks facts"),
        ({"precision_only": True}, "only Fact-QA checks facts"),
        ({"base_url": "", "model": "", "rule": "numbers", "fact_qa": "strict"}, "give the rule alone"),
        (
            {"fact_qa": "strict", "template": "$items $questions"},
            r"\$answer, \$source, may have \$fence, \$prompt",
        ),
    ],
)
def test_what_fact_qa_does_not_use_is_refused(values, message):
    with pytest.raises(ModelError, match=message):
        create_judge(Judge(name="facts", **({"base_url": "http://localhost/v1", "model": "m"} | values)))
