"""Helpers of the tests of cached rating pages."""

import time

from playwright.sync_api import Locator, Page

from ..cast import person
from .faults import SiteProcess
from .workspace import press, wait_until_saved

PAGES = """async () => {
    const found = [];
    for (const name of await caches.keys())
        for (const { url } of await (await caches.open(name)).keys())
            if (url.includes("/assignments/")) found.push(url);
    return found;
}"""


def cached_addresses(page: Page) -> list[str]:
    """Return the addresses of the rating pages that this browser caches."""
    return page.evaluate(PAGES)


def wait_until_cached(page: Page, n: int) -> None:
    """Wait until `n` pages are cached and the service worker controls the page."""
    deadline = time.monotonic() + 300
    while len(cached := cached_addresses(page)) != n:
        assert time.monotonic() < deadline, f"{len(cached)} pages are kept, not {n}"
        page.wait_for_timeout(50)
    page.evaluate("() => navigator.serviceWorker.ready.then(() => null)")


def open_workspace(site: SiteProcess, page: Page, name: str = "ravi") -> Page:
    """Sign in and open the workspace with the next work."""
    site.log_in(page.context, person(name))
    page.goto(f"{site.url}/projects/june/rate/")
    page.wait_for_selector("body[data-ready]")
    return page


def start_response(site: SiteProcess, page: Page) -> str:
    """Answer one sentence; return the response's address when it and the next response are cached."""
    open_workspace(site, page)
    press(page, "1")
    wait_until_saved(page)
    wait_until_cached(page, 2)
    return page.url


def reopen(page: Page, url: str = "") -> None:
    page.goto(url or page.url)
    page.wait_for_selector("body[data-ready]")


def notice(page: Page) -> Locator:
    return page.locator("[data-notice-text]")


def go_online(site: SiteProcess, *pages: Page) -> None:
    site.start()
    for page in pages:
        page.evaluate("window.dispatchEvent(new Event('online'))")
