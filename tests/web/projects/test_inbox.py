"""The pages of guidelines and inbox: who is shown what, what a bad form does, how many queries."""

import pytest

from annotation.models import GuidelineVersion, RaterQuestion
from annotation.projects.guidelines import publish_guidelines
from annotation.reviewing.rater_questions import ask_leads
from tests.cast import Study, signed_in
from tests.web.pages import html_of, queries, rates, text_of

pytestmark = pytest.mark.django_db
INBOX = "/projects/june/inbox/"


def ask(june: Study, text: str = "Is <b>this</b> so?", kind: str = "question") -> RaterQuestion:
    ravi = june.people["ravi"]
    work = rates(ravi, june.project, sentences=0)
    return ask_leads(ravi, work.public_id, june.items()[1].public_id, text, kind)


def test_a_question_is_told_shown_as_written_answered_in_words_and_the_answer_is_new_to_the_rater(june, lena, ravi):
    assert "from raters are open" not in text_of(lena.get("/"))
    question = ask(june)
    for address in ("/", "/projects/june/"):
        assert "1 question or report from raters is open" in text_of(lena.get(address))
    address = f"{INBOX}{question.public_id}/"
    page = html_of(lena.get(address))
    assert "Is &lt;b&gt;this&lt;/b&gt; so?" in page and 'data-item="1">Sentence number 2 of heron.</span>' in page
    assert "<summary>Split or merge it</summary>" in page
    refused = lena.post(address, {"answer": "x" * 4001})
    assert refused.status_code == 400
    assert b"Use at most 4,000 characters" in refused.content and b"x" * 4001 in refused.content
    lena.post(address, {"answer": "It is.", "published": "1"})
    question.refresh_from_db()
    assert (question.answer, question.is_published, question.answered_by) == ("It is.", True, june.people["lena"])
    assert "No open questions" in text_of(lena.get(INBOX))
    assert "It is" in text_of(signed_in("rosa").get("/projects/june/guidelines/"))
    assert "1 new answer to your questions" in text_of(ravi.get("/"))
    assert "so? new" in text_of(ravi.get("/projects/june/")).replace("&lt;b&gt;this&lt;/b&gt; ", "")
    assert "new answer" not in text_of(ravi.get("/"))


def test_a_report_is_answered_by_the_cut(june, lena):
    question = ask(june, "", "split")
    address = f"{INBOX}{question.public_id}/"
    assert "Split or merge it" not in html_of(lena.get(address))
    lena.post(f"{address}boundaries/", {"how": "after"})
    question.refresh_from_db()
    assert question.answer.startswith("The boundaries are edited. Sentence number 2 of heron. Sentence number 3")
    page = text_of(lena.get(address))
    assert "Edited sentence boundaries" in page and "The two sentences are merged" in page
    for how in ("split", "nothing"):
        lena.post(f"{address}boundaries/", {"how": how, "parts": "x"})
        assert "edited already" in text_of(lena.get("/projects/june/"))


def test_the_inbox_takes_as_many_queries_for_three_as_for_one(june, lena):
    ask(june)
    queries_of_one = queries(lena, INBOX)
    for text in ("And?", "Or?"):
        ask(june, text)
    assert queries(lena, INBOX) == queries_of_one


def test_a_preview_publishes_nothing_and_two_leads_do_not_publish_over_each_other(june, lena, ravi):
    page = text_of(ravi.get("/projects/june/guidelines/drawer/"))
    assert "no guidelines yet" in page and "assess" in page and "Write the guidelines" not in page
    text = {"text": "**Bold** <script>x</script>", "example-accuracy-disputed": "*Two*"}
    page = html_of(lena.post("/projects/june/guidelines/", {**text, "base_version": 0, "preview": "1"}))
    assert "<strong>Bold</strong>" in page and "<em>Two</em>" in page and "<script>x" not in page
    assert not GuidelineVersion.objects.exists()
    publish_guidelines(june.project, "Hers.")
    page = html_of(lena.post("/projects/june/guidelines/", {"text": "Mine.", "base_version": 0, "publish": "1"}))
    assert "published version 1 in the meantime" in page and "Mine." in page
    lena.post("/projects/june/guidelines/", {"text": "Mine.", "base_version": 1, "note": "Mine", "publish": "1"})
    assert GuidelineVersion.objects.count() == 2
    assert "Version 1" in text_of(lena.get("/projects/june/guidelines/"))
    assert "Hers." in text_of(ravi.get("/projects/june/guidelines/1/"))
