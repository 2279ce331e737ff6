"""Layout around the answers of a response: nothing covers them, and texts and buttons fit."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from ..cast import Study
from .workspace import press, wait_until_saved

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

BADGE_AND_SIGN = """sentence => {
  const [badge, sign] = ["::after", "::before"].map(which => getComputedStyle(sentence, which));
  const [top, height, line, letters] = [badge.top, badge.height, sign.height, sign.fontSize].map(parseFloat);
  return { ends: top + height, begins: (line - letters) / 2 };
}"""
FOOT_ENDS = "foot => foot.getBoundingClientRect().right - foot.lastElementChild.getBoundingClientRect().right"


def test_the_mark_to_come_back_stands_above_the_sign_of_the_answer(june: Study, open_rating: Callable) -> None:
    page: Page = open_rating()
    press(page, "b 1")
    wait_until_saved(page)
    edges = page.locator(".s.first[data-item-note=bookmark]").first.evaluate(BADGE_AND_SIGN)
    assert edges["ends"] <= edges["begins"]


def test_before_finishing_one_sentence_is_one(june: Study, open_rating: Callable) -> None:
    page: Page = open_rating()
    items = page.locator(".s.first").count()
    press(page, "b" + " 1" * items)
    wait_until_saved(page)
    press(page, "Enter")
    expect(page.locator("[data-bookmarks-go]")).to_have_text("Look at it")
    page.locator("[data-bookmarks-go]").click()
    page.locator(".s.first").nth(1).click()
    press(page, "b Enter")
    expect(page.locator("[data-bookmarks-go]")).to_have_text("Look at them")


def test_what_finishing_waits_for_fits_the_line(june: Study, open_rating: Callable, context: BrowserContext) -> None:
    page: Page = open_rating()
    press(page, "1")
    wait_until_saved(page)
    expect(page.locator("[data-prefetched-count]")).to_have_text("1")
    context.set_offline(True)
    for _ in range(2):
        press(page, "1 " * page.locator(".s.first").count())
        press(page, "Enter")
    expect(page.locator(".finish")).to_contain_text("Finishes once all is saved")
    for width in (390, 1280, 1440):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.locator(".foot").evaluate(FOOT_ENDS) >= 0, width
