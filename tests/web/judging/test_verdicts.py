"""The verdicts of a judge in a project with their requests: leads read and download them, admins delete them."""

import json
from uuid import uuid4

import pytest
from django.utils import timezone

from annotation.judging.calls import export_calls
from annotation.judging.judges import find_judge
from annotation.judging.run import run_judge
from annotation.judging.tuning import record_tuning
from annotation.model_calls.runs import RunLimits
from annotation.models import AuditEvent, Item, JudgeCall, JudgeRun, Rating, Verdict
from tests.cast import SEVERE, study
from tests.judging.fake_endpoint import GOOD, completion, fake_endpoint
from tests.judging.judges import PRICE, TOKENS, model_judge, rule_judge
from tests.web.pages import html_of, queries, text_of

pytestmark = pytest.mark.django_db
SMALL = "/projects/june/judges/small/1/"
OTHER = "/projects/june/judges/other/1/"
SCRIPT, ESCAPED = "<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"
NAMES = {"model": f"tiny-1 {SCRIPT}", "system_fingerprint": "fp_1"}


def judged(june, *answers, name="small", **fields):
    """Let a model rate with these answers, one request after the other, then with good ones."""
    with fake_endpoint(faults=list(answers)) as endpoint:
        endpoint.names = NAMES
        run_judge(model_judge(endpoint, name, concurrency=1, **fields), june.project)


@pytest.fixture(scope="module")
def june(module_rows):
    """Return a study of six sentences: the judge failed in the first, and gave its reasoning about the second."""
    june = study(prompts=2, sentences=3)
    reasoned = completion(f"<think>Terns? {SCRIPT}</think>{json.dumps(GOOD)}", finish_reason="stop")
    judged(june, f"no {SCRIPT}", "still no", reasoned | NAMES)
    return june


def address_of(item: Item) -> str:
    return f"{SMALL}items/{item.public_id}/"


def test_verdicts_have_answers_reason_quote_confidence_votes_and_cost(lena, june):
    wrong = {"answers": {"accuracy": "disputed", "severity": "severe"}, "reason": f"No {SCRIPT}", "quote": "made up"}
    judged(june, wrong, wrong, GOOD, name="other", samples=3, temperature=1.0)
    html = html_of(lena.get(OTHER))
    assert SCRIPT not in html and f"No {ESCAPED}" in html
    page = text_of(lena.get(OTHER))
    quote = "made up This quote is not in what the judge was shown"
    assert f"{quote} Confidence 0.67 · 2 × Disputed, Severe · 1 × Accurate" in page
    assert "It is there." in page and "Terns fly further" in page and "6 verdicts" in page


def test_a_judge_without_verdicts_says_so_and_many_verdicts_take_no_more_queries_than_one(lena, june):
    judge = rule_judge(name="other")
    assert "0 verdicts This judge has no verdicts in the project yet." in text_of(lena.get(OTHER))
    assert "There are no such verdicts." in text_of(lena.get(f"{OTHER}?state=failed"))
    run_judge(judge, june.project, RunLimits(limit=1))
    before = queries(lena, OTHER)
    run_judge(judge, june.project)
    assert queries(lena, OTHER) == before


def test_filters_select_verdicts_that_differ_from_people_and_keep_each_other_over_pages(lena, june, monkeypatch):
    monkeypatch.setattr("annotation.web.judging.verdicts.VERDICTS_SHOWN", 2)
    run_judge(rule_judge("always-accurate", "other"), june.project)
    for item in Item.objects.filter(position__lt=2):
        rating = {"answers": SEVERE, "choices": SEVERE, "counted": True, "rated_at": timezone.now()}
        Rating.objects.create(project=june.project, item=item, rater=june.people["ravi"], **rating)
    response = lena.get(f"{OTHER}?state=differs&option=accurate&page=2")
    assert len(response.context["rows"]) == 2 == response.context["page"].paginator.num_pages
    assert "4 verdicts · More than half of the ratings that count have another answer." in text_of(response)
    assert '<option value="accurate" selected>' in html_of(response)
    assert "state=differs" in html_of(response) and "option=accurate&amp;page=1" in html_of(response)
    assert "There are no such verdicts." in text_of(lena.get(f"{OTHER}?state=differs&option=disputed"))


def test_filters_select_failed_verdicts_quotes_that_are_not_found_and_one_run(lena, june):
    run, other = JudgeRun.objects.get(), run_judge(rule_judge(), june.project).run
    page = text_of(lena.get(f"{SMALL}?state=failed"))
    assert "1 verdict" in page and "It has no JSON object" in page
    for query, count in (("state=failed", 1), ("state=rated", 5), ("state=nonsense", 6)):
        assert len(lena.get(f"{SMALL}?{query}").context["rows"]) == count, query
    assert "There are no such verdicts." in text_of(lena.get(f"{SMALL}?state=quote_not_found"))
    page = lena.get(f"{SMALL}?run={run.pk}&state=failed")
    assert len(page.context["rows"]) == 1 and "of the run of" in text_of(page)
    assert lena.get(f"{SMALL}?run={other.pk}").status_code == lena.get(f"{SMALL}?run=x").status_code == 404


def test_the_requests_of_an_item_are_readable_and_escaped(lena):
    failed = Verdict.objects.get(state="failed")
    page = lena.get(address_of(failed.item))
    html, text = html_of(page), text_of(page)
    assert SCRIPT not in html and f"no {ESCAPED}" in html
    assert "Sample 1, attempt 1 Answered" in text and "Sample 1, attempt 1 · repair Answered" in text
    assert "Rate the factuality of a response" in text and "&quot;model&quot;: &quot;tiny&quot;" in html
    assert failed.item.text in text
    assert JudgeCall.objects.count() == 7
    assert lena.get(f"{SMALL}items/{uuid4()}/").status_code == 404
    Item.objects.filter(pk=failed.item.pk).update(text="**Step 1:** heat it")
    page = text_of(lena.get(address_of(failed.item)))
    assert "Step 1: heat it" in page and "**" not in page


def test_a_request_shows_what_the_endpoint_returned_and_folds_the_reasoning(lena):
    """Also where an earlier version left the reasoning in the answer."""
    call = JudgeCall.objects.get(reasoning__contains="Terns?")
    for answer, reasoning in ((call.answer, call.reasoning), (f"<think>{call.reasoning}</think>{call.answer}", "")):
        JudgeCall.objects.filter(pk=call.pk).update(answer=answer, reasoning=reasoning)
        html = html_of(lena.get(address_of(call.item)))
        assert f"Terns? {ESCAPED}" in html and f"tiny-1 {ESCAPED}" in html and SCRIPT not in html
        assert "&lt;think&gt;" not in html.partition("Whole answer")[0]
    assert "system_fingerprint: fp_1" in html and "finish_reason: stop" in html
    assert "Whole answer" in html and "&quot;completion_tokens&quot;: 50" in html


def test_an_item_of_a_judge_that_rates_whole_responses_shows_the_request_about_the_response(lena, june):
    answer = {"items": [{"number": n, **GOOD} for n in (1, 2, 3)]}
    judged(june, answer, answer, name="other", request_unit="response")
    assert "Sample 1, attempt 1" in text_of(lena.get(f"{OTHER}items/{june.items()[-1].public_id}/"))


def test_the_download_equals_the_command_and_is_in_the_audit(lena, june):
    response = lena.get(f"{SMALL}requests.jsonl")
    content = b"".join(response.streaming_content)
    assert content == b"".join(export_calls(find_judge("small"), june.project)) and content.count(b"\n") == 7
    assert response["Content-Disposition"] == 'attachment; filename="requests-small@1.jsonl"'
    event = AuditEvent.objects.get(action="download file")
    assert (event.actor.username, event.after["name"]) == ("lena", "requests-small@1.jsonl")


def test_a_lead_gets_the_items_of_the_data_set_that_tuned_a_judge(lena, june):
    first, second = june.items()[:2]
    record_tuning(find_judge("small"), [first.pk, second.pk, study("july").items()[0].pk])
    page = lena.get(SMALL)
    assert "2 items of this project tuned its prompt; comparisons exclude them" in text_of(page)
    assert f'href="{SMALL}tuned.jsonl"' in html_of(page)
    lines = b"".join(lena.get(f"{SMALL}tuned.jsonl").streaming_content).splitlines()
    assert [(row["response"], row["item"]) for row in map(json.loads, lines)] == [
        (item.response.key, item.position) for item in (first, second)
    ]
    event = AuditEvent.objects.get(action="download file")
    assert (event.actor.username, event.after["name"]) == ("lena", "tuned-small@1.jsonl")


def test_only_an_admin_deletes_requests_and_verdicts_and_costs_stay(ada, lena):
    assert "Delete requests" not in html_of(lena.get(SMALL))
    assert lena.post(f"{SMALL}requests/delete/").status_code == 403
    assert JudgeCall.objects.count() == 7
    assert "Delete requests" in html_of(ada.get(SMALL))
    page = text_of(ada.post(f"{SMALL}requests/delete/", follow=True))
    assert "Requests deleted: 7. Verdicts, ratings and costs stay." in page
    assert not JudgeCall.objects.exists()
    assert (Verdict.objects.count(), Rating.objects.filter(role="judge").count()) == (6, 5)
    assert AuditEvent.objects.get(action="delete judge requests").actor.username == "ada"
    assert "No requests are stored" in text_of(ada.get(address_of(Verdict.objects.first().item)))
    assert "Download requests" not in html_of(ada.get(SMALL))
    page = text_of(lena.get("/projects/june/judges/"))
    assert f"5 of 6 1 {7 * PRICE:.4f}" in page and f"5 1 0 {7 * TOKENS:,} tokens {7 * PRICE:.4f}" in page
