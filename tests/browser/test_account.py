"""Invitations, API tokens and sessions in a browser."""

import json
import urllib.error
import urllib.request
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from annotation.models import ApiToken
from tests.browser.accessibility import violations
from tests.cast import PASSWORD, Study, person

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]


def sign_in(page: Page, url: str, name: str, password: str = PASSWORD) -> None:
    page.goto(f"{url}/accounts/login/")
    page.get_by_label("User name or email").fill(name)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.wait_for_url(f"{url}/")


def confirm_password(page: Page) -> None:
    """Type the password that is asked for before a change of the account; the change goes on then."""
    page.wait_for_url("**/accounts/reauthenticate/**")
    page.get_by_label("Password").fill(PASSWORD)
    page.keyboard.press("Enter")


def status_of(url: str, token: str) -> int:
    """Return the status of a request for the project's progress with this token."""
    request = urllib.request.Request(
        f"{url}/api/v1/projects/june/progress/", headers={"Authorization": f"Token {token}"}
    )
    try:
        with urllib.request.urlopen(request) as answer:
            assert json.load(answer)["responses"]
            return int(answer.status)
    except urllib.error.HTTPError as refused:
        return refused.code


def test_an_invited_person_sets_a_password_once_and_rates(
    page: Page, browser: Browser, live_server: Any, june: Study
) -> None:
    url = live_server.url
    sign_in(page, url, "lena")
    page.goto(f"{url}/projects/june/invite/")
    page.get_by_label("People").fill("uma")
    page.get_by_role("button", name="Invite these people").click()
    link = url + urlsplit(page.locator("#link-1").inner_text()).path
    assert violations(page) == []

    invited = browser.new_context().new_page()
    invited.goto(link)
    assert violations(invited) == []
    for field in invited.locator("input[type=password]").all():
        field.fill("Turbid-terns-9")
    invited.keyboard.press("Enter")
    expect(invited.get_by_role("heading", name="Set your password")).to_have_count(0)
    invited.goto(f"{url}/projects/june/rate/")
    invited.wait_for_url("**/assignments/**")

    invited.goto(link)
    expect(invited.get_by_role("heading", name="This link no longer works")).to_be_visible()
    invited.context.clear_cookies()
    sign_in(invited, url, "uma", "Turbid-terns-9")
    invited.context.close()


def test_a_token_is_created_used_and_revoked_by_keyboard(page: Page, live_server: Any, june: Study) -> None:
    url = live_server.url
    sign_in(page, url, "lena")
    page.goto(f"{url}/account/tokens/")
    page.get_by_label("Name").fill("nightly export")
    page.get_by_role("button", name="Create token").focus()
    page.keyboard.press("Enter")
    confirm_password(page)
    token = page.locator("#secret").inner_text()
    assert status_of(url, token) == 200
    page.reload()
    expect(page.locator("#secret")).to_have_count(0)

    revoke = page.get_by_role("button", name="Revoke").first
    revoke.focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="Revoke the token nightly export?")
    expect(dialog).to_be_visible()
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(revoke).to_be_focused()
    assert status_of(url, token) == 200
    page.keyboard.press("Enter")
    dialog.get_by_role("button", name="Revoke").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Your tokens appear here")).to_be_visible()
    assert status_of(url, token) == 401
    assert not ApiToken.objects.filter(user=person("lena"), revoked_at=None).exists()


def test_another_browser_is_signed_out(
    page: Page, browser: Browser, live_server: Any, june: Study, wait_until: Callable
) -> None:
    url = live_server.url
    other = browser.new_context().new_page()
    for each in (other, page):
        sign_in(each, url, "lena")
    page.goto(f"{url}/accounts/sessions/")
    expect(page.get_by_role("row")).to_have_count(3)  # with the head
    page.locator("tbody").get_by_role("button", name="Sign out").click()
    confirm_password(page)
    expect(page.get_by_role("row")).to_have_count(2)
    other.goto(f"{url}/projects/june/")
    other.wait_for_url("**/accounts/login/**")
    page.reload()
    expect(page.get_by_text("This browser")).to_be_visible()
    other.context.close()
