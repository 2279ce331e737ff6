"""Cached rating pages: what is cached, for whom, when it is deleted, and rating that begins without a network."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Error, Locator, Page, Playwright, expect

from annotation.models import Assignment, Rating
from annotation.projects.project_settings import change_settings

from ..cast import ACCURATE, CANNOT_ASSESS, SEVERE, Study, person, study
from .accessibility import accessibility_problems
from .faults import SiteProcess, kill_browser_processes
from .workspace import (
    Acknowledged,
    are_receipts,
    arrived_answers,
    assert_nothing_is_lost,
    count_unsent,
    press,
    wait_until_saved,
)

pytestmark = [pytest.mark.browser, pytest.mark.caches_pages, pytest.mark.django_db(transaction=True)]


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


def notice(page: Page) -> Locator:
    return page.locator("[data-notice-text]")


@pytest.fixture
def four(transactional_db: None) -> Study:
    """Return four responses of two sentences about two articles, for Ravi alone."""
    june = study(prompts=4, sentences=2, overlap=1, raters=("ravi",))
    change_settings(june.project, {"prefetch_limit": 10})
    return june


def saved_words(page: Page) -> Any:
    return expect(page.locator("[data-saved-text]"))


def test_signing_out_deletes_cached_pages_and_receipts(june: Study, site: SiteProcess, page: Page) -> None:
    """Check that signing out deletes cached pages and receipts, but no unsent answers, and says that there are any."""
    url = open_workspace(site, page).url
    press(page, "1")
    wait_until_saved(page)
    wait_until_cached(page, 2)
    assert are_receipts(page) == [True]
    page.route("**/items/**", lambda route: route.abort())
    press(page, "5")
    expect(page.locator("[data-saved-text]")).to_contain_text("waiting")
    for choice in ("Stay", "Sign out anyway"):
        page.click("summary[aria-label*='account']")
        page.get_by_role("button", name="Sign out", exact=True).click()
        page.get_by_role("dialog", name="Unsent answers").get_by_role("button", name=choice).click()
    page.wait_for_url("**/accounts/login/**")
    assert cached_addresses(page) == []
    assert are_receipts(page) == [False]
    site.kill()
    with pytest.raises(Error, match="ERR_"):
        page.goto(url)


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


def test_reloaded(four: Study, site: SiteProcess, page: Page, acknowledged: set, capsys: Any) -> None:
    """Check that the cached page has later answers, sent or not, and that prefetched responses follow it."""
    open_workspace(site, page)
    press(page, "1")
    wait_until_saved(page)
    wait_until_cached(page, 4)
    site.kill()
    press(page, "4")  # begun
    page.reload()
    expect(notice(page)).to_contain_text("3 more responses are ready")
    expect(page.locator("[data-item-number]")).to_have_text("Sentence 2 of 2")
    expect(page.locator("input[value=inaccurate]")).to_be_checked()
    assert accessibility_problems(page) == []
    press(page, "s Enter 5")
    saved_words(page).to_contain_text("3 waiting")  # two answers, and that the first response is finished
    page.reload()
    expect(notice(page)).to_contain_text("2 more responses are ready")
    expect(page.locator("[data-progress-text]")).to_have_text("1 of 2")
    press(page, "1 Enter 4 s 5 Enter 1 1 Enter")
    saved_words(page).to_contain_text("waiting")
    assert Rating.objects.count() == 1
    site.start()
    page.evaluate("window.dispatchEvent(new Event('online'))")
    page.wait_for_url("**/rate/")
    answers = [ACCURATE, SEVERE, CANNOT_ASSESS, ACCURATE, SEVERE, CANNOT_ASSESS, ACCURATE, ACCURATE]
    assert_nothing_is_lost("reloaded without a network, twice", answers, acknowledged, capsys, arrived_answers())
    assert Rating.objects.filter(counted=True).count() == 8
    ends = list(Assignment.objects.order_by("finished_at").values_list("pk", flat=True))
    assert ends == list(Assignment.objects.order_by("taken_at").values_list("pk", flat=True))
    assert cached_addresses(page) == []  # nothing is left to rate


def is_on_disk(profile: Path) -> bool:
    """Return whether service worker and cache are on the disk: the browser writes them a moment later."""
    folder = profile / "Default" / "Service Worker"
    written = [file.read_bytes() for file in (*folder.glob("Database/*.log"), *folder.glob("CacheStorage/*/index.txt"))]
    return len(written) == 2 and b"/assignments/worker.js" in written[0]


def test_browser_killed(
    four: Study, site: SiteProcess, playwright: Playwright, tmp_path: Path, browser_type_launch_args: dict,
    wait_until: Callable, capsys: Any,
) -> None:  # fmt: skip
    """Check that the page opens offline after its browser was killed. Worker, pages and journal are on the disk."""

    def start() -> tuple[BrowserContext, set[str]]:
        context = playwright.chromium.launch_persistent_context(tmp_path, **browser_type_launch_args)
        return context, Acknowledged(context).keys

    context, before = start()
    page = open_workspace(site, context.new_page())
    press(page, "1")
    wait_until_saved(page)
    wait_until_cached(page, 4)
    wait_until(lambda: is_on_disk(tmp_path))
    site.kill()
    press(page, "4 s Enter 5 4")  # the last one is begun only
    saved_words(page).to_contain_text("3 waiting")
    assert count_unsent(page) == 3
    url = page.url
    kill_browser_processes(tmp_path, wait_until)
    context, after = start()
    page = context.new_page()
    page.goto(url)
    page.wait_for_selector("body[data-ready]")
    expect(notice(page)).to_contain_text("2 more responses are ready")
    expect(page.locator("[data-item-number]")).to_have_text("Sentence 2 of 2")
    expect(page.locator("input[value=inaccurate]")).to_be_checked()
    press(page, "s Enter")
    expect(page.locator("[data-item-number]")).to_have_text("Sentence 1 of 2")
    press(page, "1")
    site.start()
    site.log_in(context, person("ravi"))
    page.evaluate("window.dispatchEvent(new Event('online'))")
    wait_until_saved(page)
    answers = [ACCURATE, SEVERE, CANNOT_ASSESS, SEVERE, ACCURATE]
    assert_nothing_is_lost("browser killed, started offline", answers, before | after, capsys, arrived_answers())
    context.close()
