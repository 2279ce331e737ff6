"""The log of requests: one line each, with an id that the answer and the jobs of the request have too."""

import json
import logging

import pytest
from django.db import connection
from django.test import Client

from annotation.site import structured_log
from tests.cast import person

pytestmark = pytest.mark.django_db


@pytest.fixture
def lines(caplog):
    """Return the logged lines as objects."""
    caplog.handler.setFormatter(structured_log.formatter("json"))
    caplog.set_level(logging.INFO)
    return lambda name="annotation.requests": [
        line for line in map(json.loads, caplog.text.splitlines()) if line["logger"] == name
    ]


def test_a_request_leaves_one_line_with_what_an_operator_looks_for(june, lines, lena):
    response = lena.get("/projects/june/?q=a+private+search", HTTP_USER_AGENT="A browser", REMOTE_ADDR="192.0.2.7")
    (line,) = lines()
    assert (line["event"], line["code"], line["level"]) == ("GET /projects/june/", 200, "info")
    assert line["route"] == "projects/<slug:slug>/"
    assert line["user"] == june.people["lena"].pk
    assert line["request_id"] == response["X-Request-ID"]
    assert line["ms"] > 0
    assert not {"private", "browser", "192.0.2.7", "lena"} & set(json.dumps(line).replace("+", " ").split())


def test_each_request_has_an_id_of_its_own_and_none_from_outside(client):
    ids = {client.get("/accounts/login/", HTTP_X_REQUEST_ID="chosen")["X-Request-ID"] for _ in range(2)}
    assert len(ids) == 2 and "chosen" not in ids


def test_a_public_page_asks_no_account_for_its_line(lines, django_assert_num_queries):
    with django_assert_num_queries(0):
        Client().get("/health/live/")
        Client().get("/accessibility/")
    assert [(line["event"], "user" in line) for line in lines()] == [("GET /accessibility/", False)]


def test_an_error_is_told_once_with_the_id_of_its_request(lines, client, monkeypatch):
    def fail(*args):
        raise RuntimeError("broken")

    client.force_login(person("lena"))
    client.raise_request_exception = False
    monkeypatch.setattr("annotation.web.search.views._groups", fail)
    response = client.get("/search/")
    assert response.status_code == 500
    (error,) = lines("django.request")
    assert "RuntimeError: broken" in error["exception"]
    assert error["request_id"] == response["X-Request-ID"] == lines()[0]["request_id"]


def test_a_slow_query_names_request_and_route(lines, ada, settings):
    settings.SLOW_QUERY_MS = 1
    with connection.execute_wrapper(slowly):
        response = ada.get("/people/")
    slow = [line for line in lines("annotation.site.slow_queries") if "request_id" in line]
    assert {line["route"] for line in slow} == {"people/"}
    assert {line["request_id"] for line in slow} == {response["X-Request-ID"]}


def slowly(execute, sql, params, many, context):
    """Run a query after two milliseconds of the database."""
    with connection.connection.cursor() as cursor:
        cursor.execute("SELECT pg_sleep(0.002)")
    return execute(sql, params, many, context)
