"""Help at hand for pairs of answers: asked about the pair, and shown to leads as whoever asks has the two."""

import uuid

import pytest
from django.db import transaction

from annotation.models import Assignment, Item, Rating
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


@pytest.fixture(scope="module")
def work(module_rows):
    """Return Ravi's first pair, which he has in the opposite order."""
    path = FIXTURES / "lfqa_eval" / "preferences.jsonl"
    project = study_from_files("pairs", "lfqa_eval", [path], "pairwise-preference")
    add_member(project, person("lena"), "lead")
    with transaction.atomic():
        assignment = take_next(project, person("ravi"))
    assert assignment
    Assignment.objects.filter(pk=assignment.pk).update(public_id=uuid.UUID(int=uuid.uuid4().int | 1))
    return Assignment.objects.select_related("project__protocol", "sheet").get(pk=assignment.pk)


@pytest.fixture
def pair(work):
    return Item.objects.select_related("response", "against").get(unit="pair", response=work.sheet.response_id)


def test_a_question_about_a_pair_is_shown_with_both_answers_in_the_order_of_who_asks_and_none_is_cut(work, pair):
    question = ask_leads(person("ravi"), work.public_id, pair.public_id, "Is A about the same thing?")
    assert [entry["item"] for entry in panel_contents(work)["questions"]] == [pair.public_id]
    lena, address = signed_in("lena"), f"/projects/pairs/inbox/{question.public_id}/"
    page = html_of(lena.get(address))
    first, second = (page.index(answer.text[:30]) for answer in (pair.against, pair.response))
    assert page.index('aria-label="Answer A"') < first < page.index('aria-label="Answer B"') < second
    assert "In the order that ravi sees. Other raters may see the reverse order" in page
    assert pair.response.prompt.text[:40] in text_of(lena.get("/projects/pairs/inbox/"))
    why = "Only sentences can be edited: a pair stays as the data set has it."
    assert why in page
    for how in ("split", "after"):
        lena.post(f"{address}boundaries/", {"how": how, "parts": "one\ntwo"})
        assert text_of(lena.get("/projects/pairs/")).count(why) == 1
    assert not Item.objects.filter(retired_at__isnull=False).exists()


def test_guidelines_flags_and_ratings_are_about_the_pair(work, pair):
    publish_guidelines(work.project, "Prefer what is true.")
    add_bookmark(person("ravi"), work.public_id, pair.public_id)
    news = panel_contents(work)
    assert (news["guidelines"]["number"], news["items"]) == (1, [pair.public_id])
    assert news["marks"] == [{"item": pair.public_id, "why": "unsure"}]
    save(person("ravi"), work.public_id, pair.public_id, Submission({"preference": "a"}, 0))
    rating = Rating.objects.get()
    assert (rating.guidelines, rating.answers) == (1, {"preference": "b"})
