"""Opening the rating page again without a network: the cached page with the answers of the journal.

Each test prints how many answers were given, acknowledged, stored, lost and doubled.
"""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.db import transaction
from django.utils import timezone
from playwright.sync_api import BrowserContext, Page, Playwright, expect

from annotation.models import Assignment, Item, Membership, Project, Rating, Slot
from annotation.projects.members import add_member
from annotation.qualification.next_work import take_next
from annotation.qualification.prefetch import set_prefetch_limit
from annotation.rating.submit import Submission, save

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


def begin_and_reload(site: SiteProcess, page: Page) -> str:
    """Save one answer, wait until four responses are cached, kill the site and reload; return the page's address."""
    open_workspace(site, page)
    press(page, "1")
    wait_until_saved(page)
    wait_until_cached(page, 4)
    site.kill()
    page.reload()
    expect(notice(page)).to_contain_text("3 more responses are ready")
    return page.url


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


def test_what_is_finished_does_not_come_again(four: Study, site: SiteProcess, page: Page) -> None:
    """Check that a finished response stays away, although undo had opened it again and so it was cached again."""
    open_workspace(site, page)
    first = page.url
    press(page, "1")
    wait_until_cached(page, 4)
    press(page, "1 Enter")
    expect(page).not_to_have_url(first)
    wait_until_saved(page)
    wait_until_cached(page, 3)
    press(page, "u")
    expect(page).to_have_url(first)
    wait_until_cached(page, 4)
    site.kill()
    page.reload()
    expect(page.locator("[data-finish]")).to_contain_text("Next response")
    expect(notice(page)).to_contain_text("3 more responses are ready")
    press(page, "Enter")
    expect(page).not_to_have_url(first)
    page.reload()
    expect(notice(page)).to_contain_text("2 more responses are ready")


def test_tab_killed(four: Study, site: SiteProcess, context: BrowserContext, acknowledged: set, capsys: Any) -> None:
    page = open_workspace(site, context.new_page())
    press(page, "1")
    wait_until_cached(page, 4)
    wait_until_saved(page)
    site.kill()
    press(page, "5 Enter 4 s")
    saved_words(page).to_contain_text("3 waiting")
    url = page.url
    page.close(run_before_unload=False)
    again = context.new_page()
    reopen(again, url)
    expect(notice(again)).to_contain_text("2 more responses are ready")
    expect(again.locator("[data-item-number]")).to_have_text("Sentence 2 of 2")
    press(again, "1 Enter 5 5")
    go_online(site, again)
    wait_until_saved(again)
    answers = [ACCURATE, CANNOT_ASSESS, SEVERE, ACCURATE, CANNOT_ASSESS, CANNOT_ASSESS]
    assert_all_arrived("tab killed and opened again without a network", answers, acknowledged, capsys)


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


def test_session_expired_meanwhile(four: Study, site: SiteProcess, page: Page, acknowledged: set, capsys: Any) -> None:
    begin_and_reload(site, page)
    press(page, "4 s Enter 5")
    Session.objects.all().delete()
    go_online(site, page)
    expect(page.locator("#sign-in")).to_be_visible()
    page.locator("#sign-in [name=password]").focus()
    page.keyboard.type("factuary-demo")
    press(page, "Enter")
    wait_until_saved(page)
    assert_all_arrived("session expired meanwhile", [ACCURATE, SEVERE, CANNOT_ASSESS], acknowledged, capsys)


def test_two_tabs(four: Study, site: SiteProcess, context: BrowserContext, acknowledged: set, capsys: Any) -> None:
    first, other = open_workspace(site, context.new_page()), open_workspace(site, context.new_page())
    press(first, "1")
    wait_until_saved(first)
    wait_until_cached(first, 4)
    site.kill()
    for page in (first, other):
        page.reload()
        expect(page.locator("[data-progress-text]")).to_have_text("1 of 2")
    press(first, "5")
    press(other, "4 s")
    saved_words(other).to_contain_text("waiting")
    other.route("**/items/**", lambda route: route.abort())  # it is the second to reach the site
    go_online(site, first)
    wait_until_saved(first)
    other.unroute("**/items/**")
    other.evaluate("window.dispatchEvent(new Event('online'))")
    expect(other.locator("#conflict")).to_be_visible()
    other.click("[data-keep=theirs]")
    wait_until_saved(other)
    assert_all_arrived("two tabs opened again without a network", [ACCURATE, CANNOT_ASSESS], acknowledged, capsys)


def test_lease_lost_meanwhile(four: Study, site: SiteProcess, page: Page, acknowledged: set, capsys: Any) -> None:
    """Check that an answer to a response held by somebody else is refused and stays here; its page is deleted."""
    add_member(four.project, person("rosa"), "rater")
    set_prefetch_limit(four.project, 2)
    open_workspace(site, page)
    lost = page.url
    press(page, "1")
    wait_until_saved(page)
    wait_until_cached(page, 2)  # Rosa has a share
    site.kill()
    page.reload()
    expect(notice(page)).to_contain_text("one more response is ready")
    press(page, "5 Enter 4 s 1")
    Slot.objects.filter(holder=None).delete()  # nothing else is there for Rosa
    slots = Slot.objects.filter(holder__public_id=lost.split("/")[-2])
    slots.update(expires_at=timezone.now() - timedelta(minutes=1))
    with transaction.atomic():
        assert take_next(four.project, person("rosa"))
    go_online(site, page)
    expect(notice(page)).to_contain_text("Another rater now has")
    wait_until_saved(page)
    assert count_unsent(page) == 1 and lost not in cached_addresses(page)
    counts = {"given": 4, "acknowledged": len(acknowledged), "stored": Rating.objects.count(), "kept here": 1}
    with capsys.disabled():
        print("\nlease lost meanwhile: " + ", ".join(f"{name} {n}" for name, n in counts.items()))
    assert counts["acknowledged"] == counts["stored"] == 3


def test_archived_meanwhile(four: Study, site: SiteProcess, page: Page) -> None:
    """Check that the answer is refused with a reason and stays in the journal, and that the page is no longer shown."""
    url = begin_and_reload(site, page)
    press(page, "5")
    Project.objects.update(archived_at=timezone.now())
    go_online(site, page)
    expect(notice(page)).to_contain_text("could not be saved")
    assert (count_unsent(page), Rating.objects.count()) == (1, 1)
    page.goto(url)
    expect(page.locator("h1")).to_have_text("This project is archived")
    assert url not in cached_addresses(page)


def test_paused_meanwhile(four: Study, site: SiteProcess, page: Page) -> None:
    """Check that no page stays cached after a pause, and that the refused answer stays in the journal."""
    begin_and_reload(site, page)
    press(page, "5")
    Membership.objects.filter(user=person("ravi")).update(paused_at=timezone.now())
    go_online(site, page)
    page.wait_for_url("**/rate/")
    assert cached_addresses(page) == []
    assert (count_unsent(page), Rating.objects.count()) == (1, 1)


def test_answered_on_another_device_meanwhile(four: Study, site: SiteProcess, page: Page) -> None:
    """Check that the page shows the other device's answer. It only looks for the site every fifteen seconds."""
    url = begin_and_reload(site, page)
    work = Assignment.objects.get(public_id=url.split("/")[-2])
    last = Item.objects.filter(response=work.sheet.response).latest("position")
    save(person("ravi"), work.public_id, last.public_id, Submission(CANNOT_ASSESS, 0, key="elsewhere"))
    go_online(site, page)
    expect(page.locator("[data-progress-text]")).to_have_text("2 of 2")
    expect(page.locator("[data-notice]")).to_be_hidden()
