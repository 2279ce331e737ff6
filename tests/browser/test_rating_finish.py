"""Finishing a response, opening the next, and undo into the one before."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from annotation.models import Slot

from ..cast import ACCURATE, CANNOT_ASSESS, Study
from .workspace import press, stored_answers, wait_for_another_response, wait_until_saved

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_work_can_be_given_back(june: Study, open_rating: Callable, live_server: Any) -> None:
    page = open_rating()
    press(page, "1")
    page.click("summary[aria-label='More about this response']")
    page.click("[data-return-to-queue]")
    page.click("[data-release]")
    page.wait_for_url(f"{live_server.url}/")
    assert not Slot.objects.filter(holder__rater__username="ravi").exists()
    assert stored_answers() == [ACCURATE]


def test_back_and_forward_of_the_browser_follow_the_responses(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    first = page.url
    press(page, "1 1 1 5")
    wait_until_saved(page)
    press(page, "Enter")
    wait_for_another_response(page, first)
    second = page.url
    wait_until_saved(page)
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
    assert stored_answers() == [ACCURATE, ACCURATE, ACCURATE, CANNOT_ASSESS, ACCURATE]
