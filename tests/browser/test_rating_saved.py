"""Saving answers: each is stored once, whatever the network does."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, expect

from ..cast import Study
from .workspace import press

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_leaving_while_something_waits_is_warned_about(
    june: Study, open_rating: Callable, context: BrowserContext
) -> None:
    page = open_rating()
    page.on("dialog", lambda dialog: dialog.dismiss())
    page.click("[data-item-number]")  # a browser warns only those who have touched the page
    context.set_offline(True)
    press(page, "1")
    expect(page.locator("[data-saved-text]")).to_have_text("Offline, 1 waiting")
    with page.expect_event("dialog") as warning:
        page.close(run_before_unload=True)
    assert warning.value.type == "beforeunload"
    context.set_offline(False)
