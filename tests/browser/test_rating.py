"""Rating by key and by click: questions, order, undo."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from annotation.models import Rating

from ..cast import ACCURATE, CANNOT_ASSESS, SEVERE, Study
from .workspace import SHIFTS, press, shifted, stored_answers, wait_for_another_response, wait_until_saved

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_responses_are_rated_by_keyboard_alone_one_after_the_other(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    page.evaluate("document.documentElement.dataset.samePage = 'yes'")
    page.evaluate(SHIFTS)
    before = page.locator("[data-answer-form]").bounding_box()
    first = page.url
    press(page, "1 4")
    expect(page.locator("[data-question=severity]")).to_be_visible()
    assert page.locator("[data-answer-form]").bounding_box() == before
    press(page, "n u 4 s 5 3 n")
    wait_until_saved(page)
    assert shifted(page) < 0.002  # a word of the header that changes its width is no move
    unsupported = {"accuracy": "unsupported", "severity": "not_severe"}
    answers = [ACCURATE, SEVERE, CANNOT_ASSESS, unsupported]
    assert stored_answers() == answers
    assert not Rating.objects.filter(counted=True).exists()
    page.locator("summary:visible").first.focus()  # a folded text takes no Enter after the next answer
    press(page, "3 n Enter")
    wait_for_another_response(page, first)
    wait_until_saved(page)
    assert Rating.objects.filter(counted=True).count() == 4
    assert page.evaluate("document.documentElement.dataset.samePage") == "yes", "the next response came by a page load"
    second = page.url
    press(page, "1")
    page.go_back()
    expect(page.locator("[data-finish]")).to_contain_text("Next response")
    assert page.url == first
    expect(page.locator("[data-announcements]")).to_contain_text("Previous response. ")
    press(page, "k k k 4 s u")  # an answer of the finished response, changed and changed back
    expect(page.locator("[data-progress-text]")).to_have_text("4 of 4")
    page.go_forward()
    page.wait_for_url(second)
    expect(page.locator("[data-progress-text]")).to_have_text("1 of 4")
    wait_until_saved(page)
    assert stored_answers() == [*answers, ACCURATE]
    press(page, "1 1 1")
    wait_until_saved(page)
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("All done")
    expect(page.locator(".empty")).to_contain_text("2 responses with 8 ratings")


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
