"""Every operation takes the query parameters that it declares, and refuses others."""

import json
import re
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
from django.urls import URLPattern, URLResolver
from drf_spectacular.generators import SchemaGenerator
from rest_framework.test import APIClient

from annotation.api.query_parameters import declared_parameters
from annotation.api.urls import urlpatterns
from tests.api.clients import program

pytestmark = pytest.mark.django_db

UNKNOWN, REPEATED = "There is no such query parameter", "several values"


def routes_of(patterns: list[URLPattern | URLResolver], prefix: str) -> Iterator[tuple[str, Any]]:
    for each in patterns:
        if isinstance(each, URLResolver):
            yield from routes_of(each.url_patterns, f"{prefix}{each.pattern}")
        else:
            yield f"{prefix}{each.pattern}", each.callback


ROUTES = dict(routes_of(urlpatterns, "api/v1/"))
OPERATIONS = [
    pytest.param(method, route, declared, id=f"{method} {route}")
    for route, view in ROUTES.items()
    for method, declared in declared_parameters(view, route).items()
]


@pytest.fixture(scope="module")
def ada(module_rows) -> APIClient:
    return program("ada", admin=True)


@pytest.fixture(autouse=True)
def _short_schema(monkeypatch) -> None:
    monkeypatch.setattr(SchemaGenerator, "get_schema", lambda *values, **named: {"openapi": "3.0.3"})


def send(client: APIClient, method: str, route: str, query: str) -> tuple[int, dict[str, list[str]]]:
    """Return the status and the errors of a request about nothing that there is: queries are checked before."""
    names = {"uuid": str(uuid4()), "int": "1"}
    address = re.sub(r"<(\w+):\w+>", lambda match: names.get(match[1], "nothing"), route)
    answer = client.generic(method.upper(), f"/{address}?{query}")
    is_problem = answer["Content-Type"] == "application/problem+json"
    return answer.status_code, json.loads(answer.content).get("errors", {}) if is_problem else {}


def test_every_method_of_every_route_is_an_operation():
    methods = {route: {*view.cls().allowed_methods} - {"OPTIONS", "HEAD"} for route, view in ROUTES.items()}
    assert len(ROUTES) > 100
    assert methods == {
        route: {method.upper() for method in declared_parameters(view, route)} for route, view in ROUTES.items()
    }


@pytest.mark.parametrize(("method", "route", "declared"), OPERATIONS)
def test_an_unknown_parameter_is_refused_with_those_that_there_are(ada, method, route, declared):
    status, errors = send(ada, method, route, "unknown=1")
    assert (status, list(errors)) == (400, ["unknown"])
    [message] = errors["unknown"]
    assert UNKNOWN in message
    assert message.partition(": ")[2] == (f"{', '.join(declared)}." if declared else "this request has none.")


@pytest.mark.parametrize(("method", "route", "declared"), [each for each in OPERATIONS if each.values[2]])
def test_declared_parameters_are_accepted_lists_more_than_once(ada, method, route, declared):
    query = "&".join(f"{name}=json" for name in declared)  # a format of the schema
    _, errors = send(ada, method, route, query)
    assert not any(text in str(errors) for text in (UNKNOWN, REPEATED))
    _, errors = send(ada, method, route, f"{query}&{query}")
    assert {name for name in declared if REPEATED in str(errors.get(name))} == {
        name for name, is_list in declared.items() if not is_list
    }


def test_lists_are_those_of_the_reports_choices():
    declared = declared_parameters(ROUTES[report := "api/v1/projects/<slug:slug>/report/"], report)["get"]
    assert {name for name, is_list in declared.items() if is_list} == {"systems", "without_raters", "metadata"}


def test_rights_and_methods_are_checked_before(ada):
    address = "/api/v1/projects/?unknown=1"
    assert APIClient().get(address).status_code == 401
    statuses = {method: ada.generic(method, address).status_code for method in ("HEAD", "PATCH", "OPTIONS")}
    assert statuses == {"HEAD": 400, "PATCH": 405, "OPTIONS": 200}


def test_the_format_is_a_parameter_of_the_schema_alone(ada):
    assert ada.get("/api/v1/schema/?format=json").json()["openapi"]
    assert ada.get("/api/v1/schema/").content.startswith(b"openapi: ")
    assert list(send(ada, "get", "api/v1/projects/", "format=csv")[1]) == ["format"]
