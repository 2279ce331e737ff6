"""What is checked of a provider's metadata, ID token and user info before somebody is signed in."""

import time
from urllib.parse import parse_qsl, urlsplit

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from django.test import Client

from annotation.site.sign_in_providers import app_of
from annotation.web.accounts import openid
from tests.identity_provider import IdentityProvider
from tests.model_calls.odd_replies import HEAD, compressed_endless, drip, endless

pytestmark = pytest.mark.django_db


@pytest.fixture
def provider(settings):
    running = IdentityProvider()
    running.person = {"sub": "n-1", "preferred_username": "nora"}
    settings.SOCIALACCOUNT_PROVIDERS = {"openid_connect": {"APPS": [app_of(running.table(create_accounts=True))]}}
    yield running
    running.stop()


def is_signed_in(browser: Client) -> bool:
    return "_auth_user_id" in browser.session


def test_a_signed_token_signs_in_and_each_sign_in_has_a_nonce_that_is_used_once(provider, client):
    assert provider.sign_in(client).url == "/"
    assert is_signed_in(client)
    first = provider.asked
    assert first["code_challenge_method"] == "S256" and len(first["nonce"]) > 16
    assert "The sign-in failed" in provider.sign_in(client, nonce=first["nonce"]).content.decode()
    assert provider.asked["nonce"] != first["nonce"]
    assert first["nonce"] not in str(dict(client.session)) and provider.asked["nonce"] not in str(dict(client.session))


def test_a_callback_that_this_browser_did_not_ask_for_is_refused(provider, client):
    stranger = Client()
    page = stranger.post("/accounts/oidc/uni/login/")
    provider.asked = dict(parse_qsl(urlsplit(page.context["address"]).query))
    callback = f"/accounts/oidc/uni/login/callback/?code=a-code&state={provider.asked['state']}"
    assert "The sign-in failed" in client.get(callback).content.decode()
    assert not is_signed_in(client)
    assert stranger.get(callback).url == "/" and is_signed_in(stranger)


def test_a_token_with_a_wrong_claim_or_that_the_provider_did_not_sign_is_refused(provider, client):
    for claims in (
        {"iss": "https://other.example"},
        {"aud": "another client"},
        {"exp": 1_000_000_000},
        {"nonce": "of another sign-in"},
        {"nonce": None},
        {"sub": "n-2"},
        {"auth_time": "2026-01-01T00:00:00Z"},
        {"auth_time": None},
    ):
        assert "The sign-in failed" in provider.sign_in(client, **claims).content.decode(), claims
        assert not is_signed_in(client), claims
    forger = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    for key, algorithm in ((forger, "RS256"), (None, "none"), ("the client's secret " * 2, "HS256")):
        provider.key, provider.algorithm = key, algorithm
        assert provider.sign_in(client).status_code == 401, algorithm
        assert not is_signed_in(client), algorithm


def test_metadata_of_another_issuer_or_elsewhere_and_a_provider_that_does_not_answer_are_refused(provider, client):
    provider.issuer = "https://other.example"
    page = provider.sign_in(client)
    assert page.status_code == 401 and "The sign-in failed" in page.content.decode()
    provider.moved_to = "http://127.0.0.1:1/"
    assert client.post("/accounts/oidc/uni/login/").status_code == 401
    provider.stop()
    assert client.post("/accounts/oidc/uni/login/").status_code == 401


ALL = ["/.well-known/openid-configuration", "/token", "/userinfo", "/keys"]


@pytest.mark.parametrize(
    ("path", "write", "reason"),
    [
        *((path, endless, "larger than 1 MB") for path in ALL),
        ("/token", compressed_endless, "larger than 1 MB"),
        ("/userinfo", drip(b"HTTP/1.1 200 OK\r\nx-name: ", b"a"), "no complete reply within 0.5 s"),
        ("/keys", drip(HEAD + b"\r\n", b" "), "no complete reply within 0.5 s"),
    ],
)
def test_an_endless_or_slow_reply_of_a_provider_ends_the_sign_in(
    provider, client, monkeypatch, caplog, path, write, reason
):
    monkeypatch.setattr(openid, "SECONDS", 0.5 if "within" in reason else 60.0)
    provider.written[path] = write
    begun = time.monotonic()
    page = client.post("/accounts/oidc/uni/login/") if "well-known" in path else provider.sign_in(client)
    assert page.status_code == 401 and "The sign-in failed" in page.content.decode()
    assert time.monotonic() - begun < 30 and not is_signed_in(client)
    assert reason in caplog.text
