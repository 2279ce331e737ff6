"""Two tabs of one rater: neither overwrites the other's answers."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from annotation.models import Assignment, Item
from annotation.rating.submit import Submission, save

from ..cast import ACCURATE, CANNOT_ASSESS, Study, person
from .workspace import press, stored_answers, wait_until_saved

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def open_conflict(open_rating: Callable) -> Page:
    """Return a page that asks which answer to keep: *Accurate*, given in it, or *Can't assess*, sent from elsewhere."""
    page = open_rating()
    assignment = Assignment.objects.get(rater__username="ravi")
    first = Item.objects.filter(response=assignment.sheet.response, rate=True).order_by("position")[0]
    save(person("ravi"), assignment.public_id, first.public_id, Submission(CANNOT_ASSESS, 0, key="elsewhere"))
    press(page, "1")
    expect(page.locator("#conflict")).to_be_visible()
    return page


@pytest.mark.parametrize(("keep", "expected"), [("mine", ACCURATE), ("theirs", CANNOT_ASSESS)])
def test_an_answer_given_in_another_tab_is_not_overwritten_unasked(
    june: Study, open_rating: Callable, keep: str, expected: dict
) -> None:
    page = open_conflict(open_rating)
    expect(page.locator("[data-conflict-mine]")).to_have_text("Accurate")
    expect(page.locator("[data-conflict-theirs]")).to_have_text("Can't assess")
    page.keyboard.press("Escape")
    expect(page.locator("#conflict")).to_be_visible()
    page.click(f"[data-keep={keep}]")
    wait_until_saved(page)
    assert stored_answers() == [expected]
    assert page.locator(".s.first").first.get_attribute("data-sign") == {"mine": "✓", "theirs": "–"}[keep]
