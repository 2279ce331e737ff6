"""Typing while the find bar loads: the keys go to its field and never answer a question."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from ..cast import ACCURATE, CANNOT_ASSESS, Study, study
from .evidence_study import write_sections
from .workspace import hold_requests, press, release_requests, stored_answers, wait_until_saved

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
MODULE, FIELD, COUNT = "**/workspace/article*.js", "[data-find] input", "[data-find-count]"


@pytest.fixture
def june(transactional_db: None) -> Study:
    prepared = study(prompts=2, sentences=4)
    write_sections(prepared)
    return prepared


def test_words_typed_at_once_are_searched(june: Study, open_rating: Callable, page: Page) -> None:
    routes = hold_requests(page, MODULE)
    open_rating()
    page.keyboard.press("/")
    page.keyboard.type("turbidn1")
    press(page, "Backspace Backspace Enter n")
    release_requests(page, routes)
    expect(page.locator(COUNT)).to_have_text("2 of 2")
    expect(page.locator(FIELD)).to_have_value("turbid")
    expect(page.locator("[data-item-number]")).to_have_text("Sentence 1 of 4")
    assert stored_answers() == []
    press(page, "Escape 1")
    expect(page.locator("[data-find]")).to_be_hidden()
    wait_until_saved(page)
    assert stored_answers() == [ACCURATE]


def test_answers_before_and_after_find_stay_in_order(june: Study, open_rating: Callable, page: Page) -> None:
    routes = hold_requests(page, MODULE)
    open_rating()
    press(page, "1 /")
    page.keyboard.type("45")
    press(page, "Escape 5 1")
    release_requests(page, routes)
    expect(page.locator("[data-item-number]")).to_have_text("Sentence 4 of 4")
    expect(page.locator("[data-find]")).to_be_hidden()
    wait_until_saved(page)
    assert stored_answers() == [ACCURATE, CANNOT_ASSESS, ACCURATE]


def test_the_button_opens_a_find_bar_that_is_not_loaded_yet(june: Study, open_rating: Callable, page: Page) -> None:
    routes = hold_requests(page, MODULE)
    open_rating()
    page.click("[data-find-open]")
    page.keyboard.type("1.9 g")
    release_requests(page, routes)
    expect(page.locator(COUNT)).to_have_text("1 of 1")
    expect(page.locator(FIELD)).to_be_focused()
    assert stored_answers() == []


def test_a_find_bar_that_does_not_load_has_a_notice_and_frees_the_keys(
    june: Study, open_rating: Callable, page: Page
) -> None:
    page.route(MODULE, lambda route: route.abort())
    open_rating()
    page.keyboard.press("/")
    page.keyboard.type("15")
    expect(page.locator("[data-notice-text]")).to_contain_text("Keys pressed in the meantime had no effect")
    assert stored_answers() == []
    press(page, "1")
    wait_until_saved(page)
    assert stored_answers() == [ACCURATE]
    page.unroute(MODULE)
    press(page, "/")
    expect(page.locator(FIELD)).to_be_focused()
