"""Requests: attempts, idempotency keys, errors, and that the token goes to one site only."""

import json
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import httpx2
import pytest
from factuary import (
    AnswerError,
    ChangedError,
    Client,
    ConflictError,
    FactuaryError,
    ForbiddenError,
    InvalidRequestError,
    NotAuthenticatedError,
    NotFoundError,
    ServerError,
    TooManyRequestsError,
    UnreachableError,
)
from factuary.connection import ATTEMPTS, Connection

SITE = "https://site.example.org"


class Server:
    """Answers in turn, the last one for ever, and keeps the requests and the waits between them."""

    def __init__(self, *answers: httpx2.Response | Exception) -> None:
        self.answers, self.requests, self.waits = list(answers), list[httpx2.Request](), list[float]()

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        self.requests.append(request)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        return httpx2.Response(answer.status_code, headers=answer.headers, content=answer.content)

    def connection(self) -> Connection:
        return Connection(SITE, "key", transport=httpx2.MockTransport(self), sleep=self.waits.append)


def test_a_request_has_the_token_and_its_parameters() -> None:
    server = Server(httpx2.Response(200, json={"a": 1}))
    query = {"role": "rater", "counted": True, "systems": ["a", "b"], "rater": None}
    assert server.connection().json("GET", "projects/june/ratings/", query=query) == {"a": 1}
    [request] = server.requests
    assert str(request.url) == f"{SITE}/api/v1/projects/june/ratings/?role=rater&counted=true&systems=a&systems=b"
    assert request.headers["Authorization"] == "Token key"
    assert "Idempotency-Key" not in request.headers


def test_a_write_is_repeated_under_one_key_and_another_write_has_another_key() -> None:
    server = Server(httpx2.ReadTimeout("slow"), httpx2.Response(503), httpx2.Response(200, json={}))
    connection = server.connection()
    connection.json("POST", "projects/", json={"slug": "june"})
    connection.json("POST", "projects/", json={"slug": "june"})
    keys = [request.headers["Idempotency-Key"] for request in server.requests]
    assert (keys[0] == keys[1] == keys[2] != keys[3]) and len(keys) == 4
    assert [json.loads(request.content) for request in server.requests] == [{"slug": "june"}] * 4


def test_a_file_is_sent_whole_with_each_attempt(tmp_path) -> None:
    (tmp_path / "rows.jsonl").write_bytes(b"x" * 100_000)
    server = Server(httpx2.Response(502), httpx2.Response(202, json={"id": "1"}))
    with Client(SITE, "key", transport=httpx2.MockTransport(server)) as client:
        client._connection.sleep = server.waits.append
        client.datasets.load("june", tmp_path / "rows.jsonl", format="rows", columns={"prompt": "q"})
    first, second = (request.content for request in server.requests)
    assert first.count(b"x" * 100_000) == second.count(b"x" * 100_000) == 1
    assert b'name="upload"; filename="rows.jsonl"' in second and b'{"prompt": "q"}' in second


def date_in(seconds: float) -> str:
    return format_datetime(datetime.now(UTC) + timedelta(seconds=seconds), usegmt=True)


@pytest.mark.parametrize(("seconds", "is_date"), [(7, False), (59, False), (200, True), (-7200, True)])
def test_retry_after_is_respected_unless_it_is_too_long(seconds: int, is_date: bool) -> None:
    header = date_in(seconds) if is_date else str(seconds)
    server = Server(httpx2.Response(429, headers={"Retry-After": header}), httpx2.Response(200, json={}))
    server.connection().json("GET", "projects/")
    [wait] = server.waits
    assert max(0, seconds - 60 * is_date) <= wait <= max(0, seconds)  # a date is whole seconds, and time passes
    server = Server(httpx2.Response(429, headers={"Retry-After": date_in(7200) if is_date else "100000"}))
    with pytest.raises(TooManyRequestsError):
        server.connection().json("GET", "projects/")
    assert len(server.requests) == 1 and not server.waits


def test_waits_without_retry_after_grow_and_end() -> None:
    server = Server(httpx2.ConnectError("refused"))
    with pytest.raises(UnreachableError, match=r"site\.example\.org does not answer: refused"):
        server.connection().json("GET", "projects/")
    assert len(server.requests) == ATTEMPTS and len(server.waits) == ATTEMPTS - 1
    assert all(0.25 * 2**n <= wait <= 0.5 * 2**n for n, wait in enumerate(server.waits))


def test_a_request_that_is_being_carried_out_is_asked_for_again() -> None:
    server = Server(httpx2.Response(409, headers={"Retry-After": "1"}), httpx2.Response(201, json={"slug": "june"}))
    assert server.connection().json("POST", "projects/", json={}) == {"slug": "june"}
    conflict = Server(httpx2.Response(409, json={"title": "Conflict"}))
    with pytest.raises(ConflictError):
        conflict.connection().json("POST", "projects/", json={})
    assert len(conflict.requests) == 1


@pytest.mark.parametrize(
    ("status", "error", "requests"),
    [
        (400, InvalidRequestError, 1),
        (401, NotAuthenticatedError, 1),
        (403, ForbiddenError, 1),
        (404, NotFoundError, 1),
        (412, ChangedError, 1),
        (413, InvalidRequestError, 1),
        (423, ConflictError, 1),
        (429, TooManyRequestsError, ATTEMPTS),
        (500, ServerError, 1),
        (503, ServerError, ATTEMPTS),
    ],
)
def test_each_status_has_an_error(status: int, error: type[FactuaryError], requests: int) -> None:
    server = Server(httpx2.Response(status, content=b"<h1>no JSON</h1>"))
    with pytest.raises(error, match=str(status)):
        server.connection().json("GET", "projects/")
    assert len(server.requests) == requests


def test_an_error_has_the_messages_of_the_fields_and_an_answer_that_is_no_json_is_named() -> None:
    errors = {"slug": ["It is used.", "Choose another."]}
    body = {"title": "Bad Request", "detail": "Not valid.", "errors": errors}
    with pytest.raises(InvalidRequestError) as caught:
        Server(httpx2.Response(400, json=body)).connection().json("POST", "projects/", json={})
    assert str(caught.value) == "400 Not valid.: slug: It is used. Choose another."
    assert caught.value.errors == errors
    with pytest.raises(AnswerError, match="is this the address of a Factuary site"):
        Server(httpx2.Response(200, content=b"<!DOCTYPE html>")).connection().json("GET", "projects/")


def test_pages_are_requested_from_the_same_site_whatever_their_address_says() -> None:
    row = {"slug": "june", "title": "", "format": "rows", "created_at": "2026-11-01T00:00:00Z"}
    pages = (
        {"results": [row], "next": "https://elsewhere.example.com/api/v1/datasets/?cursor=cD0x&limit=500"},
        {"results": [row | {"slug": "july"}], "next": None},
    )
    server = Server(*(httpx2.Response(200, json=page) for page in pages))
    with Client(SITE, "key", transport=httpx2.MockTransport(server)) as client:
        assert [dataset.slug for dataset in client.datasets] == ["june", "july"]
    assert [str(request.url) for request in server.requests] == [
        f"{SITE}/api/v1/datasets/?limit=500",
        f"{SITE}/api/v1/datasets/?cursor=cD0x&limit=500",
    ]


@pytest.mark.parametrize(
    ("address", "token", "says"),
    [
        ("site.example.org", "key", "does not begin with https"),
        (SITE, "", "FACTUARY_TOKEN"),
        ("", "key", "FACTUARY_URL"),
    ],
)
def test_a_client_needs_an_address_and_a_token(monkeypatch, address: str, token: str, says: str) -> None:
    for name in ("FACTUARY_URL", "FACTUARY_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(FactuaryError, match=says):
        Client(address, token)


def test_address_and_token_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FACTUARY_URL", f"{SITE}/")
    monkeypatch.setenv("FACTUARY_TOKEN", "of the environment")
    server = Server(httpx2.Response(200, json={"tokens": []}))
    with Client(transport=httpx2.MockTransport(server)) as client:
        assert client.tokens() == ()
    assert server.requests[0].headers["Authorization"] == "Token of the environment"


@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
def test_a_redirect_is_an_error_that_names_the_address_and_is_not_followed(method: str) -> None:
    for status in (301, 302, 303, 307, 308):
        server = Server(httpx2.Response(status, headers={"Location": "https://new.example.org/api/v1/"}))
        with pytest.raises(AnswerError, match=rf"redirects to https://new\.example\.org/api/v1/ \({status}\)"):
            server.connection().send(method, "projects/")
        assert len(server.requests) == 1
    with pytest.raises(AnswerError, match="redirects to another address"):
        Server(httpx2.Response(302)).connection().send(method, "projects/")
