"""Rating with an expired session or somebody else's: the work goes on, and nothing is sent under another name."""

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from playwright.sync_api import BrowserContext, Page, expect

from annotation.models import Rating

from ..cast import ACCURATE, PASSWORD, SEVERE, Study, person
from .workspace import count_unsent, press, stored_answers, wait_until_saved

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def sign_out(page: Page) -> None:
    page.click("summary[aria-label*='account']")
    page.get_by_role("button", name="Sign out", exact=True).click()


def test_an_expired_session_keeps_the_answers_until_one_is_back(
    june: Study, open_rating: Callable, context: BrowserContext, log_in: Callable, live_server: Any
) -> None:
    page = open_rating()
    context.clear_cookies()
    press(page, "1 1")
    expect(page.locator("[data-signed-out]")).to_be_visible()
    expect(page.locator("[data-saved-text]")).to_have_text("Signed out, 2 waiting")
    log_in(context, person("ravi"))
    # Signing in on the login page sets this cookie as well.
    context.add_cookies([{"name": "factuary_csrf", "value": "a" * 32, "url": live_server.url}])
    page.evaluate("window.dispatchEvent(new Event('focus'))")
    wait_until_saved(page)
    expect(page.locator("[data-signed-out]")).not_to_be_visible()
    assert stored_answers() == [ACCURATE, ACCURATE]


def test_an_answer_given_while_somebody_else_is_signed_in_waits_for_its_owner(
    june: Study, open_rating: Callable, context: BrowserContext, log_in: Callable
) -> None:
    page = open_rating()
    log_in(context, person("rosa"))  # in another tab of the same browser
    press(page, "1 4 s")
    expect(page.locator("[data-saved-text]")).to_have_text("2 not saved")
    expect(page.locator("[data-other-account]")).to_be_visible()
    assert not Rating.objects.exists()
    log_in(context, person("ravi"))
    page.evaluate("window.dispatchEvent(new Event('focus'))")
    wait_until_saved(page)
    expect(page.locator("[data-other-account]")).not_to_be_visible()
    assert stored_answers() == [ACCURATE, SEVERE]


def test_a_lost_csrf_token_is_brought_back_unnoticed(
    june: Study, open_rating: Callable, context: BrowserContext
) -> None:
    page = open_rating()
    context.clear_cookies(name="factuary_csrf")
    press(page, "1 1")
    wait_until_saved(page)
    assert stored_answers() == [ACCURATE, ACCURATE]


def test_one_may_go_on_rating_and_sign_in_later(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    Session.objects.all().delete()
    press(page, "1")
    page.click("#sign-in [value=later]")
    press(page, "4 s")
    expect(page.locator("[data-saved-text]")).to_have_text("Signed out, 2 waiting")
    page.click("[data-sign-in]")
    page.keyboard.type("factuary-demo")
    press(page, "Enter")
    wait_until_saved(page)
    assert stored_answers() == [ACCURATE, SEVERE]


def test_answer_keys_do_not_go_into_the_password_field(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    Session.objects.all().delete()
    press(page, "1")
    password = page.locator("#sign-in [name=password]")
    expect(password).to_be_visible()
    press(page, "1 n Enter")
    expect(page.get_by_role("heading", name="Sign in again")).to_be_focused()
    expect(password).to_have_value("")
    expect(page.locator("[data-saved-text]")).to_have_text("Signed out, 1 waiting")
    for _ in range(2):  # the user name comes first
        press(page, "Tab")
    page.keyboard.type(PASSWORD)
    press(page, "Enter")
    wait_until_saved(page)
    assert stored_answers() == [ACCURATE]


def test_whoever_signs_in_in_another_tab_is_let_through(
    june: Study, open_rating: Callable, context: BrowserContext, log_in: Callable
) -> None:
    page = open_rating()
    Session.objects.all().delete()
    press(page, "1")
    expect(page.locator("#sign-in")).to_be_visible()
    log_in(context, person("ravi"))
    expect(page.locator("#sign-in")).not_to_be_visible()
    wait_until_saved(page)
    assert stored_answers() == [ACCURATE]


def test_who_signs_out_while_something_waits_is_told_where_it_stays(
    june: Study, open_rating: Callable, context: BrowserContext, live_server: Any
) -> None:
    page = open_rating()
    context.route("**/items/**", lambda route: route.abort())
    press(page, "1 4 s")
    expect(page.locator("[data-saved-text]")).to_have_text("Offline, 2 waiting")
    sign_out(page)
    dialog = page.get_by_role("dialog", name="Unsent answers")
    dialog.get_by_role("button", name="Stay").click()
    expect(dialog).not_to_be_visible()
    assert count_unsent(page) == 2
    sign_out(page)
    dialog.get_by_role("button", name="Sign out anyway").click()
    page.wait_for_url("**/accounts/login/**")
    context.unroute("**/items/**")
    page.fill("[name=login]", "ravi")
    page.fill("[name=password]", PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url(f"{live_server.url}/")
    with page.expect_response("**/items/**"):
        page.goto(f"{live_server.url}/projects/june/rate/")
    wait_until_saved(page)
    assert stored_answers() == [ACCURATE, SEVERE]


def test_who_signed_in_again_can_sign_out(june: Study, open_rating: Callable) -> None:
    """Check that signing out works after signing in on the page. The page is older than the session."""
    page = open_rating()
    Session.objects.all().delete()
    press(page, "1")
    page.locator("#sign-in [name=password]").fill(PASSWORD)
    press(page, "Enter")
    wait_until_saved(page)
    sign_out(page)
    page.wait_for_url("**/accounts/login/**")
