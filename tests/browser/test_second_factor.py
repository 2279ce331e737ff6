"""The second factor in a browser: authenticator app, recovery codes, passkeys, and the site that requires one."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from annotation.models import AuditEvent

from ..cast import Study, person
from .accessibility import violations
from .authenticator import code_of, confirm_password, sign_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def sign_out(page: Page) -> None:
    page.context.clear_cookies()


def add_app(page: Page, url: str) -> str:
    """Add an authenticator app and return its secret; the page with the recovery codes is open then."""
    page.goto(f"{url}/account/")
    page.get_by_role("link", name="Two-factor authentication").click()
    page.get_by_role("link", name="Add app").click()
    confirm_password(page)
    secret = page.get_by_label("Authenticator secret").input_value()
    assert violations(page) == []
    page.get_by_label("Authenticator code").fill(code_of(secret))
    page.get_by_role("button", name="Add app").click()
    expect(page.get_by_label("Unused codes")).to_be_visible()
    return secret


def test_an_authenticator_app_and_recovery_codes_and_wrong_codes_have_to_wait(
    page: Page, live_server: Any, june: Study
) -> None:
    person("lena")
    sign_in(page, live_server.url, "lena")
    secret = add_app(page, live_server.url)
    codes = page.get_by_label("Unused codes").input_value().split()
    assert len(codes) == 10
    assert violations(page) == []

    sign_out(page)
    sign_in(page, live_server.url, "lena")
    assert violations(page) == []
    page.get_by_label("Code").fill("000000")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_text("Incorrect code.")).to_be_visible()
    page.get_by_label("Code").fill(code_of(secret, steps=1))
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(f"{live_server.url}/")

    for expected in ("/", None):  # a recovery code works once
        sign_out(page)
        sign_in(page, live_server.url, "lena")
        page.get_by_label("Code").fill(codes[0])
        page.get_by_role("button", name="Sign in").click()
        if expected:
            page.wait_for_url(f"{live_server.url}{expected}")
    expect(page.get_by_text("Incorrect code.")).to_be_visible()
    actions = AuditEvent.objects.filter(target="user:lena", action__contains="co").values_list("action", flat=True)
    assert sorted(actions) == ["add second factor", "add second factor", "use recovery code"]

    for _ in range(7):
        page.get_by_label("Code").fill("000000")
        page.get_by_role("button", name="Sign in").click()
        page.wait_for_load_state()
    expect(page.get_by_text(re.compile(r"Too many attempts\. Try again in \d+ seconds\."))).to_be_visible()
    page.get_by_label("Code").fill(codes[1])
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_text("Too many attempts.")).to_be_visible()


def add_authenticator(context: BrowserContext, page: Page) -> None:
    """Give the page a platform authenticator that confirms its user."""
    session = context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    session.send("WebAuthn.addVirtualAuthenticator", {"options": options})


def test_a_passkey_signs_in_without_a_password(
    page: Page, context: BrowserContext, live_server: Any, june: Study
) -> None:
    person("lena")
    url = live_server.url.replace("127.0.0.1", "localhost")
    add_authenticator(context, page)
    sign_in(page, url, "lena")
    page.goto(f"{url}/accounts/2fa/webauthn/add/")
    confirm_password(page)
    expect(page.get_by_role("heading", name="Add passkey or security key")).to_be_visible()
    page.get_by_label("Name").fill("Lena's laptop")
    page.get_by_label("Passkey: sign in without a password").check()
    assert violations(page) == []
    page.get_by_role("button", name="Add key").click()
    expect(page.get_by_label("Unused codes")).to_be_visible()
    page.goto(f"{url}/accounts/2fa/webauthn/")
    expect(page.get_by_role("row", name="Lena's laptop Passkey")).to_be_visible()
    assert violations(page) == []

    sign_out(page)
    page.goto(f"{url}/accounts/login/")
    page.get_by_role("button", name="Sign in with a passkey").click()
    page.wait_for_url(f"{url}/")
    page.get_by_role("link", name="Study june").first.click()

    sign_out(page)
    sign_in(page, url, "lena")  # after the password, the passkey is the second factor
    page.get_by_role("button", name="Use a security key").click()
    page.wait_for_url(f"{url}/")


def test_a_site_that_requires_a_factor_leads_leads_to_it_and_leaves_raters_alone(
    page: Page, live_server: Any, june: Study, settings: Any, visit: Callable
) -> None:
    settings.REQUIRE_SECOND_FACTOR = True
    person("lena")
    sign_in(page, live_server.url, "lena")
    expect(page.get_by_text("This site requires a second factor for leads and admins.")).to_be_visible()
    page.goto(f"{live_server.url}/projects/june/")
    page.wait_for_url("**/accounts/2fa/")
    assert page.request.get(f"{live_server.url}/api/v1/projects/june/progress/").status == 403
    page.get_by_role("link", name="Add app").click()
    confirm_password(page)
    secret = page.get_by_label("Authenticator secret").input_value()
    page.get_by_label("Authenticator code").fill(code_of(secret))
    page.get_by_role("button", name="Add app").click()
    page.goto(f"{live_server.url}/projects/june/")
    expect(page.get_by_role("heading", name="Study june")).to_be_visible()
    visit(page, "ravi", "/projects/june/rate/")
    page.wait_for_selector("body[data-ready]")
