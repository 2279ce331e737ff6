"""Rating with an expired session or somebody else's: the work goes on, and nothing is sent under another name."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from ..cast import ACCURATE, PASSWORD, SEVERE, Study
from .workspace import count_unsent, press, stored_answers, wait_until_saved

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def sign_out(page: Page) -> None:
    page.click("summary[aria-label*='account']")
    page.get_by_role("button", name="Sign out", exact=True).click()


def test_who_signs_out_while_something_waits_is_told_where_it_stays(
    june: Study, open_rating: Callable, context: BrowserContext, live_server: Any
) -> None:
    page = open_rating()
    context.route("**/items/**", lambda route: route.abort())
    press(page, "1 4 s")
    expect(page.locator("[data-saved-text]")).to_have_text("Offline, 2 waiting")
    sign_out(page)
    dialog = page.get_by_role("dialog", name="Unsent answers")
    dialog.get_by_role("button", name="Stay").click()
    expect(dialog).not_to_be_visible()
    assert count_unsent(page) == 2
    sign_out(page)
    dialog.get_by_role("button", name="Sign out anyway").click()
    page.wait_for_url("**/accounts/login/**")
    context.unroute("**/items/**")
    page.fill("[name=login]", "ravi")
    page.fill("[name=password]", PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url(f"{live_server.url}/")
    with page.expect_response("**/items/**"):
        page.goto(f"{live_server.url}/projects/june/rate/")
    wait_until_saved(page)
    assert stored_answers() == [ACCURATE, SEVERE]
