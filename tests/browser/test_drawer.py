"""Typing while the drawer loads: the keys go to the drawer's field and never answer a question."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from ..cast import ACCURATE, Study
from .workspace import hold_requests, press, release_requests, stored_answers, wait_until_saved

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
COMMENT = "[data-comment]"


def test_words_typed_at_once_are_in_the_comment(june: Study, open_rating: Callable, page: Page) -> None:
    routes = hold_requests(page, "**/drawer*.css")
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
