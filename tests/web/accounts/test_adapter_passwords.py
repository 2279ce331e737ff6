"""Passwords and what a sign-in with one changes: rules, the old password, a reset beside a second factor."""

import re
import time

import pytest
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, hotp_value
from django.conf import settings as site_settings
from django.test import Client

from annotation.models import User
from tests.cast import PASSWORD, person

pytestmark = pytest.mark.django_db

NEW = "Turbid-terns-9"


@pytest.fixture
def lena(client):
    user = person("lena")
    assert client.login(username="lena", password=PASSWORD)
    return user


def change(client: Client, new: str, old: str = PASSWORD) -> None:
    client.post("/accounts/password/change/", {"oldpassword": old, "password1": new, "password2": new})


def test_short_and_common_passwords_are_refused_and_without_the_old_one_any(client, lena):
    for weak in ("tern-9-ox", "password123", "qwertyuiop", "1234567890"):
        change(client, weak)
    change(client, NEW, old="something else")
    lena.refresh_from_db()
    assert lena.check_password(PASSWORD)


def test_a_password_of_any_composition_is_taken_as_it_is_typed(client, lena):
    old = PASSWORD
    for good in ("all lower case words", " spaces at both ends ", "🦆" * 10, "long " * 40, "82736450197364"):
        change(client, good, old)
        lena.refresh_from_db()
        assert lena.check_password(good), good
        assert Client().post("/accounts/login/", {"login": "lena", "password": good}).status_code == 302
        old = good


def test_a_new_password_ends_other_sessions(client, lena):
    other = Client()
    assert other.login(username="lena", password=PASSWORD)
    change(client, NEW)
    assert client.get("/accounts/sessions/").status_code == 200
    assert other.get("/accounts/sessions/").status_code == 302


def test_a_reset_leads_to_the_second_factor(client, mailoutbox, settings):
    settings.EMAIL_HOST = "mail.example"
    tom = User.objects.create(username="tom", email="tom@example.org")
    TOTP.activate(tom, "secret")
    client.post("/accounts/password/reset/", {"email": "tom@example.org"})
    link = re.search(r"https?://[^/]+(/accounts/password/reset/key/\S+)", mailoutbox[0].body)[1]
    form = client.get(link, follow=True)
    answer = client.post(form.redirect_chain[-1][0], {"password1": NEW, "password2": NEW}, follow=True)
    assert answer.redirect_chain[-1][0].startswith("/accounts/2fa/authenticate/")
    assert "_auth_user_id" not in client.session


def test_a_code_of_an_app_signs_in_once_also_without_the_cache(client, settings):
    TOTP.activate(person("lena"), "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
    code = format_hotp_value(hotp_value("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", int(time.time()) // 30))
    settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.dummy.DummyCache"}}

    def sign_in(browser: Client) -> int:
        browser.post("/accounts/login/", {"login": "lena", "password": PASSWORD})
        return browser.post("/accounts/2fa/authenticate/", {"code": code}).status_code

    assert [sign_in(Client()) for _ in range(3)] == [302, 200, 200]


def test_wrong_old_passwords_have_to_wait(client, lena):
    for _ in range(5):
        change(client, NEW, old="guess")
    change(client, NEW)
    lena.refresh_from_db()
    assert lena.check_password(PASSWORD)


def test_a_sign_in_has_a_new_session_key_and_a_sign_out_ends_it(client):
    person("lena")
    client.get("/accounts/login/")
    client.cookies[site_settings.SESSION_COOKIE_NAME] = planted = "a" * 32
    client.post("/accounts/login/", {"login": "lena", "password": PASSWORD})
    key = client.cookies[site_settings.SESSION_COOKIE_NAME].value
    assert key != planted
    assert len(key) == 32
    client.post("/accounts/logout/")
    again = Client()
    again.cookies[site_settings.SESSION_COOKIE_NAME] = key
    assert again.get("/accounts/sessions/").status_code == 302
