"""The verdicts of a judge in a project with their requests: leads read and download them, admins delete them."""

import json
from uuid import uuid4

import pytest
from django.utils import timezone

from annotation.judging.calls import export_calls
from annotation.judging.judges import Configuration, create_judge
from annotation.judging.run import run_judge
from annotation.judging.tuning import record_tuning
from annotation.models import AuditEvent, Item, JudgeCall, JudgeRun, Rating, Verdict
from tests.cast import SEVERE, study
from tests.judging.fake_endpoint import GOOD, completion, fake_endpoint
from tests.judging.judges import model_judge, rule_judge
from tests.web.pages import html_of, queries, text_of

pytestmark = [pytest.mark.django_db, pytest.mark.study(prompts=2, sentences=3)]
SMALL = "/projects/june/judges/small/1/"
SCRIPT = "<script>alert(1)</script>"


def judged(june, *answers, **fields):
    """Let a model rate with these answers, one request after the other, then with good ones."""
    with fake_endpoint(faults=list(answers)) as endpoint:
        judge = model_judge(endpoint, concurrency=1, **fields)
        run_judge(judge, june.project)
    return judge


def test_verdicts_have_answers_reason_quote_confidence_votes_and_cost(lena, june):
    wrong = {"answers": {"accuracy": "disputed", "severity": "severe"}, "reason": f"No {SCRIPT}", "quote": "made up"}
    judged(june, wrong, wrong, GOOD, samples=3, temperature=1.0)
    html = html_of(lena.get(SMALL))
    assert f"No {SCRIPT}" not in html and "No &lt;script&gt;alert(1)&lt;/script&gt;" in html
    page = text_of(lena.get(SMALL))
    assert (
        "made up This quote is not in what the judge was shown Confidence 0.67 · 2 × Disputed, Severe · 1 × Accurate"
        in page
    )
    assert "It is there." in page and "Terns fly further" in page and "6 verdicts" in page


def test_a_judge_without_verdicts_says_so(lena, june):
    create_judge("small", Configuration(base_url="https://models.example.org/v1", model="m"))
    assert "0 verdicts This judge has no verdicts in the project yet." in text_of(lena.get(SMALL))
    assert "There are no such verdicts." in text_of(lena.get(f"{SMALL}?state=failed"))


def test_the_sentence_of_requests_has_no_formatting_marks(lena, june):
    judged(june, GOOD)
    item = june.items()[0]
    Item.objects.filter(pk=item.pk).update(text="**Step 1:** heat it")
    page = text_of(lena.get(f"{SMALL}items/{item.public_id}/"))
    assert "Step 1: heat it" in page and "**" not in page


def test_filters_select_verdicts_that_differ_from_people_and_keep_each_other_over_pages(lena, june, monkeypatch):
    monkeypatch.setattr("annotation.web.judging.verdicts.VERDICTS_SHOWN", 2)
    run_judge(rule_judge("always-accurate", "small"), june.project)
    for item in Item.objects.filter(position__lt=2):
        rating = {"answers": SEVERE, "choices": SEVERE, "counted": True, "rated_at": timezone.now()}
        Rating.objects.create(project=june.project, item=item, rater=june.people["ravi"], **rating)
    response = lena.get(f"{SMALL}?state=differs&option=accurate&page=2")
    assert len(response.context["rows"]) == 2 == response.context["page"].paginator.num_pages
    assert "4 verdicts · More than half of the ratings that count have another answer." in text_of(response)
    assert '<option value="accurate" selected>' in html_of(response)
    assert "state=differs" in html_of(response) and "option=accurate&amp;page=1" in html_of(response)
    assert "There are no such verdicts." in text_of(lena.get(f"{SMALL}?state=differs&option=disputed"))


def test_filters_select_failed_verdicts_quotes_that_are_not_found_and_one_run(lena, june):
    judge = judged(june, "no", "still no")
    rated = run_judge(rule_judge(), june.project).run
    page = text_of(lena.get(f"{SMALL}?state=failed"))
    assert "1 verdict" in page and Verdict.objects.get(state="failed").problem in page
    assert len(lena.get(f"{SMALL}?state=failed").context["rows"]) == 1
    assert len(lena.get(f"{SMALL}?state=rated").context["rows"]) == 5
    assert "There are no such verdicts." in text_of(lena.get(f"{SMALL}?state=quote_not_found"))
    run = JudgeRun.objects.get(judge=judge)
    page = lena.get(f"{SMALL}?run={run.pk}&state=failed")
    assert len(page.context["rows"]) == 1 and "of the run of" in text_of(page)
    assert lena.get(f"{SMALL}?run={rated.pk}").status_code == 404
    assert lena.get(f"{SMALL}?run=x").status_code == 404
    assert len(lena.get(f"{SMALL}?state=nonsense").context["rows"]) == 6


def test_the_reasoning_of_a_request_is_folded_also_where_an_earlier_version_left_it_in_the_answer(lena, june):
    judged(june, f"<think>Terns? {SCRIPT}</think>{json.dumps(GOOD)}")
    call = JudgeCall.objects.earliest("pk")
    address = f"{SMALL}items/{call.item.public_id}/"
    for answer, reasoning in ((call.answer, call.reasoning), (f"<think>{call.reasoning}</think>{call.answer}", "")):
        JudgeCall.objects.filter(pk=call.pk).update(answer=answer, reasoning=reasoning)
        html = html_of(lena.get(address))
        assert "Terns? &lt;script&gt;" in html and SCRIPT not in html
        assert "&lt;think&gt;" not in html.partition("Whole answer")[0]


def test_the_requests_of_an_item_are_readable_and_escaped(lena, june):
    judge = judged(june, f"no {SCRIPT}", "still no")
    failed = Verdict.objects.get(state="failed")
    page = lena.get(f"{SMALL}items/{failed.item.public_id}/")
    html = html_of(page)
    assert f"no {SCRIPT}" not in html and "no &lt;script&gt;alert(1)&lt;/script&gt;" in html
    text = text_of(page)
    assert "Sample 1, attempt 1 Answered" in text and "Sample 1, attempt 1 · repair Answered" in text
    assert "Rate the factuality of a response" in text and "&quot;model&quot;: &quot;tiny&quot;" in html
    assert failed.item.text in text
    assert JudgeCall.objects.filter(run__judge=judge).count() == 7
    assert lena.get(f"{SMALL}items/{uuid4()}/").status_code == 404


def test_a_request_shows_what_the_endpoint_returned_with_the_whole_answer_escaped(lena, june):
    names = {"model": f"tiny-1 {SCRIPT}", "system_fingerprint": "fp_1"}
    judged(june, completion(GOOD, finish_reason="stop") | names, *[completion(GOOD) | names] * 5)
    first = JudgeCall.objects.order_by("pk").first()
    html = html_of(lena.get(f"{SMALL}items/{first.item.public_id}/"))
    assert "<script>alert(1)" not in html and "&lt;script&gt;alert(1)&lt;/script&gt;" in html
    assert "system_fingerprint: fp_1" in html and "finish_reason: stop" in html
    assert "Whole answer" in html and "&quot;completion_tokens&quot;: 50" in html


def test_an_item_of_a_judge_that_rates_whole_responses_shows_the_request_about_the_response(lena, june):
    answer = {"items": [{"number": n, **GOOD} for n in (1, 2, 3)]}
    judged(june, answer, answer, rates="response")
    last = june.items(0)[-1]
    assert "Sample 1, attempt 1" in text_of(lena.get(f"{SMALL}items/{last.public_id}/"))


def test_the_download_equals_the_command_and_is_in_the_audit(lena, june):
    judge = judged(june)
    response = lena.get(f"{SMALL}requests.jsonl")
    content = b"".join(response.streaming_content)
    assert content == b"".join(export_calls(judge, june.project))
    assert len([json.loads(line) for line in content.splitlines()]) == 6
    assert response["Content-Disposition"] == 'attachment; filename="requests-small@1.jsonl"'
    event = AuditEvent.objects.get(action="download file")
    assert (event.actor.username, event.after["name"]) == ("lena", "requests-small@1.jsonl")


def test_a_lead_gets_the_items_of_the_data_set_that_tuned_a_judge(lena, june):
    judge = judged(june)
    other = study("july", prompts=1)
    first, second = june.items()[:2]
    record_tuning(judge, [first.pk, second.pk, other.items()[0].pk])
    page = lena.get(SMALL)
    assert "2 items of this project tuned its prompt; comparisons exclude them" in text_of(page)
    assert f'href="{SMALL}tuned.jsonl"' in html_of(page)
    response = lena.get(f"{SMALL}tuned.jsonl")
    rows = [json.loads(line) for line in b"".join(response.streaming_content).splitlines()]
    assert [(row["response"], row["item"]) for row in rows] == [
        (item.response.key, item.position) for item in (first, second)
    ]
    event = AuditEvent.objects.get(action="download file")
    assert (event.actor.username, event.after["name"]) == ("lena", "tuned-small@1.jsonl")


def test_only_an_admin_deletes_requests_and_verdicts_stay(ada, lena, june):
    judged(june)
    assert "Delete requests" not in html_of(lena.get(SMALL))
    assert lena.post(f"{SMALL}requests/delete/").status_code == 403
    assert JudgeCall.objects.count() == 6
    assert "Delete requests" in html_of(ada.get(SMALL))
    page = text_of(ada.post(f"{SMALL}requests/delete/", follow=True))
    assert "Requests deleted: 6. Verdicts, ratings and costs stay." in page
    assert not JudgeCall.objects.exists()
    assert Verdict.objects.count() == Rating.objects.filter(role="judge").count() == 6
    assert AuditEvent.objects.get(action="delete judge requests").actor.username == "ada"
    item = Verdict.objects.first().item
    assert "No requests are stored" in text_of(ada.get(f"{SMALL}items/{item.public_id}/"))
    assert "Download requests" not in html_of(ada.get(SMALL))


def test_the_number_of_queries_does_not_grow_with_verdicts(lena, june):
    with fake_endpoint() as endpoint:
        judge = model_judge(endpoint)
        run_judge(judge, june.project, limit=1)
        before = queries(lena, SMALL)
        run_judge(judge, june.project)
    assert queries(lena, SMALL) == before
