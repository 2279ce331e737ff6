"""Bookmarks are stored like answers: journaled first, sent in order, restored after a closed tab."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from annotation.models import Bookmark, Rating

from ..cast import Study
from .workspace import count_unsent, press, wait_until_saved

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def expect_bookmarks(page: Page, n: int) -> None:
    expect(page.locator(".s[data-item-note=bookmark]")).to_have_count(n)


def test_a_bookmark_survives_a_killed_tab_and_waits_with_the_answers(
    june: Study, open_rating: Callable, context: BrowserContext
) -> None:
    page = open_rating()
    url = page.url
    press(page, "1")
    wait_until_saved(page)
    context.set_offline(True)
    press(page, "b 4 s b")
    expect_bookmarks(page, 2)
    expect(page.locator("[data-saved-text]")).to_have_text("Offline, 3 waiting")
    assert (count_unsent(page), Bookmark.objects.count()) == (3, 0)
    page.close(run_before_unload=False)
    context.set_offline(False)
    again = context.new_page()
    again.goto(url)
    again.wait_for_selector("body[data-ready]")
    expect_bookmarks(again, 2)
    wait_until_saved(again)
    assert list(Bookmark.objects.order_by("item__position").values_list("item__position", flat=True)) == [2, 3]
    assert (Rating.objects.count(), count_unsent(again)) == (2, 0)
