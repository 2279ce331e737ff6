"""Sentences that probably claim nothing in the workspace: skipped, or rated with a mark beside them."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from annotation.models import Rating

from ..cast import ACCURATE, CANNOT_ASSESS, marked_study
from .workspace import press, stored_answers, wait_for_another_response, wait_until_saved

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
MARK = ".response .claim-free"


def test_a_response_with_skipped_sentences_is_finished_by_keyboard(open_rating: Callable) -> None:
    marked_study(skips=True, responses=2)
    page = open_rating()
    first = page.url
    expect(page.locator("[data-progress-text]")).to_have_text("0 of 2")
    expect(page.locator(".response .s.first")).to_have_count(2)
    expect(page.locator(".response")).to_contain_text("Sentence number 2 of heron.")
    expect(page.locator(MARK)).to_have_count(0)
    press(page, "1 ArrowUp ArrowDown 5 Enter")
    wait_for_another_response(page, first)
    assert stored_answers() == [ACCURATE, CANNOT_ASSESS]
    assert Rating.objects.filter(counted=True).count() == 2


def test_a_rated_sentence_has_its_mark_and_no_answer(open_rating: Callable) -> None:
    marked_study()
    page = open_rating()
    marks = page.locator(MARK)
    expect(marks).to_have_text(["no claim? question", "no claim? courtesy"])
    expect(marks.first).to_have_attribute(
        "title", "Its wording suggests that it makes no claim. Rate it like any other."
    )
    before = page.locator(".response").bounding_box()
    press(page, "1")
    described = page.locator("[data-current-item-label]")
    expect(described).to_have_text("Sentence 2 of 4: Sentence number 2 of heron. (no claim? question)")
    expect(page.locator("[data-answer-form] :checked")).to_have_count(0)
    assert page.locator(".response").bounding_box() == before
    press(page, "5 1 5")
    wait_until_saved(page)
    assert stored_answers() == [ACCURATE, CANNOT_ASSESS, ACCURATE, CANNOT_ASSESS]
    expect(marks).to_have_count(2)
