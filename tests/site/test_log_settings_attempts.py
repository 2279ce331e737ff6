from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from rest_framework.test import APIClient

from annotation.accounts.tokens import create_token, revoke_token
from annotation.site.sign_in_providers import app_of
from tests.cast import PASSWORD, person, study
from tests.identity_provider import IdentityProvider

pytestmark = pytest.mark.django_db
ADDRESS = "/api/v1/projects/june/guidelines/"


@pytest.fixture
def attempts(caplog: pytest.LogCaptureFixture) -> Callable[[], list[str]]:
    """Return a function that returns the lines so far."""
    return lambda: [record.getMessage() for record in caplog.records if record.name == "annotation.security"]


def sign_in(password: str, browser: Client) -> None:
    browser.post("/accounts/login/", {"login": "ravi", "password": password})


def test_an_ordinary_day_has_none_and_guesses_and_a_forged_cookie_have_lines(attempts: Callable) -> None:
    study()
    browser, stranger = Client(), Client()
    sign_in("a typo", browser)
    sign_in(PASSWORD, browser)
    browser.get("/projects/june/")
    key, _token = create_token(person("ravi"))
    APIClient(HTTP_AUTHORIZATION=f"Token {key}").get(ADDRESS)
    assert attempts() == []
    for _ in range(6):
        sign_in("guess", stranger)
    assert attempts() == ["an attempt to sign in while wrong passwords or codes make it wait"]
    forger = Client()
    forger.cookies["factuary_device"] = "forged"
    sign_in(PASSWORD, forger)
    assert "a cookie of a known browser that this site did not sign" in attempts()


def test_tokens_beyond_their_limits_have_lines_without_the_key(attempts: Callable, settings: Any) -> None:
    study()
    key, token = create_token(person("ravi"), scope="read")
    program = APIClient(HTTP_AUTHORIZATION=f"Token {key}")
    program.post("/api/v1/tokens/")
    settings.API_REQUESTS_PER_MINUTE = 1
    for _ in range(3):
        program.get(ADDRESS)
    revoke_token(token)
    program.get(ADDRESS)
    APIClient(HTTP_AUTHORIZATION="Token nonsense").get(ADDRESS)
    lines = attempts()
    assert [line.partition(" token")[0] for line in lines] == [
        "a request outside of the limits of the",
        "more requests in a minute than the site allows, last with the",
        "a request with a",
        "a request with a",
    ]
    assert not [line for line in lines if key in line or "nonsense" in line]


def test_a_forged_sign_in_by_a_provider_has_a_line(attempts: Callable, settings: Any, client: Client) -> None:
    provider = IdentityProvider()
    settings.SOCIALACCOUNT_PROVIDERS = {"openid_connect": {"APPS": [app_of(provider.table())]}}
    provider.person = {"sub": "n-1"}
    provider.sign_in(client, nonce="of another sign-in")
    provider.stop()
    assert attempts() == ["a sign-in by a provider that failed: OAuth2Error: the ID token belongs to another sign-in"]
