"""Two tabs of one rater: both are told, and neither overwrites the other."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, expect

from annotation.models import Assignment, Item
from annotation.rating.submit import Submission, save

from ..cast import ACCURATE, CANNOT_ASSESS, Study, person
from .workspace import given, press, wait_until_saved

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_a_second_tab_leaves_the_waiting_answers_of_a_living_one_alone(
    june: Study, open_rating: Callable, context: BrowserContext
) -> None:
    page = open_rating()
    page.route("**/items/**", lambda route: route.abort())
    press(page, "1")
    expect(page.locator("[data-saved-words]")).to_have_text("Offline, 1 waiting")
    second = open_rating(on=context.new_page())
    expect(second.locator("[data-at]")).to_have_text("Sentence 1 of 4")
    assert given() == []
    page.unroute("**/items/**")
    page.evaluate("window.dispatchEvent(new Event('online'))")
    wait_until_saved(page)
    assert given() == [ACCURATE]


def sent_from_elsewhere(name: str, item: Item, answers: dict) -> None:
    assignment = Assignment.objects.get(rater__username=name)
    save(person(name), assignment.public_id, item.public_id, Submission(answers, 0, key="elsewhere"))


@pytest.mark.parametrize(("keep", "kept"), [("mine", ACCURATE), ("theirs", CANNOT_ASSESS)])
def test_an_answer_given_in_another_tab_is_not_overwritten_unasked(
    june: Study, open_rating: Callable, keep: str, kept: dict
) -> None:
    page = open_rating()
    first = Item.objects.filter(response=Assignment.objects.get().sheet.response, rate=True).order_by("position")[0]
    sent_from_elsewhere("ravi", first, CANNOT_ASSESS)
    press(page, "1")
    expect(page.locator("#conflict")).to_be_visible()
    expect(page.locator("[data-conflict-mine]")).to_have_text("Accurate")
    expect(page.locator("[data-conflict-theirs]")).to_have_text("Can't assess")
    page.keyboard.press("Escape")
    expect(page.locator("#conflict")).to_be_visible()
    page.click(f"[data-keep={keep}]")
    wait_until_saved(page)
    assert given() == [kept]
    assert page.locator(".s.first").first.get_attribute("data-sign") == {"mine": "✓", "theirs": "–"}[keep]
