"""What tests of kept rating pages share."""

import time

from playwright.sync_api import Locator, Page

from ..cast import person
from .faults import Site

PAGES = """async () => {
    const found = [];
    for (const name of await caches.keys())
        for (const { url } of await (await caches.open(name)).keys())
            if (url.includes("/assignments/")) found.push(url);
    return found;
}"""


def kept_pages(page: Page) -> list[str]:
    """The addresses of the rating pages that this browser keeps."""
    return page.evaluate(PAGES)


def wait_until_kept(page: Page, n: int) -> None:
    """As many pages are kept, and the worker that gives them is there."""
    deadline = time.monotonic() + 20
    while len(kept := kept_pages(page)) != n:
        assert time.monotonic() < deadline, f"{len(kept)} pages are kept, not {n}"
        page.wait_for_timeout(50)
    page.evaluate("() => navigator.serviceWorker.ready.then(() => null)")


def open_at(site: Site, page: Page, name: str = "ravi") -> Page:
    """Signs somebody in, and opens the workspace with the next work."""
    site.let_in(page.context, person(name))
    page.goto(f"{site.url}/projects/june/rate/")
    page.wait_for_selector("body[data-ready]")
    return page


def reopen(page: Page, url: str = "") -> None:
    page.goto(url or page.url)
    page.wait_for_selector("body[data-ready]")


def notice(page: Page) -> Locator:
    return page.locator("[data-trouble-words]")


def online_again(site: Site, *pages: Page) -> None:
    site.start()
    for page in pages:
        page.evaluate("window.dispatchEvent(new Event('online'))")
