"""The pages of guidelines and inbox: who is shown what, what a bad form does, how many queries."""

import pytest

from annotation.models import GuidelineVersion, RaterQuestion
from annotation.projects.guidelines import publish_guidelines
from annotation.reviewing.rater_questions import answer_question, ask_leads
from tests.cast import Study, signed_in
from tests.web.pages import html_of, queries, rates, text_of

pytestmark = pytest.mark.django_db


def ask(june: Study, text: str = "Is <b>this</b> so?", kind: str = "question") -> RaterQuestion:
    ravi = june.people["ravi"]
    work = rates(ravi, june.project, sentences=0)
    return ask_leads(ravi, work.public_id, june.items()[1].public_id, text, kind)


def test_what_waits_is_told_at_home_and_on_the_projects_page(june, lena):
    assert "from raters are open" not in text_of(lena.get("/"))
    ask(june)
    assert "1 question or report from raters is open" in text_of(lena.get("/"))
    assert "1 question or report from raters is open. Answer questions" in text_of(lena.get("/projects/june/"))


def test_a_question_is_shown_as_it_was_written_with_its_sentence_lit(june, lena):
    question = ask(june)
    page = html_of(lena.get(f"/projects/june/inbox/{question.public_id}/"))
    assert "Is &lt;b&gt;this&lt;/b&gt; so?" in page and 'data-item="1">Sentence number 2 of heron.</span>' in page
    assert "<summary>Split or merge it</summary>" in page
    report = ask(june, "", "split")
    assert "Split or merge it" not in html_of(lena.get(f"/projects/june/inbox/{report.public_id}/"))


def test_an_answer_needs_words_and_is_kept_when_it_is_too_long(june, lena):
    question = ask(june)
    refused = lena.post(f"/projects/june/inbox/{question.public_id}/", {"answer": "x" * 4001})
    assert refused.status_code == 400
    assert b"Use at most 4,000 characters" in refused.content and b"x" * 4001 in refused.content
    lena.post(f"/projects/june/inbox/{question.public_id}/", {"answer": "It is.", "published": "1"})
    question.refresh_from_db()
    assert (question.answer, question.is_published, question.answered_by) == ("It is.", True, june.people["lena"])
    assert "No open questions" in text_of(lena.get("/projects/june/inbox/"))
    assert "It is" in text_of(signed_in("rosa").get("/projects/june/guidelines/"))


def test_a_rater_reads_the_answer_at_home_once_it_is_new(june, lena):
    question, ravi = ask(june), signed_in("ravi")
    answer_question(june.project, question.public_id, "It is.", actor=june.people["lena"])
    assert "1 new answer to your questions" in text_of(ravi.get("/"))
    assert "so? new" in text_of(ravi.get("/projects/june/")).replace("&lt;b&gt;this&lt;/b&gt; ", "")
    assert "new answer" not in text_of(ravi.get("/"))


def test_a_report_is_answered_by_the_cut(june, lena):
    question = ask(june, "", "split")
    lena.post(f"/projects/june/inbox/{question.public_id}/boundaries/", {"how": "after"})
    question.refresh_from_db()
    answer = "The boundaries are edited. Sentence number 2 of heron. Sentence number 3"
    assert question.answer.startswith(answer)
    page = text_of(lena.get(f"/projects/june/inbox/{question.public_id}/"))
    assert "Edited sentence boundaries" in page and "The two sentences are merged" in page
    for how, why in (("split", "edited already"), ("nothing", "edited already")):
        lena.post(f"/projects/june/inbox/{question.public_id}/boundaries/", {"how": how, "parts": "x"})
        assert why in text_of(lena.get("/projects/june/"))


def test_the_inbox_takes_as_many_queries_for_three_as_for_one(june, lena):
    ask(june)
    queries_of_one = queries(lena, "/projects/june/inbox/")
    for text in ("And?", "Or?"):
        ask(june, text)
    assert queries(lena, "/projects/june/inbox/") == queries_of_one


def test_a_preview_publishes_nothing_and_two_leads_do_not_publish_over_each_other(june, lena):
    page = text_of(signed_in("ravi").get("/projects/june/guidelines/drawer/"))
    assert "no guidelines yet" in page and "assess" in page and "Write the guidelines" not in page
    posted = {
        "text": "**Bold** <script>x</script>",
        "base_version": 0,
        "preview": "1",
        "example-accuracy-disputed": "*Two*",
    }
    page = html_of(lena.post("/projects/june/guidelines/", posted))
    assert "<strong>Bold</strong>" in page and "<em>Two</em>" in page and "<script>x" not in page
    assert not GuidelineVersion.objects.exists()
    publish_guidelines(june.project, "Hers.")
    page = html_of(lena.post("/projects/june/guidelines/", {"text": "Mine.", "base_version": 0, "publish": "1"}))
    assert "published version 1 in the meantime" in page and "Mine." in page
    lena.post("/projects/june/guidelines/", {"text": "Mine.", "base_version": 1, "note": "Mine", "publish": "1"})
    assert GuidelineVersion.objects.count() == 2
    assert "Version 1" in text_of(lena.get("/projects/june/guidelines/"))
    assert "Hers." in text_of(signed_in("ravi").get("/projects/june/guidelines/1/"))
