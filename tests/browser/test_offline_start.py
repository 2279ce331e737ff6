"""Opening the rating page again without a network: the cached page with the answers of the journal.

Each test prints how many answers were given, acknowledged, stored, lost and doubled.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, Playwright, expect

from annotation.models import Assignment, Rating
from annotation.qualification.prefetch import set_prefetch_limit

from ..cast import ACCURATE, CANNOT_ASSESS, SEVERE, Study, person, study
from .accessibility import accessibility_problems
from .cached_pages import cached_addresses, go_online, notice, open_workspace, reopen, wait_until_cached
from .faults import SiteProcess, kill_browser_processes
from .workspace import Acknowledged, assert_all_arrived, count_unsent, press, wait_until_saved

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def four(transactional_db: None) -> Study:
    """Return four responses of two sentences about two articles, for Ravi alone."""
    june = study(prompts=4, sentences=2, overlap=1, raters=("ravi",))
    set_prefetch_limit(june.project, 10)
    return june


def saved_words(page: Page) -> Any:
    return expect(page.locator("[data-saved-text]"))


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
    go_online(site, page)
    page.wait_for_url("**/rate/")
    answers = [ACCURATE, SEVERE, CANNOT_ASSESS, ACCURATE, SEVERE, CANNOT_ASSESS, ACCURATE, ACCURATE]
    assert_all_arrived("reloaded without a network, twice", answers, acknowledged, capsys)
    assert Rating.objects.filter(counted=True).count() == 8
    ends = list(Assignment.objects.order_by("finished_at").values_list("pk", flat=True))
    assert ends == list(Assignment.objects.order_by("taken_at").values_list("pk", flat=True))
    assert cached_addresses(page) == []  # nothing is left to rate


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
    page.wait_for_timeout(1_000)  # the browser writes what it keeps to the disk a moment later
    site.kill()
    press(page, "4 s Enter 5")
    saved_words(page).to_contain_text("3 waiting")
    assert count_unsent(page) == 3
    url = page.url
    kill_browser_processes(tmp_path, wait_until)
    context, after = start()
    page = context.new_page()
    reopen(page, url)
    expect(notice(page)).to_contain_text("2 more responses are ready")
    expect(page.locator("[data-item-number]")).to_have_text("Sentence 2 of 2")
    press(page, "1 Enter")
    expect(page.locator("[data-item-number]")).to_have_text("Sentence 1 of 2")
    press(page, "1")
    site.start()
    site.log_in(context, person("ravi"))
    page.evaluate("window.dispatchEvent(new Event('online'))")
    wait_until_saved(page)
    answers = [ACCURATE, SEVERE, CANNOT_ASSESS, ACCURATE, ACCURATE]
    assert_all_arrived("browser killed and started again without a network", answers, before | after, capsys)
    context.close()
