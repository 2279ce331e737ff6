"""Saving answers: each is stored once, whatever the network does."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, expect

from ..cast import ACCURATE, SEVERE, Study
from .workspace import count_unsent, press, stored_answers, wait_until_saved

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_answers_that_waited_in_a_killed_tab_are_sent_by_the_next_one(
    june: Study, open_rating: Callable, context: BrowserContext
) -> None:
    page = open_rating()
    url = page.url
    context.set_offline(True)
    press(page, "1 4 s")
    expect(page.locator("[data-saved-text]")).to_have_text("Offline, 2 waiting")
    page.close(run_before_unload=False)
    context.set_offline(False)
    again = context.new_page()
    again.goto(url)
    again.wait_for_selector("body[data-ready]")
    expect(again.locator("[data-item-number]")).to_have_text("Sentence 3 of 4")
    wait_until_saved(again)
    assert stored_answers() == [ACCURATE, SEVERE]
    assert count_unsent(again) == 0


def test_leaving_while_something_waits_is_warned_about(
    june: Study, open_rating: Callable, context: BrowserContext
) -> None:
    page = open_rating()
    warnings: list[str] = []

    def stay(dialog: Any) -> None:
        warnings.append(dialog.type)
        dialog.dismiss()

    page.on("dialog", stay)
    page.click("[data-item-number]")  # a browser warns only those who have touched the page
    context.set_offline(True)
    press(page, "1")
    expect(page.locator("[data-saved-text]")).to_have_text("Offline, 1 waiting")
    page.close(run_before_unload=True)
    page.wait_for_timeout(300)
    assert warnings == ["beforeunload"]
    context.set_offline(False)
