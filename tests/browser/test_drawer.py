"""Typing while the drawer loads: the keys go to the drawer's field and never answer a question."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from ..cast import ACCURATE, Study
from .workspace import hold_requests, press, release_requests, stored_answers, wait_until_saved

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
COMMENT = "[data-comment]"


@pytest.mark.parametrize("late", ["**/drawer*.js", "**/comment_and_questions*.js", "**/drawer*.css"])
def test_words_typed_at_once_are_in_the_comment(june: Study, open_rating: Callable, page: Page, late: str) -> None:
    routes = hold_requests(page, late)
    open_rating()
    page.keyboard.press("c")
    page.keyboard.type("1 in 5, nott")
    press(page, "Backspace Enter ArrowDown")
    page.keyboard.type("45")
    release_requests(page, routes)
    expect(page.locator(COMMENT)).to_have_value("1 in 5, not\n45")
    expect(page.locator(COMMENT)).to_be_focused()
    expect(page.locator("[data-item-number]")).to_have_text("Sentence 1 of 4")
    page.keyboard.type("!")
    press(page, "Control+Enter 1")
    wait_until_saved(page)
    assert stored_answers() == [ACCURATE]
    press(page, "ArrowUp")
    expect(page.locator(COMMENT)).to_have_value("1 in 5, not\n45!")


def test_keys_after_leaving_the_loading_drawer_answer_questions(june: Study, open_rating: Callable, page: Page) -> None:
    routes = hold_requests(page, "**/drawer*.js")
    open_rating()
    page.keyboard.press("c")
    page.keyboard.type("Page 5")
    press(page, "Control+Enter 1 1")
    assert stored_answers() == []
    release_requests(page, routes)
    expect(page.locator("[data-item-number]")).to_have_text("Sentence 3 of 4")
    wait_until_saved(page)
    assert stored_answers() == [ACCURATE, ACCURATE]


def test_keys_rate_while_the_guidelines_load(june: Study, open_rating: Callable, page: Page) -> None:
    routes = hold_requests(page, "**/drawer*.js")
    open_rating()
    press(page, "g 1")
    release_requests(page, routes)
    expect(page.locator("[data-drawer-body]")).to_be_focused()
    expect(page.locator("[data-item-number]")).to_have_text("Sentence 2 of 4")
    wait_until_saved(page)
    assert stored_answers() == [ACCURATE]


def test_a_shortcut_of_the_browser_is_no_answer(june: Study, open_rating: Callable, page: Page) -> None:
    routes = hold_requests(page, "**/drawer*.js")
    open_rating()
    press(page, "g Alt+5 1")
    release_requests(page, routes)
    expect(page.locator("[data-item-number]")).to_have_text("Sentence 2 of 4")
    wait_until_saved(page)
    assert stored_answers() == [ACCURATE]


def test_a_drawer_that_does_not_come_says_so_and_frees_the_keys(june: Study, open_rating: Callable, page: Page) -> None:
    page.route("**/drawer*.js", lambda route: route.abort())
    open_rating()
    page.keyboard.press("c")
    page.keyboard.type("15")
    expect(page.locator("[data-notice-text]")).to_contain_text("a part of this page is not loaded yet")
    page.keyboard.type("15")  # the hands have not seen it yet
    expect(page.locator("[data-notice-text]")).to_contain_text("Keys pressed in the meantime had no effect")
    assert stored_answers() == []
    press(page, "1")
    wait_until_saved(page)
    assert stored_answers() == [ACCURATE]


def test_a_drawer_that_takes_too_long_is_given_up(june: Study, open_rating: Callable, page: Page) -> None:
    """Check that the page gives up on a slow drawer, and that the drawer takes no keys when it arrives later."""
    routes = hold_requests(page, "**/drawer*.css")
    page.clock.install()
    open_rating()
    page.keyboard.press("c")
    page.keyboard.type("15")
    while not routes:
        page.wait_for_timeout(20)
    page.clock.fast_forward(11_000)
    page.clock.fast_forward(2_000)
    expect(page.locator("[data-notice-text]")).to_contain_text("Keys pressed in the meantime had no effect")
    release_requests(page, routes)
    press(page, "1")
    wait_until_saved(page)
    expect(page.locator("[data-drawer]")).to_be_hidden()
    assert stored_answers() == [ACCURATE]
    press(page, "c")
    expect(page.locator(COMMENT)).to_be_focused()
