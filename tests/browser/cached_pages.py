"""What tests of kept rating pages share."""

import time

from playwright.sync_api import Locator, Page

from ..cast import person
from .faults import Site
from .workspace import press, wait_until_saved

PAGES = """async () => {
    const found = [];
    for (const name of await caches.keys())
        for (const { url } of await (await caches.open(name)).keys())
            if (url.includes("/assignments/")) found.push(url);
    return found;
}"""

GROW_OLD = """async ([hours, besides]) => {
    const [name] = await caches.keys();
    const kept = await caches.open(name);
    for (const request of await kept.keys()) {
        if (!request.url.includes("/assignments/") || request.url === besides) continue;
        const page = await kept.match(request);
        const headers = new Headers(page.headers);
        for (const time of ["Kept-At", "Kept-Until"]) headers.set(time, headers.get(time) - hours * 3600 * 1000);
        await kept.put(request, new Response(await page.text(), { headers }));
    }
}"""


def kept_pages(page: Page) -> list[str]:
    """The addresses of the rating pages that this browser keeps."""
    return page.evaluate(PAGES)


def wait_until_kept(page: Page, n: int) -> None:
    """As many pages are kept, and the worker that gives them is there."""
    deadline = time.monotonic() + 300
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


def begun(site: Site, page: Page) -> str:
    """The address of a response with one answer, when it and the next are kept."""
    open_at(site, page)
    press(page, "1")
    wait_until_saved(page)
    wait_until_kept(page, 2)
    return page.url


def grow_old(page: Page, hours: float, *, besides: str = "") -> None:
    """Makes what is kept older by so many hours, but for the page of the address `besides`."""
    page.evaluate(GROW_OLD, [hours, besides])


def reopen(page: Page, url: str = "") -> None:
    page.goto(url or page.url)
    page.wait_for_selector("body[data-ready]")


def notice(page: Page) -> Locator:
    return page.locator("[data-trouble-words]")


def online_again(site: Site, *pages: Page) -> None:
    site.start()
    for page in pages:
        page.evaluate("window.dispatchEvent(new Event('online'))")
