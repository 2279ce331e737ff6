"""Invitations and API tokens in a browser."""

from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.test import Client
from playwright.sync_api import Browser, Page, expect

from annotation.models import ApiToken

from ..cast import Study, person
from .accessibility import violations
from .authenticator import confirm_password, sign_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def status_of(token: str) -> int:
    """Return the status of a request for the project's progress with this token."""
    return Client(headers={"Authorization": f"Token {token}"}).get("/api/v1/projects/june/progress/").status_code


def test_an_invited_person_sets_a_password_once_and_rates(
    page: Page, browser: Browser, live_server: Any, visit: Callable, june: Study
) -> None:
    url = live_server.url
    visit(page, "lena", "/projects/june/invite/")
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
    invited.wait_for_url(f"{url}/")
    invited.context.close()


def test_a_token_is_created_used_and_revoked_by_keyboard(page: Page, visit: Callable, june: Study) -> None:
    visit(page, "lena", "/account/tokens/")
    page.get_by_label("Name").fill("nightly export")
    page.get_by_role("button", name="Create token").focus()
    page.keyboard.press("Enter")
    confirm_password(page)
    token = page.locator("#secret").inner_text()
    assert status_of(token) == 200
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
    assert status_of(token) == 200
    page.keyboard.press("Enter")
    dialog.get_by_role("button", name="Revoke").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Your tokens appear here")).to_be_visible()
    assert status_of(token) == 401
    assert not ApiToken.objects.filter(user=person("lena"), revoked_at=None).exists()
