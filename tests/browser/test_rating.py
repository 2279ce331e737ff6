"""Rating by key and by click: questions, order, undo."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from annotation.models import Rating

from ..cast import ACCURATE, CANNOT_ASSESS, SEVERE, Study
from .workspace import SHIFTS, press, shifted, stored_answers, wait_for_another_response, wait_until_saved

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_a_response_is_rated_by_keyboard_alone_and_the_next_one_comes(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    page.evaluate("document.documentElement.dataset.samePage = 'yes'")
    first = page.url
    press(page, "1 4 s 5 3 n")
    wait_until_saved(page)
    unsupported = {"accuracy": "unsupported", "severity": "not_severe"}
    assert stored_answers() == [ACCURATE, SEVERE, CANNOT_ASSESS, unsupported]
    assert not Rating.objects.filter(counted=True).exists()
    page.keyboard.press("Enter")
    expect(page.locator("body")).not_to_have_attribute("data-ready", first.split("/")[-2])
    wait_until_saved(page)
    assert Rating.objects.filter(counted=True).count() == 4
    assert page.evaluate("document.documentElement.dataset.samePage") == "yes", "the next response came by a page load"
    expect(page.locator("[data-item-number]")).to_have_text("Sentence 1 of 4")
    press(page, "1 1 1 1")
    wait_until_saved(page)
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("All done")
    expect(page.locator(".empty")).to_contain_text("2 responses with 8 ratings")


def test_the_place_of_the_second_question_is_kept_so_nothing_moves(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    page.evaluate(SHIFTS)
    before = page.locator("[data-answer-form]").bounding_box()
    press(page, "1 4")
    expect(page.locator("[data-question=severity]")).to_be_visible()
    assert page.locator("[data-answer-form]").bounding_box() == before
    press(page, "s 2 n u 1")
    wait_until_saved(page)
    assert shifted(page) < 0.002  # a word of the header that changes its width is no move


def test_enter_finishes_after_a_folded_text_had_the_focus(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    left = page.url
    page.locator("summary:visible").first.focus()
    press(page, "1 1 1 1 Enter")
    wait_for_another_response(page, left)


def test_arrow_keys_within_the_options_choose_nothing(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    page.locator("input[value=accurate]").focus()
    press(page, "ArrowRight ArrowRight ArrowDown")
    expect(page.locator("[data-item-number]")).to_have_text("Sentence 2 of 4")
    expect(page.locator("input[value=unsupported]")).to_be_focused()
    press(page, "Space")
    expect(page.locator("input[value=severe]")).to_be_focused()
    press(page, "Space")
    wait_until_saved(page)
    assert stored_answers() == [{"accuracy": "unsupported", "severity": "severe"}]
