"""Prefetched responses: an hour without a network, on a real server and browser."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db.models import Max
from playwright.sync_api import BrowserContext, Page, expect

from annotation.models import Assignment, Rating, RatingEvent
from annotation.qualification.prefetch import set_prefetch_limit

from ..cast import ACCURATE, CANNOT_ASSESS, SEVERE, study
from .workspace import (
    advance_clock,
    count_unsent,
    press,
    wait_for_another_response,
    wait_until_saved,
)

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_an_hour_offline(
    transactional_db: None, page: Page, open_rating: Callable, context: BrowserContext, acknowledged: set, capsys: Any
) -> None:
    """Check that five responses finished during an hour offline arrive in the order in which they were rated."""
    set_prefetch_limit(study(prompts=5, sentences=2, overlap=1, raters=("ravi",)).project, 4)
    page.clock.install()
    open_rating()
    press(page, "1")
    wait_until_saved(page)
    expect(page.locator("[data-prefetched-count]")).to_have_text("4")
    context.set_offline(True)
    keys = {"1": ACCURATE, "5": CANNOT_ASSESS, "4 s": SEVERE}
    pattern = ["5", "4 s", "1"]
    answers = [ACCURATE, *(keys[pattern[n % 3]] for n in range(9))]
    press(page, pattern[0])
    for response in range(4):
        before = page.url
        press(page, "Enter")
        wait_for_another_response(page, before)
        advance_clock(page, 0.25)
        for sentence in range(2):
            press(page, pattern[(1 + 2 * response + sentence) % 3])
    press(page, "Enter")
    expect(page.locator("[data-saved-text]")).to_have_text("Offline, 14 waiting")  # 9 answers and 5 ends
    assert (count_unsent(page), Rating.objects.count()) == (14, 1)
    page.clock.pause_at(datetime.now() + timedelta(hours=1, minutes=1))  # no more tries: what follows, `online` does
    context.set_offline(False)
    page.wait_for_url("**/rate/")
    inserted = [event.answers for event in RatingEvent.objects.filter(pgh_label="insert").order_by("pgh_id")]
    assert inserted == answers
    order = list(Assignment.objects.annotate(at=Max("ratings__rated_at")).order_by("at").values_list("pk", flat=True))
    assert order == list(Assignment.objects.order_by("finished_at").values_list("pk", flat=True))
    assert Assignment.objects.exclude(finished_at=None).count() == 5
    assert Rating.objects.filter(counted=True).count() == 10
    stored = [rating.answers for rating in Rating.objects.order_by("rated_at")]
    lost, doubled = len(answers) - len(stored), len(inserted) - len(answers)
    counts = f"given {len(answers)}, acknowledged {len(acknowledged)}, stored {len(stored)} in order"
    counts += f", lost {lost}, doubled {doubled}"
    with capsys.disabled():
        print(f"\nfour responses ahead, offline for 1 h: {counts}")
    assert stored == answers and len(acknowledged) == 10
