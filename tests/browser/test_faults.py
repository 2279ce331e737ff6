"""Faults during rating, one a test: no answer is lost or stored twice. Each test prints its counts."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.utils import timezone
from playwright.sync_api import BrowserContext, Page, expect

from annotation.models import Rating, RatingEvent, Slot

from ..cast import ACCURATE, CANNOT_ASSESS, SEVERE, Study, person
from .faults import SiteProcess
from .workspace import (
    advance_clock,
    assert_nothing_is_lost,
    count_unsent,
    press,
    wait_for_another_response,
    wait_until_saved,
)

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


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
    wait_until_saved(page, "Offline, 1 waiting")
    advance_clock(page, 2.5)
    press(page, "5 Enter")
    wait_for_another_response(page, first)
    expect(page.locator("[data-item-number]")).to_have_text("Sentence 1 of 4")
    press(page, "1 5")
    advance_clock(page, 2.5)
    press(page, "4 n 1 Enter")
    expect(page.locator("[data-finish]")).to_contain_text("Finishes when everything is saved")
    wait_until_saved(page, "Offline, 8 waiting")  # six answers, and that both are finished
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
    wait_until_saved(page, "Signed out, 2 waiting")
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
    wait_until_saved(first, "Offline, 1 waiting")
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
