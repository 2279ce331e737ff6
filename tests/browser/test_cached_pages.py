"""Cached rating pages: what is cached, for whom, and when it is deleted."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from playwright.sync_api import BrowserContext, Error, Page, Route, expect

from annotation.models import Membership, Project, Prompt
from annotation.qualification.prefetch import set_prefetch_limit

from ..cast import ACCURATE, CANNOT_ASSESS, Study, person, study
from .cached_pages import (
    age_cached_pages,
    cached_addresses,
    go_online,
    notice,
    open_workspace,
    reopen,
    start_response,
    wait_until_cached,
)
from .faults import SiteProcess
from .workspace import are_receipts, press, stored_answers, wait_until_saved

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@contextmanager
def answer_with_status(site: SiteProcess, status: int) -> Iterator[None]:
    """Serve one status for every request on the site's port, until the end of the block."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status)
            self.end_headers()
            self.wfile.write(b"The server says no.")

        def log_message(self, format: str, *args: object) -> None:
            """Log no request."""

    server = HTTPServer(("127.0.0.1", site.port), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


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


def test_signing_out_deletes_receipts_without_cache_storage(june: Study, site: SiteProcess, page: Page) -> None:
    page.add_init_script("CacheStorage.prototype.keys = () => Promise.reject(new DOMException('no', 'SecurityError'))")
    open_workspace(site, page)
    press(page, "1")
    wait_until_saved(page)
    assert are_receipts(page) == [True]
    page.click("summary[aria-label*='account']")
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url("**/accounts/login/**")
    assert are_receipts(page) == []


def test_signing_out_of_djangos_admin_deletes_cached_pages(june: Study, site: SiteProcess, page: Page) -> None:
    ravi = person("ravi")
    ravi.is_superuser = ravi.is_staff = True
    ravi.save()
    url = start_response(site, page)
    page.goto(f"{site.url}/admin/")
    assert len(cached_addresses(page)) == 2
    with page.expect_navigation():
        page.locator("#logout-form button").click()
    assert cached_addresses(page) == []
    site.kill()
    assert_does_not_load(page, url)


def test_another_user_gets_no_cached_page(june: Study, site: SiteProcess, page: Page) -> None:
    """Check that a page of the site deletes the cached pages of another user. Browsers are shared."""
    url = start_response(site, page)
    site.log_in(page.context, person("lena"))
    page.goto(f"{site.url}/projects/june/")
    while cached_addresses(page):
        page.wait_for_timeout(50)
    assert are_receipts(page) == []
    site.kill()
    assert_does_not_load(page, url)


def test_another_user_in_a_second_tab_deletes_cached_pages(
    june: Study, site: SiteProcess, context: BrowserContext
) -> None:
    page = context.new_page()
    start_response(site, page)
    other = open_workspace(site, context.new_page(), "rosa")
    wait_until_cached(other, 1)
    press(page, "5")
    expect(page.locator("[data-other-account]")).to_be_visible()
    assert cached_addresses(page) == [other.url]


def test_a_page_is_cached_again_when_its_rater_is_back(june: Study, site: SiteProcess, page: Page) -> None:
    url = start_response(site, page)
    site.log_in(page.context, person("rosa"))
    press(page, "5")
    expect(page.locator("[data-other-account]")).to_be_visible()
    wait_until_cached(page, 0)
    site.log_in(page.context, person("ravi"))
    page.evaluate("window.dispatchEvent(new Event('focus'))")
    wait_until_saved(page)
    wait_until_cached(page, 1)
    site.kill()
    reopen(page, url)
    expect(page.locator("[data-progress-text]")).to_have_text("2 of 4")


@pytest.mark.parametrize(("status", "stays"), [(403, False), (404, False), (423, False), (500, True)])
def test_an_error_of_the_server_is_shown_and_no_cached_page(
    june: Study, site: SiteProcess, page: Page, status: int, stays: bool
) -> None:
    """Check that an error is shown instead of the cached page, and that denied access deletes that page."""
    url = start_response(site, page)
    site.kill()
    with answer_with_status(site, status):
        answer = page.goto(url)
        assert answer and answer.status == status
        expect(page.locator("body")).to_have_text("The server says no.")
    if stays:
        reopen(page, url)
        expect(notice(page)).to_contain_text("You are offline")
    else:
        assert url not in cached_addresses(page)


@pytest.mark.parametrize("status", [502, 503, 504])
def test_a_gateway_error_of_a_proxy_counts_as_offline(june: Study, site: SiteProcess, page: Page, status: int) -> None:
    url = start_response(site, page)
    site.kill()
    with answer_with_status(site, status):
        reopen(page, url)
        expect(notice(page)).to_contain_text("You are offline")
        press(page, "5")
        expect(page.locator("[data-saved-text]")).to_contain_text("waiting")
    go_online(site, page)
    wait_until_saved(page)
    assert stored_answers() == [ACCURATE, CANNOT_ASSESS]


def test_with_a_network_the_page_comes_from_the_server(june: Study, site: SiteProcess, page: Page) -> None:
    url = start_response(site, page)
    Project.objects.update(title="Another title")
    reopen(page, url)
    expect(page.locator(".location")).to_contain_text("Another title")
    assert page.get_attribute("html", "data-cached-at") is None
    Membership.objects.filter(user=person("ravi")).delete()
    answer = page.goto(url)
    assert answer and answer.status == 404
    assert url not in cached_addresses(page)


def test_the_redirect_to_the_login_page_is_not_cached(june: Study, site: SiteProcess, page: Page) -> None:
    url = start_response(site, page)
    page.context.clear_cookies(name="factuary_session")
    page.goto(url)
    page.wait_for_url("**/accounts/login/**")
    while cached_addresses(page):  # nobody is signed in, and the login page says so
        page.wait_for_timeout(50)


def test_an_address_that_is_not_cached_leads_to_a_cached_one(june: Study, site: SiteProcess, page: Page) -> None:
    url = start_response(site, page)
    site.kill()
    reopen(page, f"{site.url}/assignments/00000000-0000-4000-8000-000000000000/")
    expect(page).to_have_url(url)
    assert_does_not_load(page, f"{site.url}/projects/june/")


def test_a_cached_page_expires_after_half_a_day(june: Study, site: SiteProcess, page: Page) -> None:
    url = start_response(site, page)
    age_cached_pages(page, 11.9)
    site.kill()
    reopen(page)
    expect(notice(page)).to_contain_text("one more response is ready")
    age_cached_pages(page, 0.2)
    assert_does_not_load(page, url)


def test_an_expired_page_does_not_follow_another(june: Study, site: SiteProcess, page: Page) -> None:
    url = start_response(site, page)
    age_cached_pages(page, 12.1, besides=url)
    site.kill()
    reopen(page)
    expect(notice(page)).to_contain_text("Continue rating. Your answers")


def test_hanging_fetches_for_the_cache_block_nothing(transactional_db: None, site: SiteProcess, page: Page) -> None:
    """Check that a response can be given back while fetches for the cache hang. A bad connection may never answer."""
    set_prefetch_limit(study(prompts=3, overlap=1, raters=("ravi",)).project, 2)

    def hold(route: Route) -> None:
        if route.request.resource_type == "document":
            route.continue_()

    page.route("**/assignments/*-*-*/", hold)
    open_workspace(site, page)
    press(page, "1")
    expect(page.locator("[data-prefetched-count]")).to_have_text("2")
    page.click("summary[aria-label='More about this response']")
    page.click("[data-return-to-queue]")
    page.click("[data-release]")
    expect(page).to_have_url(f"{site.url}/")


def test_pages_cached_by_another_version_or_language_are_deleted(june: Study, site: SiteProcess, page: Page) -> None:
    url = start_response(site, page)
    page.evaluate("(name) => caches.open(name)", f"factuary:{person('ravi').pk}:en-us:older")
    page.click("summary[aria-label*='account']")
    page.click("button[lang=es]")
    page.wait_for_selector("html[lang=es] body[data-ready]")
    while len(names := page.evaluate("caches.keys()")) != 1 or ":es:" not in names[0]:
        page.wait_for_timeout(50)
    press(page, "1")
    expect(page.locator("[data-saved-text]")).to_have_text("Guardado")
    wait_until_cached(page, 2)
    site.kill()
    reopen(page, url)
    expect(page.locator("html")).to_have_attribute("lang", "es")
    expect(page.locator("[data-progress-text]")).to_have_text("2 de 4")


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


def test_the_math_font_is_cached_with_a_page_that_has_a_formula(june: Study, site: SiteProcess, page: Page) -> None:
    cached = "async (font) => Boolean(await caches.match(font, { ignoreVary: true }))"
    open_workspace(site, page)
    wait_until_cached(page, 1)
    font = page.get_attribute("[data-workspace]", "data-cache-math-font")
    assert "NotoSansMath" in font and not page.evaluate(cached, font)
    Prompt.objects.update(text="How large is $x^2$?")
    reopen(page)
    page.wait_for_timeout(3_500)  # the page is cached again after three seconds
    page.wait_for_function(cached, arg=font)
    site.kill()
    page.context.new_cdp_session(page).send("Network.clearBrowserCache")
    page.reload()
    expect(page.locator(".prompt math")).to_be_visible()
    assert page.evaluate("(font) => fetch(font).then((response) => response.ok)", font)


def test_a_file_that_the_site_no_longer_has_comes_from_the_cache(june: Study, site: SiteProcess, page: Page) -> None:
    """Check that a cached page gets a file from the cache when the site, in a new version, has it no more."""
    start_response(site, page)
    site.kill()
    page.reload()
    expect(notice(page)).to_contain_text("You are offline")
    page.context.new_cdp_session(page).send("Network.clearBrowserCache")
    with answer_with_status(site, 404):
        press(page, "c")
        expect(page.locator("[data-comment]")).to_be_focused()


def test_a_preview_is_not_cached(june: Study, site: SiteProcess, page: Page) -> None:
    site.log_in(page.context, person("lena"))
    page.goto(f"{site.url}/projects/june/preview/{june.project.sheets.first().pk}/")
    page.wait_for_selector("body[data-ready]")
    press(page, "1")
    page.wait_for_timeout(3_500)
    assert cached_addresses(page) == [] and page.evaluate("navigator.serviceWorker.getRegistrations()") == []


def test_rating_works_where_the_browser_refuses_to_cache(june: Study, page: Page, open_rating: Callable) -> None:
    page.add_init_script(
        "CacheStorage.prototype.open = () => Promise.reject(new DOMException('no', 'QuotaExceededError'))"
    )
    open_rating()
    press(page, "1")
    wait_until_saved(page)
    press(page, "1 1 1 Enter")
    expect(page.locator("[data-item-number]")).to_have_text("Sentence 1 of 4")
    wait_until_saved(page)
    assert stored_answers() == [ACCURATE] * 4
