"""Finishing a response, opening the next, and undo into the one before."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, expect

from annotation.models import Rating, Slot

from ..cast import ACCURATE, CANNOT_ASSESS, SEVERE, Study
from .workspace import press, stored_answers, wait_for_another_response, wait_until_saved

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_finishing_without_a_network_says_what_it_waits_for(
    june: Study, open_rating: Callable, context: BrowserContext
) -> None:
    page = open_rating()
    first = page.url
    page.route("**/*after=*", lambda route: route.abort())
    press(page, "1 1 1")
    wait_until_saved(page)
    context.set_offline(True)
    press(page, "1 Enter")
    expect(page.locator("[data-finish]")).to_contain_text("Finishes when everything is saved")
    context.set_offline(False)
    wait_for_another_response(page, first)
    expect(page.locator("[data-finish]")).to_contain_text("Finish")
    assert Rating.objects.filter(counted=True).count() == 4


def test_work_can_be_given_back(june: Study, open_rating: Callable, live_server: Any) -> None:
    page = open_rating()
    press(page, "1")
    page.click("summary[aria-label='More about this response']")
    page.click("[data-return-to-queue]")
    page.click("[data-release]")
    page.wait_for_url(f"{live_server.url}/")
    assert not Slot.objects.filter(holder__rater__username="ravi").exists()
    assert stored_answers() == [ACCURATE]


def test_a_finished_response_can_be_corrected(june: Study, open_rating: Callable, live_server: Any) -> None:
    page = open_rating()
    url = page.url
    press(page, "1 1 1 1 Enter")
    wait_for_another_response(page, url)
    page.goto(url)
    page.wait_for_selector("body[data-ready]")
    press(page, "4 s u")
    wait_until_saved(page)
    press(page, "5")
    wait_until_saved(page)
    assert stored_answers()[:4] == [CANNOT_ASSESS, ACCURATE, ACCURATE, ACCURATE]
    assert Rating.objects.filter(counted=True).count() == 4


def test_the_response_before_is_in_the_menu(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    first = page.url
    expect(page.locator("[data-previous-response]")).to_be_hidden()
    press(page, "1 1 1 1 Enter")
    wait_for_another_response(page, first)
    page.click("[aria-label='More about this response']")
    page.click("[data-previous-response]")
    page.wait_for_url(first)
    expect(page.locator("[data-finish]")).to_contain_text("Next response")
    expect(page.locator("[data-announcements]")).to_contain_text("Previous response. Sentence 4 of 4")
    expect(page.locator(".topbar details[open]")).to_have_count(0)


def test_back_and_forward_of_the_browser_follow_the_responses(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    first = page.url
    press(page, "1 1 1 5")
    wait_until_saved(page)
    press(page, "Enter")
    wait_for_another_response(page, first)
    second = page.url
    wait_until_saved(page)
    press(page, "1")
    page.go_back()
    expect(page.locator("[data-finish]")).to_contain_text("Next response")
    assert page.url == first
    expect(page.locator("[data-announcements]")).to_contain_text("Previous response. ")
    press(page, "k k k 4 s u")  # an answer of the finished response, changed and changed back
    expect(page.locator("[data-progress-text]")).to_have_text("4 of 4")
    page.go_forward()
    page.wait_for_url(second)
    expect(page.locator("[data-progress-text]")).to_have_text("1 of 4")
    wait_until_saved(page)
    assert stored_answers() == [ACCURATE, ACCURATE, ACCURATE, CANNOT_ASSESS, ACCURATE]


def test_back_after_the_last_response_opens_it_and_undo_knows_its_last_answer(
    one_response: Study, open_rating: Callable
) -> None:
    page = open_rating()
    url = page.url
    press(page, "1 1 1 1 k 5")
    wait_until_saved(page)
    press(page, "Enter")
    page.wait_for_url("**/rate/")
    page.go_back()
    page.wait_for_url(url)
    page.wait_for_selector("body[data-ready]")
    press(page, "u")
    wait_until_saved(page)
    assert stored_answers() == [ACCURATE] * 4


def test_undo_goes_on_after_a_reload(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    press(page, "1 4 s 5")
    wait_until_saved(page)
    page.reload()
    page.wait_for_selector("body[data-ready]")
    expect(page.locator("[data-undo]")).to_be_enabled()
    press(page, "u u")
    wait_until_saved(page)
    assert stored_answers() == [ACCURATE]
    expect(page.locator("[data-item-number]")).to_have_text("Sentence 2 of 4")
    press(page, "u")
    wait_until_saved(page)
    assert stored_answers() == []
    expect(page.locator("[data-undo]")).to_be_disabled()


def test_undo_after_a_reload_leaves_an_answer_of_another_tab(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    press(page, "1 5")
    wait_until_saved(page)
    other = page.context.new_page()
    other.goto(page.url)
    other.wait_for_selector("body[data-ready]")
    press(other, "k k 5")
    wait_until_saved(other)
    page.reload()
    page.wait_for_selector("body[data-ready]")
    press(page, "u u")
    wait_until_saved(page)
    assert stored_answers() == [CANNOT_ASSESS]


def test_signing_out_ends_undo(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    press(page, "1 5")
    wait_until_saved(page)
    assert page.evaluate("Object.keys(sessionStorage).filter((key) => key.includes(':undo:')).length") == 1
    page.locator(".topbar .menu summary").last.click()
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url(lambda address: "/assignments/" not in address)
    assert page.evaluate("Object.keys(sessionStorage)") == []


def test_the_next_response_is_there_before_it_is_needed(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    with page.expect_response("**/sheet/**"):
        press(page, "1 1")
    assert Slot.objects.filter(holder__rater__username="ravi").count() == 2
    page.route("**/*", lambda route: route.abort())
    press(page, "1 1 Enter")
    expect(page.locator("[data-progress-text]")).to_have_text("0 of 4")
    expect(page.locator(".location [data-part=number]")).to_have_text("response 2")


def test_undo_leads_back_over_responses_and_forward_again(
    june: Study, open_rating: Callable, context: BrowserContext
) -> None:
    page = open_rating()
    first = page.url
    with page.expect_response("**/sheet/**"):
        press(page, "1 1")
    wait_until_saved(page)
    context.set_offline(True)
    press(page, "1 1 Enter")
    wait_for_another_response(page, first)
    press(page, "5 u u")  # the answer, then the step
    page.wait_for_url(first)
    expect(page.locator("[data-finish]")).to_contain_text("Finish")  # it had not been sent yet
    press(page, "u")
    expect(page.locator("[data-progress-text]")).to_have_text("3 of 4")
    press(page, "4 s Enter 1 1 1 1")
    context.set_offline(False)
    wait_until_saved(page)
    assert stored_answers() == [ACCURATE, ACCURATE, ACCURATE, SEVERE, ACCURATE, ACCURATE, ACCURATE, ACCURATE]
    assert Rating.objects.filter(counted=True).count() == 4


def test_what_undo_leads_back_to_is_finished_while_the_last_response_waits(
    june: Study, open_rating: Callable, context: BrowserContext
) -> None:
    """Check that undo and a second finish work offline when the last response already waits to be finished."""
    page = open_rating()
    with page.expect_response("**/sheet/**"):
        press(page, "1 1")
    wait_until_saved(page)
    first = page.url
    context.set_offline(True)
    press(page, "1 1 Enter")
    wait_for_another_response(page, first)
    press(page, "1 1 1 1 Enter")
    expect(page.locator("[data-finish]")).to_contain_text("Finishes when everything is saved")
    press(page, "u u u u u")
    page.wait_for_url(first)
    expect(page.locator("[data-notice]")).to_be_hidden()
    expect(page.locator("[data-finish]")).to_be_enabled()
    press(page, "u 4 s Enter")
    expect(page.locator("[data-finish]")).to_contain_text("Finishes when everything is saved")
    context.set_offline(False)
    page.wait_for_url("**/rate/")
    assert stored_answers() == [ACCURATE, ACCURATE, ACCURATE, SEVERE, ACCURATE, ACCURATE, ACCURATE, ACCURATE]
    assert Rating.objects.filter(counted=True).count() == 8


def test_a_finished_response_is_answered_anew_by_undo(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    first = page.url
    press(page, "1 1 1 1")
    wait_until_saved(page)
    press(page, "Enter")
    wait_for_another_response(page, first)
    wait_until_saved(page)
    press(page, "Control+z u")  # the step; then the last answer, which stands until there is another
    expect(page.locator("[data-notice-text]")).to_contain_text("remains until you choose another answer")
    press(page, "5")
    wait_until_saved(page)
    assert stored_answers()[3] == CANNOT_ASSESS
    press(page, "Enter")
    wait_for_another_response(page, first)
    expect(page.locator("[data-progress-text]")).to_have_text("0 of 4")


def test_a_response_may_finish_by_itself(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    first = page.url
    page.click("[aria-label='More about this response']")
    page.click("[data-auto-finish]")
    press(page, "1 1 1 4 s")
    wait_for_another_response(page, first)
    wait_until_saved(page)
    assert Rating.objects.filter(counted=True).count() == 4
