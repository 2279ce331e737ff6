"""Prefetched responses: an hour without a network, scarce work, expired leases, and undo over several responses."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db.models import Max
from playwright.sync_api import BrowserContext, Page, expect

from annotation.models import Assignment, Rating, RatingEvent
from annotation.qualification.prefetch import set_prefetch_limit

from ..cast import ACCURATE, CANNOT_ASSESS, SEVERE, Study, study
from .workspace import (
    advance_clock,
    count_unsent,
    press,
    wait_for_another_response,
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
