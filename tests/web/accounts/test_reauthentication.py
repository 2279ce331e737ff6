"""Changes of an account need a recent password, second factor, or sign-in at the provider."""

import re
import time

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.totp.internal.auth import TOTP
from allauth.socialaccount.models import SocialAccount
from allauth.usersessions.models import UserSession
from django.test import Client
from rest_framework.test import APIClient

from annotation.models import ApiToken, User
from annotation.site.sign_in_providers import app_of
from tests.cast import PASSWORD, give_token, person
from tests.identity_provider import IdentityProvider
from tests.web.pages import text_of

pytestmark = pytest.mark.django_db
ASK = "/accounts/reauthenticate/"
CONFIRM = "/accounts/oidc/uni/login/?confirm=1"
NEW_ADDRESS = {"email": "thief@example.org", "action_add": ""}
CHANGES = [
    ("/accounts/email/", NEW_ADDRESS),
    ("/account/tokens/", {"scope": "full", "days": "30"}),
    ("/accounts/sessions/", {}),
]


@pytest.fixture
def ravi():
    """Return a browser in which Ravi has signed in."""
    person("ravi")
    browser = Client()
    browser.post("/accounts/login/", {"login": "ravi", "password": PASSWORD})
    return browser


def test_a_change_waits_for_the_password_is_made_after_it_and_others_follow_without_it(ravi):
    for page, form in CHANGES:
        asked = ravi.post(page, form)
        assert asked.status_code == 302 and asked.url == f"{ASK}?next={page.replace('/', '%2F')}"
        assert ravi.post(asked.url, {"password": "guess"}).status_code == 200
    assert not EmailAddress.objects.exists() and not ApiToken.objects.exists()
    asked = ravi.post("/accounts/email/", NEW_ADDRESS)
    ravi.post(asked.url, {"password": PASSWORD})
    assert EmailAddress.objects.get().email == "thief@example.org"
    page = text_of(ravi.post("/account/tokens/", {"scope": "full", "days": "30"}))
    assert "It is shown only now" in page and ApiToken.objects.count() == 1


def test_a_token_asked_for_before_the_password_is_shown_after_it_and_the_session_has_a_new_key(ravi):
    old = ravi.session.session_key
    asked = ravi.post("/account/tokens/", {"scope": "full", "days": "30"})
    assert "It is shown only now" in text_of(ravi.post(asked.url, {"password": PASSWORD}))
    assert ravi.session.session_key != old
    assert UserSession.objects.get().session_key == ravi.session.session_key
    stolen = Client()
    stolen.cookies["factuary_session"] = old
    assert stolen.get("/account/").status_code == 302


def test_a_session_creates_no_token_by_the_api_and_a_token_does(ravi):
    answer = ravi.post("/api/v1/tokens/", {}, content_type="application/json")
    assert answer.status_code == 403 and "asks for your password" in answer.json()["detail"]
    give_token(person("ravi"), "k" * 40)
    program = APIClient(HTTP_AUTHORIZATION=f"Token {'k' * 40}")
    assert program.post("/api/v1/tokens/", {}, format="json").status_code == 201


@pytest.fixture
def provider(settings):
    running = IdentityProvider()
    running.person = {"sub": "n-1", "preferred_username": "nora", "email": "nora@uni.example"}
    settings.SOCIALACCOUNT_PROVIDERS = {"openid_connect": {"APPS": [app_of(running.table(create_accounts=True))]}}
    yield running
    running.stop()


@pytest.fixture
def nora(provider):
    """Return a browser in which Nora, who has no password, has signed in by the provider."""
    browser = Client()
    provider.sign_in(browser)
    assert not User.objects.get(username="nora").has_usable_password()
    return browser


def must_confirm(browser: Client) -> bool:
    """Try to set a first password."""
    answer = browser.get("/accounts/password/set/")
    assert answer.status_code == 200 or answer.url.startswith("/accounts/reauthenticate/provider/")
    return answer.status_code == 302


def test_who_has_only_a_provider_signs_in_again_there_for_some_minutes(provider, nora, settings):
    for page, form in CHANGES:
        asked = nora.post(page, form)
        assert asked.url == f"/accounts/reauthenticate/provider/?next={page.replace('/', '%2F')}"
    page = nora.get("/accounts/reauthenticate/provider/?next=%2Faccounts%2Femail%2F")
    assert "Sign in with University" in text_of(page)
    address = f"{CONFIRM}&next=%2Faccounts%2Femail%2F"
    assert address in page.content.decode().replace("&amp;", "&")
    back = provider.sign_in(nora, address)
    assert (provider.asked["prompt"], provider.asked["max_age"]) == ("login", "0")
    assert back.url == "/accounts/email/"
    nora.post("/accounts/email/", NEW_ADDRESS)
    assert EmailAddress.objects.filter(email="thief@example.org").exists()
    assert not must_confirm(nora)
    settings.ACCOUNT_REAUTHENTICATION_TIMEOUT = 0
    assert must_confirm(nora)


def test_an_ordinary_sign_in_confirms_no_identity_nor_replaces_a_confirmation_that_was_begun(provider, nora):
    for parameters, claims in [
        ("?auth_params=prompt%3Dlogin%26max_age%3D0", {}),
        ("?auth_params=prompt%3Dnone", {}),
        ("", {"auth_time": time.time()}),
    ]:
        provider.sign_in(nora, f"/accounts/oidc/uni/login/{parameters}", **claims)
        assert "prompt" not in provider.asked
        assert must_confirm(nora)
    nora.post(CONFIRM)
    provider.sign_in(nora)
    assert must_confirm(nora)
    nora.post("/accounts/email/", NEW_ADDRESS)
    assert not EmailAddress.objects.filter(email="thief@example.org").exists()


def test_a_provider_that_did_not_ask_again_confirms_no_identity(provider, nora):
    """It may send no `auth_time`, or that of an earlier sign-in."""
    for ago in (None, 3600, 120):
        provider.says_when = ago is not None
        provider.sign_in(nora, CONFIRM, **({"auth_time": time.time() - ago} if ago else {}))
        assert must_confirm(nora)
        assert "did not report that it asked for your password again" in text_of(nora.get("/accounts/email/"))


def test_a_second_factor_confirms_the_identity_of_who_has_only_a_provider(nora):
    TOTP.activate(User.objects.get(username="nora"), "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
    page = nora.post("/accounts/email/", NEW_ADDRESS, follow=True)
    assert page.redirect_chain[-1][0].startswith("/accounts/2fa/reauthenticate/")
    assert re.search(r"<title>\s*Confirm Access\s+· Factuary\s*</title>", page.content.decode())  # allauth's own page


def test_who_has_neither_password_nor_provider_is_told_whom_to_ask(client):
    ravi = person("ravi")
    ravi.set_unusable_password()
    ravi.save()
    client.force_login(ravi)
    page = client.post("/accounts/email/", NEW_ADDRESS, follow=True)
    assert "Ask an admin for a password link." in text_of(page)
    assert not SocialAccount.objects.exists() and not EmailAddress.objects.exists()
