"""Cached rating pages: what is cached, for whom, and when it is deleted."""

import pytest
from playwright.sync_api import Error, Page, expect

from ..cast import Study
from .cached_pages import (
    cached_addresses,
    notice,
    open_workspace,
    start_response,
    wait_until_cached,
)
from .faults import SiteProcess
from .workspace import are_receipts, press

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def assert_does_not_load(page: Page, url: str) -> None:
    with pytest.raises(Error, match="ERR_"):
        page.goto(url)


def test_signing_out_deletes_cached_pages_and_receipts(june: Study, site: SiteProcess, page: Page) -> None:
    """Check that signing out deletes cached pages and receipts, but no unsent answers."""
    url = start_response(site, page)
    assert are_receipts(page) == [True]
    page.route("**/items/**", lambda route: route.abort())
    press(page, "5")
    expect(page.locator("[data-saved-text]")).to_contain_text("waiting")
    page.click("summary[aria-label*='account']")
    page.get_by_role("button", name="Sign out").click()
    page.get_by_role("button", name="Sign out anyway").click()
    page.wait_for_url("**/accounts/login/**")
    assert cached_addresses(page) == []
    assert are_receipts(page) == [False]
    site.kill()
    assert_does_not_load(page, url)


def test_every_file_that_a_page_needs_is_cached(june: Study, site: SiteProcess, page: Page) -> None:
    """Check that find, help, drawer and bookmarks can be opened for the first time without a network."""
    open_workspace(site, page)
    wait_until_cached(page, 1)
    site.kill()
    page.context.new_cdp_session(page).send("Network.clearBrowserCache")
    page.reload()
    expect(notice(page)).to_contain_text("You are offline")
    press(page, "/")
    expect(page.locator("[data-find] input")).to_be_focused()
    page.keyboard.type("zebra")
    expect(page.locator("[data-find-count]")).to_have_text("Not found")
    press(page, "Escape")
    expect(page.locator("[data-find]")).to_be_hidden()
    press(page, "?")
    expect(page.locator("#help")).to_be_visible()
    page.click("[data-keys-change]")
    expect(page.locator("[data-keys-choices]")).to_be_visible()
    press(page, "Escape c")
    expect(page.locator("[data-comment]")).to_be_focused()
    press(page, "Escape b 1 1 1 1 Enter")
    expect(page.locator("#bookmarks")).to_be_visible()
