"""Prefetched responses: an hour without a network, scarce work, expired leases, and undo over several responses."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db.models import F, Max
from django.utils import timezone
from playwright.sync_api import Browser, BrowserContext, Page, expect

from annotation.models import Assignment, Rating, RatingEvent, Slot
from annotation.projects.members import add_member
from annotation.qualification.prefetch import set_prefetch_limit

from ..cast import ACCURATE, CANNOT_ASSESS, SEVERE, Study, person, study
from .workspace import (
    advance_clock,
    assert_nothing_is_lost,
    count_unsent,
    press,
    wait_for_another_response,
    wait_for_late_modules,
    wait_until_saved,
)

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def eleven(transactional_db: None) -> Study:
    """Return eleven responses of two sentences about two articles, for Ravi alone."""
    june = study(prompts=11, sentences=2, overlap=1, raters=("ravi",))
    set_prefetch_limit(june.project, 10)
    return june


def rate_until_prefetched(page: Page, n: int) -> None:
    """Give the first answer, and wait until `n` responses are prefetched."""
    press(page, "1")
    wait_until_saved(page)
    expect(page.locator("[data-prefetched-count]")).to_have_text(str(n))


def finish_and_go_on(page: Page) -> None:
    before = page.url
    press(page, "Enter")
    wait_for_another_response(page, before)


def test_an_hour_offline(
    eleven: Study, page: Page, open_rating: Callable, context: BrowserContext, acknowledged: set, capsys: Any
) -> None:
    """Check that eleven responses finished during an hour offline arrive in the order in which they were rated."""
    page.clock.install()
    open_rating()
    rate_until_prefetched(page, 10)
    context.set_offline(True)
    keys = {"1": ACCURATE, "5": CANNOT_ASSESS, "4 s": SEVERE}
    pattern = ["5", "4 s", "1"]
    answers = [ACCURATE, *(keys[pattern[n % 3]] for n in range(21))]
    press(page, pattern[0])
    for response in range(10):
        finish_and_go_on(page)
        advance_clock(page, 0.1)
        for sentence in range(2):
            press(page, pattern[(1 + 2 * response + sentence) % 3])
    press(page, "Enter")
    expect(page.locator("[data-saved-text]")).to_have_text("Offline, 32 waiting")  # 21 answers and 11 ends
    assert (count_unsent(page), Rating.objects.count()) == (32, 1)
    page.clock.pause_at(datetime.now() + timedelta(hours=1, minutes=1))  # no more tries: what follows, `online` does
    context.set_offline(False)
    page.wait_for_url("**/rate/")
    inserted = [event.answers for event in RatingEvent.objects.filter(pgh_label="insert").order_by("pgh_id")]
    assert inserted == answers
    order = list(Assignment.objects.annotate(at=Max("ratings__rated_at")).order_by("at").values_list("pk", flat=True))
    assert order == list(Assignment.objects.order_by("finished_at").values_list("pk", flat=True))
    assert (
        Assignment.objects.exclude(finished_at=None).count() == 11 and Rating.objects.filter(counted=True).count() == 22
    )
    stored = [rating.answers for rating in Rating.objects.order_by("rated_at")]
    lost, doubled = len(answers) - len(stored), len(inserted) - len(answers)
    counts = f"given {len(answers)}, acknowledged {len(acknowledged)}, stored {len(stored)} in order"
    counts += f", lost {lost}, doubled {doubled}"
    with capsys.disabled():
        print(f"\nten responses ahead, offline for 1 h: {counts}")
    assert stored == answers and len(acknowledged) == 22


def test_two_raters_with_scarce_work(
    transactional_db: None, page: Page, open_rating: Callable, context: BrowserContext, browser: Browser,
    acknowledged: set, capsys: Any,
) -> None:  # fmt: skip
    """Check that prefetching leaves a share of scarce work to the other rater, and nothing of either is lost."""
    study(prompts=7, sentences=2, overlap=1)
    open_rating()
    rate_until_prefetched(page, 3)
    context.set_offline(True)
    elsewhere = browser.new_context()
    rosas = open_rating("rosa", on=elsewhere.new_page())
    rate_until_prefetched(rosas, 2)
    press(rosas, "1 Enter 1 1 Enter 1 1 Enter")
    rosas.wait_for_url("**/rate/")
    assert Assignment.objects.filter(rater=person("rosa")).exclude(finished_at=None).count() == 3
    elsewhere.close()
    press(page, "5")
    for _ in range(3):
        finish_and_go_on(page)
        press(page, "1 5")
    press(page, "Enter")
    context.set_offline(False)
    page.wait_for_url("**/rate/")
    assert_nothing_is_lost("two raters, seven responses", [ACCURATE, CANNOT_ASSESS] * 4, acknowledged, capsys)
    assert Rating.objects.filter(counted=True).count() == 14
    assert Slot.objects.filter(finished_at=None).count() == 0


def test_one_lease_expires_and_another_rater_takes_the_response(
    eleven: Study, page: Page, open_rating: Callable, context: BrowserContext, browser: Browser, acknowledged: set,
    capsys: Any,
) -> None:  # fmt: skip
    """Check that answers to a response that another rater took stay in this browser, and that all others arrive."""
    set_prefetch_limit(eleven.project, 4)
    add_member(eleven.project, person("rosa"), "rater")
    open_rating()
    rate_until_prefetched(page, 4)
    context.set_offline(True)
    press(page, "5")
    for _ in range(4):
        finish_and_go_on(page)
        press(page, "1 5")
    press(page, "Enter")
    assignment = Assignment.objects.order_by("taken_at")[2]
    Slot.objects.exclude(holder=assignment).update(rank=F("rank") + 1000)
    Slot.objects.filter(holder=assignment).update(expires_at=timezone.now() - timedelta(minutes=1), rank=0)
    elsewhere = browser.new_context()
    open_rating("rosa", on=elsewhere.new_page())
    elsewhere.close()
    assert Slot.objects.get(sheet=assignment.sheet_id).holder.rater == person("rosa")
    context.set_offline(False)
    expect(page.locator("[data-notice-text]")).to_contain_text("Another rater now has")
    expect(page.locator("[data-saved-text]")).to_have_text("Saved")
    assert count_unsent(page) == 2
    ravis = Assignment.objects.filter(rater=person("ravi"))
    finished = ravis.exclude(finished_at=None)
    counts = {"given": 10, "acknowledged": len(acknowledged), "stored": Rating.objects.count(), "kept here": 2}
    with capsys.disabled():
        print("\none of five leases gone:", ", ".join(f"{name} {n}" for name, n in counts.items()))
    assert (finished.count(), Rating.objects.filter(counted=True).count()) == (4, 8)
    assert not Rating.objects.filter(assignment=assignment).exists()


def test_undo_goes_back_over_prefetched_responses_offline(
    eleven: Study, page: Page, open_rating: Callable, context: BrowserContext
) -> None:
    open_rating()
    first = page.url
    rate_until_prefetched(page, 10)
    context.set_offline(True)
    press(page, "1")
    for _ in range(5):
        finish_and_go_on(page)
        press(page, "1 1")
    for _ in range(5):
        press(page, "u u u")  # both answers and the step
    expect(page).to_have_url(first)
    press(page, "u 4 s")
    for _ in range(5):
        finish_and_go_on(page)
        press(page, "5 5")
    context.set_offline(False)
    wait_until_saved(page)
    stored = [rating.answers for rating in Rating.objects.order_by("assignment__taken_at", "item__position")]
    assert stored == [ACCURATE, SEVERE, *[CANNOT_ASSESS] * 10]


def test_an_article_is_fetched_once_for_all_that_are_about_it(eleven: Study, page: Page, open_rating: Callable) -> None:
    bodies: list[str] = []
    page.on("requestfinished", lambda request: "/sheet/" in request.url and bodies.append(request.url))
    open_rating()
    rate_until_prefetched(page, 10)
    texts = [page.request.get(url).text() for url in bodies]
    assert len(texts) == 10
    assert sum('data-part="article"' in text for text in texts) == 1  # the page has the other


def test_responses_that_are_no_longer_held_are_not_shown(
    eleven: Study, page: Page, open_rating: Callable, context: BrowserContext
) -> None:
    """Check that the page drops responses that it no longer holds. It asks for them when the network comes back."""
    set_prefetch_limit(eleven.project, 4)
    open_rating()
    rate_until_prefetched(page, 4)
    set_prefetch_limit(eleven.project, 2)
    context.set_offline(True)
    context.set_offline(False)
    page.evaluate("window.dispatchEvent(new Event('online'))")
    expect(page.locator("[data-prefetched-count]")).to_have_text("2")
    assert Slot.objects.filter(holder__rater=person("ravi")).count() == 3


def test_giving_a_response_back_releases_the_prefetched_ones(eleven: Study, page: Page, open_rating: Callable) -> None:
    open_rating()
    rate_until_prefetched(page, 10)
    page.click("summary[aria-label='More about this response']")
    page.click("[data-return-to-queue]")
    page.click("[data-release]")
    page.wait_for_selector(".messages")
    assert not Slot.objects.filter(holder__rater=person("ravi")).exists()


def test_a_response_that_was_only_read_when_the_network_went_is_finished(
    june: Study, page: Page, open_rating: Callable, context: BrowserContext, acknowledged: set, capsys: Any
) -> None:
    """Check that a response can be finished offline. The modules load before the first key is pressed."""
    open_rating()
    wait_for_late_modules(page)
    context.set_offline(True)
    press(page, "1 5 1 1 Enter")
    expect(page.locator("[data-saved-text]")).to_have_text("Offline, 5 waiting")  # four answers and the end
    read = page.url
    context.set_offline(False)
    wait_for_another_response(page, read)
    answers = [ACCURATE, CANNOT_ASSESS, ACCURATE, ACCURATE]
    assert_nothing_is_lost("offline before the first answer", answers, acknowledged, capsys)
