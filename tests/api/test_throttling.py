"""The limit on requests with API tokens."""

import socket
from datetime import UTC, datetime
from typing import Any

import pytest
from rest_framework.test import APIClient

from annotation.api.throttling import TokenThrottle
from annotation.models import ApiToken
from tests.cast import give_token, person, study
from tests.database_time import set_database_time

pytestmark = pytest.mark.django_db
ADDRESS = "/api/v1/projects/june/guidelines/"


def program(name: str, key: str) -> APIClient:
    give_token(person(name), key)
    return APIClient(HTTP_AUTHORIZATION=f"Token {key}")


@pytest.fixture(autouse=True)
def _few(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.API_REQUESTS_PER_MINUTE = 3
    set_database_time(monkeypatch, datetime.fromtimestamp(600_015, UTC))
    monkeypatch.setattr(TokenThrottle, "paused_until", 0.0)
    study()


def test_further_requests_of_a_minute_wait_for_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    ravi, ravis_other, rosa = program("ravi", "a" * 40), program("ravi", "b" * 40), program("rosa", "c" * 40)
    answers = [ravi.get(ADDRESS) for _ in range(4)]
    assert [answer.status_code for answer in answers] == [204, 204, 204, 429]
    assert [answer["RateLimit"] for answer in answers[:3]] == [f'"tokens";r={left};t=45' for left in (2, 1, 0)]
    assert answers[0]["RateLimit-Policy"] == '"tokens";q=3;w=60'
    refused = ravis_other.get(ADDRESS)
    assert refused.status_code == 429 and refused["Retry-After"] == "45"
    assert refused["RateLimit"] == '"tokens";r=0;t=45' and refused["Content-Type"] == "application/problem+json"
    assert refused.json()["title"] == "Too Many Requests"
    assert rosa.get(ADDRESS).status_code == 204
    set_database_time(monkeypatch, datetime.fromtimestamp(600_060, UTC))
    assert ravi.get(ADDRESS).status_code == 204


def test_a_session_has_no_limit_and_neither_has_a_site_that_wants_none(settings: Any) -> None:
    browser = APIClient()
    browser.force_login(person("ravi"))
    assert {browser.get(ADDRESS).status_code for _ in range(8)} == {204}
    settings.API_REQUESTS_PER_MINUTE = 0
    ravi = program("ravi", "a" * 40)
    assert {ravi.get(ADDRESS).status_code for _ in range(8)} == {204}


def test_without_the_cache_nothing_is_limited(settings: Any) -> None:
    backend = "annotation.site.tolerant_cache.TolerantRedisCache"
    settings.CACHES = {"default": {"BACKEND": backend, "LOCATION": "redis://127.0.0.1:1/0"}}
    ravi = program("ravi", "a" * 40)
    assert {ravi.get(ADDRESS).status_code for _ in range(5)} == {204}


def test_one_request_waits_for_a_cache_that_hangs_and_the_next_do_not(settings: Any) -> None:
    backend = "annotation.site.tolerant_cache.TolerantRedisCache"
    with socket.create_server(("127.0.0.1", 0)) as hanging:
        url = f"redis://127.0.0.1:{hanging.getsockname()[1]}/0"
        settings.CACHES = {"default": {"BACKEND": backend, "LOCATION": url, "OPTIONS": {"socket_timeout": 0.1}}}
        ravi = program("ravi", "a" * 40)
        assert {ravi.get(ADDRESS).status_code for _ in range(5)} == {204}
        assert connections_to(hanging) == 1


def connections_to(server: socket.socket) -> int:
    """Return how many clients have connected."""
    server.setblocking(False)
    clients = []
    try:
        while True:
            clients.append(server.accept()[0])
    except BlockingIOError:
        return len(clients)
    finally:
        for client in clients:
            client.close()


def test_a_request_that_the_token_may_not_make_counts_too() -> None:
    ravi = program("ravi", "a" * 40)
    ApiToken.objects.update(scope=ApiToken.Scope.RATE)
    answers = [ravi.get("/api/v1/projects/") for _ in range(4)]
    assert [answer.status_code for answer in answers] == [403, 403, 403, 429]
    assert answers[0]["RateLimit"] == '"tokens";r=2;t=45'
