"""Bookmarks are stored like answers: journaled first, sent in order, restored after a closed tab."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from annotation.models import Bookmark, Rating

from ..cast import Study, person
from .workspace import count_unsent, press, wait_for_another_response, wait_until_saved

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


def test_the_buttons_are_named_for_what_they_do(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    press(page, "b")
    expect(page.locator(".foot [data-bookmark-toggle]")).to_have_accessible_name("Remove flag")
    page.get_by_label("More about this response").click()
    page.locator(".menu").get_by_role("button", name="Remove flag").click()
    expect(page.locator(".foot [data-bookmark-toggle]")).to_have_accessible_name("Flag for later")
    expect_bookmarks(page, 0)


def test_the_last_state_of_a_bookmark_is_sent(june: Study, open_rating: Callable, context: BrowserContext) -> None:
    page = open_rating()
    press(page, "b")
    wait_until_saved(page)
    assert Bookmark.objects.count() == 1
    context.set_offline(True)
    press(page, "b b b")
    # the last, and the first if it was on its way before the page knew that it is offline
    expect(page.locator("[data-saved-text]")).to_have_text(re.compile("Offline, [12] waiting"))
    context.set_offline(False)
    wait_until_saved(page)
    expect_bookmarks(page, 0)
    assert not Bookmark.objects.exists()


def test_a_page_that_was_made_before_the_bookmark_arrived_shows_it(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    press(page, "b")
    expect_bookmarks(page, 1)
    page.reload()
    page.wait_for_selector("body[data-ready]")
    expect_bookmarks(page, 1)
    wait_until_saved(page)
    page.reload()
    page.wait_for_selector("body[data-ready]")
    expect_bookmarks(page, 1)
    assert Bookmark.objects.get().assignment.rater == person("ravi")


def test_bookmarks_on_a_finished_response_do_not_block_later_requests(
    june: Study, open_rating: Callable, context: BrowserContext
) -> None:
    """Check that bookmarks on a finished response are stored and do not block later requests. They need no lease."""
    page = open_rating()
    first = page.url
    press(page, "1")
    wait_until_saved(page)
    expect(page.locator("[data-prefetched-count]")).to_have_text("1")
    context.set_offline(True)
    press(page, "b 1 1 1")
    press(page, "Enter")
    page.click("[data-bookmarks-finish]")
    wait_for_another_response(page, first)
    press(page, "b 5")
    context.set_offline(False)
    wait_until_saved(page)
    assert (Bookmark.objects.count(), Rating.objects.count()) == (2, 5)
