"""Faults during rating, one a test: no answer is lost or stored twice. Each test prints its counts."""

from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.utils import timezone
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, expect

from annotation.models import Assignment, Rating, RatingEvent, Slot

from ..cast import ACCURATE, CANNOT_ASSESS, SEVERE, Study, person
from .faults import SiteProcess, kill_browser_processes
from .workspace import (
    Acknowledged,
    advance_clock,
    assert_nothing_is_lost,
    count_unsent,
    press,
    wait_for_another_response,
    wait_until_saved,
)

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def expect_saved_text(page: Page, words: str) -> None:
    expect(page.locator("[data-saved-text]")).to_have_text(words)


def test_tab_killed(
    june: Study, open_rating: Callable, context: BrowserContext, acknowledged: set, capsys: Any
) -> None:
    page = open_rating()
    url = page.url
    press(page, "1")
    wait_until_saved(page)
    context.set_offline(True)
    press(page, "4 s 5")
    expect_saved_text(page, "Offline, 2 waiting")
    assert count_unsent(page) == 2
    page.close(run_before_unload=False)
    context.set_offline(False)
    again = context.new_page()
    again.goto(url)
    again.wait_for_selector("body[data-ready]")
    expect(again.locator("[data-item-number]")).to_have_text("Sentence 4 of 4")
    press(again, "1")
    wait_until_saved(again)
    assert_nothing_is_lost("tab killed", [ACCURATE, SEVERE, CANNOT_ASSESS, ACCURATE], acknowledged, capsys)
    assert count_unsent(again) == 0


def test_browser_killed(
    june: Study, playwright: Playwright, log_in: Callable, live_server: Any, tmp_path: Path, capsys: Any,
    browser_type_launch_args: dict, wait_until: Callable,
) -> None:  # fmt: skip
    """Check that a browser finds its unsent answers on the disk after its processes were killed."""

    def start() -> BrowserContext:
        return playwright.chromium.launch_persistent_context(tmp_path, **browser_type_launch_args)

    context = start()
    page = context.new_page()
    log_in(context, person("ravi"))
    page.goto(f"{live_server.url}/projects/june/rate/")
    page.wait_for_selector("body[data-ready]")
    context.set_offline(True)
    press(page, "1 4 s 4")  # the last one is begun only
    expect_saved_text(page, "Offline, 2 waiting")
    assert count_unsent(page) == 2
    kill_browser_processes(tmp_path, wait_until)
    context = start()
    acknowledged = Acknowledged(context).keys
    log_in(context, person("ravi"))
    page = context.new_page()
    page.goto(f"{live_server.url}/projects/june/rate/")
    page.wait_for_selector("body[data-ready]")
    expect(page.locator("[data-item-number]")).to_have_text("Sentence 3 of 4")
    expect(page.locator("input[value=inaccurate]")).to_be_checked()
    press(page, "s 1")
    wait_until_saved(page)
    assert_nothing_is_lost("battery gone", [ACCURATE, SEVERE, SEVERE, ACCURATE], acknowledged, capsys)
    context.close()


def test_offline_for_hours(
    june: Study, page: Page, open_rating: Callable, context: BrowserContext, acknowledged: set, capsys: Any
) -> None:
    """Check that two responses finished offline arrive in order, although their leases have expired meanwhile.

    A lease lasts four hours; nobody else has asked for the work meanwhile.
    """
    page.clock.install()
    page = open_rating()
    first = page.url
    with page.expect_response("**/sheet/**"):  # the next response comes when half of this one is answered
        press(page, "1 1")
    wait_until_saved(page)
    context.set_offline(True)
    press(page, "4 s")
    expect_saved_text(page, "Offline, 1 waiting")
    advance_clock(page, 2.5)
    press(page, "5 Enter")
    wait_for_another_response(page, first)
    expect(page.locator("[data-item-number]")).to_have_text("Sentence 1 of 4")
    press(page, "1 5")
    advance_clock(page, 2.5)
    press(page, "4 n 1 Enter")
    expect(page.locator("[data-finish]")).to_contain_text("Finishes when everything is saved")
    expect_saved_text(page, "Offline, 8 waiting")  # six answers, and that both are finished
    slots = Slot.objects.filter(holder__rater__username="ravi")
    assert (slots.count(), slots.filter(expires_at__lt=timezone.now()).count()) == (2, 2)
    page.clock.pause_at(datetime.now() + timedelta(hours=5, minutes=1))  # no more tries: what follows, `online` does
    context.set_offline(False)
    page.wait_for_url("**/rate/")
    mild = {"accuracy": "inaccurate", "severity": "not_severe"}
    answers = [ACCURATE, ACCURATE, SEVERE, CANNOT_ASSESS, ACCURATE, CANNOT_ASSESS, mild, ACCURATE]
    assert_nothing_is_lost("offline for 5 h", answers, acknowledged, capsys)
    inserted = RatingEvent.objects.filter(pgh_label="insert").order_by("pgh_id")
    assert [event.answers for event in inserted] == answers
    assert Rating.objects.filter(counted=True).count() == 8


def test_session_expired(
    june: Study, open_rating: Callable, context: BrowserContext, acknowledged: set, capsys: Any
) -> None:
    """Check that the page asks for the password in a dialog when no key is pressed, and that the work goes on."""
    page = open_rating()
    press(page, "1")
    wait_until_saved(page)
    Session.objects.all().delete()
    press(page, "4 s 5")
    dialog = page.locator("#sign-in")
    expect(dialog).to_be_visible()
    expect_saved_text(page, "Signed out, 2 waiting")
    press(page, "Tab Tab")
    expect(page.locator("#sign-in [name=password]")).to_be_focused()
    page.keyboard.type("wrong")
    press(page, "Enter")
    expect(page.locator("#sign-in [data-problem]")).to_contain_text("not correct")
    page.keyboard.type("factuary-demo")
    press(page, "Enter")
    expect(dialog).not_to_be_visible()
    press(page, "1")
    wait_until_saved(page)
    assert_nothing_is_lost("session expired", [ACCURATE, SEVERE, CANNOT_ASSESS, ACCURATE], acknowledged, capsys)


def test_server_killed(
    june: Study, site: SiteProcess, context: BrowserContext, page: Page, acknowledged: set, capsys: Any
) -> None:
    """Check that no answer is lost when the server gets SIGKILL between key presses, twice, and starts again."""
    site.log_in(context, person("ravi"))
    page.goto(f"{site.url}/projects/june/rate/")
    page.wait_for_selector("body[data-ready]")
    press(page, "1")
    for keys in ("4 s", "5 1"):
        site.kill()
        press(page, keys)
        expect(page.locator("[data-saved-text]")).to_contain_text("waiting")
        site.start()
    page.evaluate("window.dispatchEvent(new Event('online'))")
    wait_until_saved(page)
    assert_nothing_is_lost("server killed", [ACCURATE, SEVERE, CANNOT_ASSESS, ACCURATE], acknowledged, capsys)


def test_lease_expired_meanwhile(
    june: Study, open_rating: Callable, context: BrowserContext, browser: Browser, acknowledged: set, capsys: Any
) -> None:
    """Check that answers wait while another rater has the response, and are sent when this rater has it again."""
    Slot.objects.exclude(pk=Slot.objects.order_by("rank", "k")[0].pk).delete()  # one slot for the two of them
    page = open_rating()
    context.set_offline(True)
    press(page, "1 4 s 5")
    expect_saved_text(page, "Offline, 3 waiting")
    Slot.objects.update(expires_at=timezone.now() - timedelta(minutes=1))
    elsewhere = browser.new_context()
    rosas = open_rating("rosa", on=elsewhere.new_page())
    assert Assignment.objects.get(slot__isnull=False).rater == person("rosa")
    context.set_offline(False)
    expect(page.locator("#lost")).to_be_visible()
    assert (count_unsent(page), Rating.objects.count()) == (3, 0)
    onlooker = open_rating("rosa", on=context.new_page())  # on the same browser: she sees nothing of it
    expect(onlooker.locator("[data-progress-text]")).to_have_text("0 of 4")
    onlooker.close()
    rosas.click("summary[aria-label='More about this response']")
    rosas.click("[data-return-to-queue]")
    rosas.click("[data-release]")
    rosas.wait_for_selector(".messages")
    elsewhere.close()
    page.close()
    again = open_rating(on=context.new_page())
    expect(again.locator("[data-item-number]")).to_have_text("Sentence 4 of 4")
    press(again, "1")
    wait_until_saved(again)
    assert not Rating.objects.filter(rater=person("rosa")).exists()
    assert_nothing_is_lost("lease expired", [ACCURATE, SEVERE, CANNOT_ASSESS, ACCURATE], acknowledged, capsys)


def test_two_tabs(june: Study, open_rating: Callable, context: BrowserContext, acknowledged: set, capsys: Any) -> None:
    """Check that both tabs say so and show each other's answers, and that the rater chooses between two that differ."""
    first = open_rating()
    other = open_rating(on=context.new_page())
    for page in (first, other):
        expect(page.locator("[data-notice-text]")).to_contain_text("also open in another tab")
    press(first, "1")
    expect(other.locator("[data-progress-text]")).to_have_text("1 of 4")
    first.route("**/items/**", lambda route: route.abort())
    press(first, "5")
    expect_saved_text(first, "Offline, 1 waiting")
    press(other, "j 4 s")
    wait_until_saved(other)
    first.unroute("**/items/**")
    first.evaluate("window.dispatchEvent(new Event('online'))")
    expect(first.locator("#conflict")).to_be_visible()
    expect(first.locator("[data-conflict-mine]")).to_have_text("Can't assess")
    expect(first.locator("[data-conflict-theirs]")).to_have_text("Inaccurate, Severe")
    assert count_unsent(first) == 1  # also while the rater is asked
    first.click("[data-keep=theirs]")
    press(first, "1 1")
    wait_until_saved(first)
    assert_nothing_is_lost("two tabs", [ACCURATE, SEVERE, ACCURATE, ACCURATE], acknowledged, capsys)
    assert count_unsent(first) == 0
