"""Responses of which raters are asked about some sentences: those drawn, or those that probably claim something."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from annotation.models import Item, Rating

from ..cast import ACCURATE, CANNOT_ASSESS, marked_study, study
from .accessibility import accessibility_problems
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


def test_a_rater_rates_the_drawn_sentences_only_and_finishes(open_rating: Callable) -> None:
    june = study(prompts=2, sentences=4, overlap=1, raters=("ravi",), sample=4)
    page = open_rating()
    first = page.url
    expect(page.locator("[data-progress-text]")).to_have_text("0 of 2")
    expect(page.get_by_text("You are asked about 2 sentences of this response, drawn at random.")).to_be_visible()
    expect(page.locator(".response .s.first")).to_have_count(2)
    assert accessibility_problems(page) == []
    for number in range(1, 5):
        expect(page.locator(".response")).to_contain_text(f"Sentence number {number} of heron.")
    press(page, "1 5 Enter")
    wait_for_another_response(page, first)
    expect(page.get_by_text("You are asked about 2 sentences of this response, drawn at random.")).to_be_visible()
    press(page, "1 1")
    wait_until_saved(page)
    press(page, "Enter")
    expect(page.get_by_role("heading", name="All done")).to_be_visible()
    assert stored_answers() == [ACCURATE, CANNOT_ASSESS, ACCURATE, ACCURATE]
    drawn = june.project.sampled_items.filter(is_drawn=True).values("item")
    assert set(Rating.objects.filter(counted=True).values_list("item", flat=True)) == set(
        Item.objects.filter(pk__in=drawn).values_list("pk", flat=True)
    )
