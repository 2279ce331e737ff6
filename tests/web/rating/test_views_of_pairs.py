"""Help at hand for pairs of answers: asked about the pair, and shown to leads as whoever asks has the two."""

import uuid

import pytest
from django.db import transaction
from django.test import Client

from annotation.models import Assignment, Item, RaterQuestion, Rating
from annotation.projects.guidelines import publish_guidelines
from annotation.projects.members import add_member
from annotation.qualification.next_work import take_next
from annotation.rating.bookmarks import add_bookmark
from annotation.rating.submit import Submission, save
from annotation.reviewing.rater_questions import ask_leads
from annotation.reviewing.side_panel import panel_contents
from tests.cast import person, signed_in, study_from_files
from tests.importing.files import FIXTURES
from tests.web.pages import html_of, text_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def work():
    """Return Ravi's first pair, which he has in the opposite order."""
    project = study_from_files(
        "pairs", "lfqa_eval", [FIXTURES / "lfqa_eval" / "preferences.jsonl"], "pairwise-preference"
    )
    add_member(project, person("lena"), "lead")
    with transaction.atomic():
        assignment = take_next(project, person("ravi"))
    assert assignment
    Assignment.objects.filter(pk=assignment.pk).update(public_id=uuid.UUID(int=uuid.uuid4().int | 1))
    return Assignment.objects.select_related("project__protocol", "sheet").get(pk=assignment.pk)


@pytest.fixture
def pair(work):
    return Item.objects.select_related("response", "against").get(unit="pair", response=work.sheet.response_id)


def lenas() -> Client:
    return signed_in("lena")


def ask(work: Assignment, pair: Item) -> RaterQuestion:
    return ask_leads(person("ravi"), work.public_id, pair.public_id, "Is A about the same thing?")


def test_a_question_about_a_pair_is_shown_with_both_answers_in_the_order_of_who_asks(work, pair):
    question = ask(work, pair)
    assert [entry["item"] for entry in panel_contents(work)["questions"]] == [pair.public_id]
    page = html_of(lenas().get(f"/projects/pairs/inbox/{question.public_id}/"))
    first, second = (page.index(answer.text[:30]) for answer in (pair.against, pair.response))
    assert page.index('aria-label="Answer A"') < first < page.index('aria-label="Answer B"') < second
    assert "In the order that ravi sees. Other raters may see the reverse order" in page
    assert pair.response.prompt.text[:40] in text_of(lenas().get("/projects/pairs/inbox/"))


def test_a_pair_is_not_cut_and_the_page_says_why(work, pair):
    question = ask(work, pair)
    why = "Only sentences can be edited: a pair stays as the data set has it."
    assert why in text_of(lenas().get(f"/projects/pairs/inbox/{question.public_id}/"))
    for how in ("split", "after"):
        client = lenas()
        client.post(f"/projects/pairs/inbox/{question.public_id}/boundaries/", {"how": how, "parts": "one\ntwo"})
        assert text_of(client.get("/projects/pairs/")).count(why) == 1
    assert not Item.objects.filter(retired_at__isnull=False).exists()


def test_guidelines_and_flags_are_about_the_pair(work, pair):
    publish_guidelines(work.project, "Prefer what is true.")
    add_bookmark(person("ravi"), work.public_id, pair.public_id)
    news = panel_contents(work)
    assert (news["guidelines"]["number"], news["items"]) == (1, [pair.public_id])
    assert news["marks"] == [{"item": pair.public_id, "why": "unsure"}]
    save(person("ravi"), work.public_id, pair.public_id, Submission({"preference": "a"}, 0))
    rating = Rating.objects.get()
    assert (rating.guidelines, rating.answers) == (1, {"preference": "b"})
