"""Errors outside the views: JSON for programs, a page for browsers, and 503 while the database does not answer."""

import pytest
from django.contrib.sessions.backends.db import SessionStore
from django.db import InterfaceError, OperationalError
from django.test import Client

from annotation.web import home
from tests.cast import person

pytestmark = pytest.mark.django_db


def failing(error: Exception):
    def fail(*args: object, **kwargs: object) -> None:
        raise error

    return fail


@pytest.fixture
def lena(client: Client) -> Client:
    client.force_login(person("lena"))
    client.raise_request_exception = False
    return client


@pytest.mark.parametrize("error", [OperationalError("the server closed the connection"), InterfaceError("closed")])
def test_a_request_during_a_restart_of_the_database_is_told_to_wait(lena, monkeypatch, error):
    monkeypatch.setattr(SessionStore, "load", failing(error))
    page = lena.get("/")
    assert (page.status_code, page["Retry-After"]) == (503, "5")
    assert "The database does not answer" in page.content.decode()
    answer = lena.get("/api/v1/projects/june/report/")
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert answer["Content-Type"] == "application/problem+json"
    assert answer.json() == {
        "type": "about:blank",
        "title": "Service Unavailable",
        "status": 503,
        "detail": "The database does not answer. Send the request again.",
        "errors": {},
    }


def test_another_error_is_an_error_of_the_server(lena, monkeypatch):
    monkeypatch.setattr(home, "render", failing(ZeroDivisionError()))
    page = lena.get("/")
    assert page.status_code == 500 and "Retry-After" not in page
    assert "Server error" in page.content.decode()
