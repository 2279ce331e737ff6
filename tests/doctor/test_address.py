"""The site's address is requested as a browser does."""

import httpx2
import pytest

from annotation.doctor import address
from tests.identity_provider import IdentityProvider
from tests.model_calls.odd_replies import HEAD, drip, endless


def answer(monkeypatch, status: int, **headers: str) -> None:
    reply = httpx2.Response(status, headers={name.replace("_", "-"): value for name, value in headers.items()})
    monkeypatch.setattr(address, "fetch", lambda request, **limits: reply)


@pytest.mark.django_db
def test_a_site_that_answers(settings, live_server):
    settings.SITE_URL = live_server.url
    assert address.address_finding().line() == f"ok       address     {live_server.url} answers"


def test_a_site_that_is_not_reached_from_here(settings):
    settings.SITE_URL = "http://127.0.0.1:1"
    finding = address.address_finding()
    assert (finding.state, "is not reached from this machine" in finding.message) == ("warning", True)


@pytest.mark.parametrize(
    ("status", "headers", "state", "text"),
    [
        (301, {"Location": "https://factuary.example.org/accounts/login/"}, "failed", "X-Forwarded-Proto: https"),
        (400, {}, "failed", "ALLOWED_HOSTS"),
        (502, {}, "failed", "answers 502"),
        (200, {}, "warning", "Content-Security-Policy"),
        (200, {"Content_Security_Policy": "script-src 'self'"}, "warning", "Strict-Transport-Security"),
    ],
)
def test_what_a_proxy_does_wrong(settings, monkeypatch, status, headers, state, text):
    settings.SITE_URL, settings.SECURE_HSTS_SECONDS = "https://factuary.example.org", 3600
    answer(monkeypatch, status, **headers)
    finding = address.address_finding()
    assert (finding.state, text in finding.line()) == (state, True), finding


def test_a_site_behind_a_proxy_that_is_not_trusted(settings):
    settings.LOOPBACK_ONLY, settings.SECURE_PROXY_SSL_HEADER = False, None
    assert "BEHIND_TLS_PROXY=1" in address.address_finding().remedy


@pytest.mark.parametrize(
    ("write", "reason"), [(endless, "larger than 1 MB"), (drip(HEAD + b"\r\n", b"a"), "no complete reply within 0.5 s")]
)
def test_a_site_whose_page_does_not_end(settings, monkeypatch, write, reason):
    monkeypatch.setattr(address, "SECONDS", 0.5 if "within" in reason else 60.0)
    provider = IdentityProvider()
    provider.written[address.PAGE] = write
    settings.SITE_URL = provider.url
    finding = address.address_finding()
    provider.stop()
    assert (finding.state, reason in finding.message) == ("warning", True), finding
