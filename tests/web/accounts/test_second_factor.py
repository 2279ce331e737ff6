"""The pages of the second factor."""

import re

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP
from django.test import Client

from tests.cast import PASSWORD, person

pytestmark = pytest.mark.django_db


@pytest.fixture
def lena():
    person("lena")
    client = Client()
    client.post("/accounts/login/", {"login": "lena", "password": PASSWORD})
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    return client


def test_the_pages_say_what_each_factor_is_and_recovery_codes_are_counted_and_shown_one_a_line(lena):
    page = lena.get("/accounts/2fa/").content.decode()
    for text in ("Passkeys and security keys", "Add passkey or key", "Add app", "You get ten codes with your first"):
        assert text in page
    assert '<a href="/account/">Your account</a>' in page
    TOTP.activate(person("lena"), "A" * 32)
    codes = RecoveryCodes.activate(person("lena")).get_unused_codes()
    assert "10 codes are unused." in lena.get("/accounts/2fa/").content.decode()
    page = lena.get("/accounts/2fa/recovery-codes/").content.decode()
    assert "\n".join(codes) + "</textarea>" in page
    assert "Your account" in lena.get("/accounts/2fa/").content.decode()
    page = lena.get("/accounts/2fa/totp/deactivate/").content.decode()
    assert '<button type="submit" class="button danger">Remove app</button>' in page
    assert '<a class="button" href="/accounts/2fa/">Cancel</a>' in page
    Authenticator.objects.create(
        user=person("lena"), type=Authenticator.Type.WEBAUTHN, data={"name": "Phone", "credential": {}}
    )
    page = lena.get("/accounts/2fa/webauthn/").content.decode()
    for text in ("Phone", "Security key", "never", "Rename", "Remove"):
        assert text in page


def test_who_is_asked_for_the_password_or_a_code_finds_the_focus_in_the_field():
    lena, client = person("lena"), Client()
    assert client.login(username="lena", password=PASSWORD)
    page = client.get("/accounts/2fa/totp/activate/", follow=True).content.decode()
    assert re.search(r'<input[^>]*name="password"[^>]* autofocus', page)
    TOTP.activate(lena, "A" * 32)
    answer = Client().post("/accounts/login/", {"login": "lena", "password": PASSWORD}, follow=True)
    page = answer.content.decode()
    assert "<h1>Two-factor authentication</h1>" in page and "or one of your recovery codes." in page
    assert re.search(r'<input[^>]*name="code"[^>]* autofocus', page)
    assert "Use a security key" not in page and "Alternative options" not in page, "there is none"
