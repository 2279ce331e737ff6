"""Saving answers: each is stored once, whatever the network does."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Route, expect

from annotation.models import Rating, Slot

from ..cast import ACCURATE, CANNOT_ASSESS, SEVERE, Study, person, study
from .workspace import count_unsent, press, stored_answers, wait_until_saved

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_one_request_is_sent_for_each_rating(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    requests: list[str] = []
    page.on("request", lambda request: "/items/" in request.url and requests.append(request.method))
    press(page, "1 4 s 1 1")
    wait_until_saved(page)
    assert requests == ["PUT"] * 4


def test_one_goes_on_where_one_stopped(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    press(page, "1 4 s")
    wait_until_saved(page)
    page.reload()
    page.wait_for_selector("body[data-ready]")
    expect(page.locator("[data-item-number]")).to_have_text("Sentence 3 of 4")
    expect(page.locator(".s.first[data-state=answered]")).to_have_count(2)
    expect(page.locator(".s[data-flag=heavy]")).to_have_count(1)


def test_answers_wait_without_a_network_and_arrive_after(
    june: Study, open_rating: Callable, context: BrowserContext
) -> None:
    page = open_rating()
    context.set_offline(True)
    press(page, "1 4 s 1")
    expect(page.locator("[data-saved-text]")).to_have_text("Offline, 3 waiting")
    assert stored_answers() == []
    context.set_offline(False)
    wait_until_saved(page)
    assert stored_answers() == [ACCURATE, SEVERE, ACCURATE]


def test_answers_that_waited_in_a_killed_tab_are_sent_by_the_next_one(
    june: Study, open_rating: Callable, context: BrowserContext
) -> None:
    page = open_rating()
    url = page.url
    context.set_offline(True)
    press(page, "1 4 s")
    expect(page.locator("[data-saved-text]")).to_have_text("Offline, 2 waiting")
    page.close(run_before_unload=False)
    context.set_offline(False)
    again = context.new_page()
    again.goto(url)
    again.wait_for_selector("body[data-ready]")
    expect(again.locator("[data-item-number]")).to_have_text("Sentence 3 of 4")
    wait_until_saved(again)
    assert stored_answers() == [ACCURATE, SEVERE]
    assert count_unsent(again) == 0


def test_a_page_made_just_before_an_answer_arrived_shows_the_answer(june: Study, open_rating: Callable) -> None:
    """Check that a page shows an answer that the server stored just after it made the page.

    The page before it may still get the receipt while it is being left.
    """
    page = open_rating()
    page.on("dialog", lambda dialog: dialog.accept())
    routes: list[Route] = []

    def made_before_the_answer(route: Route) -> None:
        if not route.request.is_navigation_request():
            return route.continue_()  # to be kept in the browser
        response = route.fetch()
        answer = routes.pop()
        answer.fulfill(response=answer.fetch())
        page.wait_for_timeout(200)
        return route.fulfill(response=response)

    page.route("**/items/**", lambda route: routes.append(route))
    press(page, "4 s")
    page.wait_for_function("() => document.querySelector('[data-saved-text]').textContent === '1 waiting'")
    page.route("**/assignments/*/", made_before_the_answer)
    page.reload()
    page.wait_for_selector("body[data-ready]")
    page.unroute("**/items/**")
    expect(page.locator("[data-progress-text]")).to_have_text("1 of 4")
    expect(page.locator(".s[data-flag=heavy]")).to_have_count(1)
    press(page, "ArrowUp 1")
    wait_until_saved(page)
    assert stored_answers() == [ACCURATE]


def test_an_answer_whose_receipt_was_lost_is_stored_once(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    lost: list[int] = []

    def lose_the_first_receipt(route: Route) -> None:
        if lost:
            route.continue_()
        else:
            lost.append(route.fetch().status)
            route.abort()

    page.route("**/items/**", lose_the_first_receipt)
    with page.expect_response("**/items/**"):  # the second try's: the first one never gets an answer
        press(page, "1")
    wait_until_saved(page)
    assert lost == [200]
    [rating] = Rating.objects.all()
    assert (rating.answers, rating.version) == (ACCURATE, 1)


def test_a_server_in_trouble_is_asked_again(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    tries: list[int] = []

    def fail_twice(route: Route) -> None:
        tries.append(1)
        route.fulfill(status=503, body="{}") if len(tries) < 3 else route.continue_()

    page.route("**/items/**", fail_twice)
    press(page, "1 1")
    wait_until_saved(page)
    assert stored_answers() == [ACCURATE, ACCURATE]


def test_leaving_while_something_waits_is_warned_about(
    june: Study, open_rating: Callable, context: BrowserContext
) -> None:
    page = open_rating()
    warnings: list[str] = []

    def stay(dialog: Any) -> None:
        warnings.append(dialog.type)
        dialog.dismiss()

    page.on("dialog", stay)
    page.click("[data-item-number]")  # a browser warns only those who have touched the page
    context.set_offline(True)
    press(page, "1")
    expect(page.locator("[data-saved-text]")).to_have_text("Offline, 1 waiting")
    page.close(run_before_unload=True)
    page.wait_for_timeout(300)
    assert warnings == ["beforeunload"]
    context.set_offline(False)


def test_an_unsent_answer_of_a_removed_rater_stays_stored_and_does_not_block_later_answers(
    june: Study, open_rating: Callable, context: BrowserContext
) -> None:
    page = open_rating()
    context.set_offline(True)
    context.route("**/items/**", lambda route: route.abort())  # a page that closes is online again, and sends once more
    press(page, "1")
    expect(page.locator("[data-saved-text]")).to_have_text("Offline, 1 waiting")
    page.close()
    project, ravi = june.project, person("ravi")
    Slot.objects.filter(holder__rater=ravi).update(holder=None, expires_at=None)
    project.memberships.filter(user=ravi).delete()
    other = study("july", raters=("ravi",), sentences=2)
    context.unroute("**/items/**")
    context.set_offline(False)
    page = open_rating(on=context.new_page(), slug=other.project.slug)
    press(page, "1 5")
    wait_until_saved(page)
    assert stored_answers() == [ACCURATE, CANNOT_ASSESS]
    assert count_unsent(page) == 1


def test_work_that_went_to_somebody_else_is_said_and_the_next_is_offered(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    Slot.objects.filter(holder__rater__username="ravi").update(holder=None, expires_at=None)
    press(page, "1")
    expect(page.locator("#lost")).to_be_visible()
    assert stored_answers() == []
    page.click("#lost a")
    page.wait_for_selector("body[data-ready]")
    expect(page.locator("#lost")).not_to_be_visible()


def test_without_indexeddb_the_page_says_so_and_keeps_answers_all_the_same(
    june: Study, open_rating: Callable, context: BrowserContext
) -> None:
    context.add_init_script("indexedDB.open = () => { throw new Error('private'); };")
    page = open_rating()
    expect(page.locator("[data-notice-text]")).to_contain_text("stores answers less safely than usual")
    url = page.url
    context.set_offline(True)
    press(page, "1 4 s")
    expect(page.locator("[data-saved-text]")).to_have_text("Offline, 2 waiting")
    page.close(run_before_unload=False)
    context.set_offline(False)
    again = context.new_page()
    again.goto(url)
    again.wait_for_selector("body[data-ready]")
    expect(again.locator("[data-item-number]")).to_have_text("Sentence 3 of 4")
    wait_until_saved(again)
    assert stored_answers() == [ACCURATE, SEVERE]


def test_what_was_begun_is_there_again_and_not_after_it_was_answered(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    press(page, "4")
    page.wait_for_timeout(200)
    page.reload()
    page.wait_for_selector("body[data-ready]")
    expect(page.locator("input[value=inaccurate]")).to_be_checked()
    expect(page.locator("[data-progress-text]")).to_have_text("0 of 4")
    press(page, "s 1")
    wait_until_saved(page)
    page.reload()
    page.wait_for_selector("body[data-ready]")
    expect(page.locator("[data-item-number]")).to_have_text("Sentence 3 of 4")
    assert stored_answers() == [SEVERE, ACCURATE]


def test_a_page_of_a_strange_network_is_no_receipt(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    page.route("**/items/**", lambda route: route.fulfill(status=200, body="<h1>Welcome to our hotel</h1>"))
    press(page, "1")
    expect(page.locator("[data-saved-text]")).to_have_text("1 waiting")
    assert count_unsent(page) == 1
    page.unroute("**/items/**")
    page.evaluate("window.dispatchEvent(new Event('online'))")
    wait_until_saved(page)
    assert stored_answers() == [ACCURATE]
