"""judge_answers: stored replies are read again, and what was taken from a draft is corrected once."""

import json

import pytest

from annotation.judging.run import run_judge
from annotation.models import AuditEvent, FactScore, JudgeCall, JudgeRun, Rating, RatingEvent, Report, Verdict
from annotation.reporting.freeze import freeze
from tests.cast import study
from tests.fact_qa_studies import fact_qa_study, prompt
from tests.judging.fake_endpoint import answer_fact_qa, fake_endpoint
from tests.judging.judges import fact_judge, model_judge
from tests.management.command_runs import run

pytestmark = pytest.mark.django_db
DRAFT = '{"answers": {"accuracy": "accurate"}, "reason": "Perhaps.", "quote": ""}'
FINAL = '{"answers": {"accuracy": "inaccurate", "severity": "severe"}, "reason": "No.", "quote": ""}'
THOUGHT = f"<think>{DRAFT}? Hardly.</think>\n{FINAL}"
INACCURATE = {"accuracy": "inaccurate", "severity": "severe"}


def store_replies(replies):
    """Let the requests have these replies, as an earlier version stored them, with the reasoning in the answer."""
    for call, reply in zip(JudgeCall.objects.order_by("pk"), replies, strict=True):
        JudgeCall.objects.filter(pk=call.pk).update(answer=reply)


def judged(project, read, replies, **values):
    """Return a judge with the verdicts that an earlier version `read` from these replies."""
    with fake_endpoint(faults=list(read)) as endpoint:
        judge = model_judge(endpoint, concurrency=1, **values)
        run_judge(judge, project)
    store_replies(replies)
    return judge


def counts_of(capsys, *options):
    code, out, _err = run(capsys, "judge_answers", "--json", *options)
    assert code == 0
    return json.loads(out)


@pytest.fixture
def june():
    return study(prompts=1, sentences=4).project


def test_what_was_taken_from_a_draft_is_corrected_once_as_a_new_version(june, capsys):
    replies = [THOUGHT, DRAFT, f"<think>{DRAFT} Or", "<think>{x}</think>?", f"<think>S = {{x}}.</think>{FINAL}"]
    judged(june, [DRAFT, DRAFT, DRAFT, "no", "no"], replies)
    frozen = freeze(june).document
    expected = {"project": "june", "judge": "small@1", "results": 4, "drafts": 1, "unreadable": 1, "recovered": 1}
    dry = counts_of(capsys, "--dry-run", "--project", "june")
    assert dry["judges"] == [{**expected, "corrected": 0, "unclear": 0, "without_reply": 0}]
    assert RatingEvent.objects.count() == 3
    assert counts_of(capsys)["judges"] == [{**expected, "corrected": 3, "unclear": 0, "without_reply": 0}]
    first, second, third, fourth = Verdict.objects.order_by("pk").select_related("rating")
    assert (first.rating.answers, first.rating.version, first.reason) == (INACCURATE, 2, "No.")
    assert (second.rating.answers, second.rating.version) == ({"accuracy": "accurate"}, 1)
    assert (third.state, third.rating) == ("failed", None) and "reasoning but no answer" in third.problem
    assert (fourth.state, fourth.rating.answers, fourth.problem) == ("rated", INACCURATE, "")
    versions = RatingEvent.objects.filter(item=first.item).order_by("version").values_list("version", "answers")
    assert list(versions) == [(1, {"accuracy": "accurate"}), (2, INACCURATE)]
    assert RatingEvent.objects.filter(item=third.item, pgh_label="delete").exists()
    assert Rating.objects.filter(role="judge", counted=True).count() == 0
    assert Report.objects.get().document == frozen
    assert AuditEvent.objects.get(action="correct judge answers").after["corrected"] == 3
    history = RatingEvent.objects.count()
    assert counts_of(capsys)["judges"] == [
        {**dict.fromkeys(expected, 0), "project": "june", "judge": "small@1", "results": 4}
        | {"corrected": 0, "unclear": 0, "without_reply": 0}
    ]
    assert RatingEvent.objects.count() == history
    assert AuditEvent.objects.filter(action="correct judge answers").count() == 1


def test_what_the_replies_do_not_say_stays(june, capsys):
    judged(june, [DRAFT] * 4, [FINAL, THOUGHT, THOUGHT, THOUGHT])
    first, second = Verdict.objects.order_by("pk")[:2]
    JudgeCall.objects.filter(item=second.item).delete()
    counts = counts_of(capsys, "--dry-run")["judges"][0]
    assert (counts["unclear"], counts["without_reply"], counts["drafts"]) == (1, 1, 2)
    last = Verdict.objects.latest("pk").item
    type(last).objects.filter(pk=last.pk).update(retired_at=first.run.started_at)
    counts = counts_of(capsys)["judges"][0]
    assert (counts["unclear"], counts["corrected"]) == (2, 1)
    assert Verdict.objects.get(item=last).rating.answers == {"accuracy": "accurate"}


def test_an_answer_stays_valid_whatever_is_said_about_its_form(june, capsys):
    reasons = DRAFT.replace('"reason"', '"reason": "Once.", "reason"')
    formed = f'{DRAFT}\nI used the format {{"answers": {{...}}}}.'
    judged(june, [DRAFT] * 4, [formed, reasons, DRAFT, DRAFT])
    assert run(capsys, "judge_answers")[1] == "project june, judge small@1: 4 read, nothing to correct\n"
    assert Rating.objects.filter(role="judge", version=1).count() == 4


def test_a_reason_that_is_stored_shortened_is_the_same(june, capsys):
    long = DRAFT.replace("Perhaps.", "x" * 10_001).replace('"quote": ""', f'"quote": "{"y" * 5_001}"')
    judged(june, [long] * 4, [f"<think>{long}</think>{FINAL}", long, long, long])
    counts = counts_of(capsys)["judges"][0]
    assert (counts["drafts"], counts["corrected"], counts["unclear"]) == (1, 1, 0)


def test_samples_are_read_again_together(june, capsys):
    replies = [THOUGHT, THOUGHT, DRAFT] * 4
    judged(june, [DRAFT] * 12, replies, samples=3, temperature=0.5)
    assert counts_of(capsys)["drafts"] == 4
    verdict = Verdict.objects.earliest("pk")
    assert verdict.rating.answers == INACCURATE and verdict.confidence == pytest.approx(2 / 3)
    assert verdict.votes == [INACCURATE, INACCURATE, {"accuracy": "accurate"}]


def test_all_items_of_a_response_are_read_again_together(june, capsys):
    def entries(final):
        return json.dumps({"items": [{"number": n, **json.loads(final)} for n in range(1, 5)]})

    judged(june, [entries(DRAFT)], [f"<think>{entries(DRAFT)}</think>{entries(FINAL)}"], request_unit="response")
    assert counts_of(capsys)["corrected"] == 4
    assert {json.dumps(each.answers) for each in Rating.objects.filter(role="judge")} == {json.dumps(INACCURATE)}


@pytest.mark.parametrize("context", ["article", "passages"])
def test_answers_that_were_reused_are_read_again(june, capsys, context):
    with fake_endpoint(faults=[DRAFT] * 5) as endpoint:
        run_judge(model_judge(endpoint, concurrency=1, context=context), june)
        run_judge(model_judge(endpoint, "other", concurrency=1, context=context), june)
    store_replies([THOUGHT] * 5)
    if context == "passages":  # by an earlier ranking, whose requests cannot be made again
        JudgeCall.objects.update(cache_key="of an earlier ranking")
        JudgeRun.objects.update(passage_ranking=1)
    assert [each["drafts"] for each in counts_of(capsys, "--dry-run")["judges"]] == [4, 4]
    JudgeRun.objects.filter(judge__name="small").update(passage_ranking=3)
    JudgeCall.objects.update(cache_key="of another request")
    assert [each["without_reply"] for each in counts_of(capsys)["judges"]] == [3, 0]


@pytest.mark.parametrize("mode", ["strict", "published"])
def test_fact_qa_scores_are_corrected_too(tmp_path, capsys, mode):
    project = fact_qa_study(tmp_path, (prompt(number) for number in range(2)))
    draft = "Score: 1/1" if mode == "published" else '{"facts": [{"fact": "x", "supported": true}]}'
    final = "Score: 0/1" if mode == "published" else '{"facts": [{"fact": "x", "supported": false}]}'
    with fake_endpoint(answer_fact_qa, faults=[draft] * 4) as endpoint:
        run_judge(fact_judge(endpoint, mode, concurrency=1), project)
    store_replies([f"<think>{draft}?</think>{final}", draft] * 2)
    assert counts_of(capsys)["drafts"] == 2
    assert set(FactScore.objects.values_list("precision", "recall", "f1")) == {(0.0, 1.0, 0.0)}
    before = AuditEvent.objects.get(action="correct Fact-QA scores").before
    assert {value["precision"]["supported"] for value in before.values()} == {1}
    assert counts_of(capsys)["drafts"] == 0


def test_the_lines_name_what_was_found(june, capsys):
    assert run(capsys, "judge_answers")[1] == "no model judge has rated anything\n"
    judged(june, [DRAFT] * 4, [THOUGHT, DRAFT, DRAFT, DRAFT])
    line = "project june, judge small@1: 4 read, taken from a draft: 1"
    assert run(capsys, "judge_answers", "--dry-run")[1] == f"{line}\n"
    assert run(capsys, "judge_answers")[1] == f"{line}, corrected: 1\n"
    assert run(capsys, "judge_answers")[1] == "project june, judge small@1: 4 read, nothing to correct\n"
