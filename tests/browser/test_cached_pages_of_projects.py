"""Cached rating pages of a rater with two projects: each project has its own."""

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from ..cast import Study, study
from .cached_pages import age_cached_pages, cached_addresses, notice, reopen, start_response, wait_until_cached
from .faults import SiteProcess
from .workspace import press, wait_until_saved

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def july(june: Study) -> Study:
    """Return another project in which the same people rate."""
    return study("july", prompts=2, sentences=2)


def test_responses_of_another_project_do_not_follow(july: Study, site: SiteProcess, page: Page) -> None:
    """Check that offline work stays in one project. Another project has other questions and other guidelines."""
    start_response(site, page)
    reopen(page, f"{site.url}/projects/july/rate/")
    wait_until_cached(page, 3)
    site.kill()
    page.reload()
    expect(notice(page)).to_contain_text("Continue rating. Your answers")
    press(page, "1 1 Enter")
    expect(page.locator("[data-saved-text]")).to_contain_text("3 waiting")
    assert page.evaluate("document.getElementById('work').textContent.includes('july')")


def test_prefetching_in_one_project_keeps_cached_pages_of_another(
    july: Study, site: SiteProcess, context: BrowserContext
) -> None:
    page, other = context.new_page(), context.new_page()
    start_response(site, page)
    of_june = set(cached_addresses(page))
    reopen(other, f"{site.url}/projects/july/rate/")
    press(other, "1")
    wait_until_saved(other)
    wait_until_cached(other, 4)
    assert of_june < set(cached_addresses(page))


def test_a_page_from_the_server_deletes_expired_pages(july: Study, site: SiteProcess, page: Page) -> None:
    start_response(site, page)
    reopen(page, f"{site.url}/projects/july/rate/")
    wait_until_cached(page, 3)
    age_cached_pages(page, 12.1, besides=page.url)
    reopen(page)
    wait_until_cached(page, 1)
    assert cached_addresses(page) == [page.url]
