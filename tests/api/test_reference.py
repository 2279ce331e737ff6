"""The page that describes the API says what the schema says, and its examples are what the schema allows."""

import hashlib
import json
import re
from html import unescape

import pytest
from django.test import Client
from jsonschema import Draft202012Validator

from annotation.api.reference import all_calls, the_schema
from annotation.models import ApiToken
from tests.cast import person

pytestmark = pytest.mark.django_db


def read(client: Client) -> str:
    response = client.get("/api/v1/docs/")
    assert response.status_code == 200
    return response.content.decode()


@pytest.fixture
def html() -> str:
    client = Client()
    client.force_login(person("ravi"))
    return read(client)


def test_every_call_has_its_heading_and_its_statuses(html):
    paths = the_schema()["paths"]
    calls = {f"{method.upper()} {path}": said for path, methods in paths.items() for method, said in methods.items()}
    assert set(re.findall(r"<h3[^>]*><code>(.*?)</code>", html)) == set(calls)
    for call, (name, said) in zip(all_calls(), calls.items(), strict=True):
        assert [answer.status for answer in call.answers] == list(said["responses"]), name
        assert all(answer.about for answer in call.answers), name


def test_every_link_within_the_page_leads_to_something(html):
    places = set(re.findall(r' id="([^"]+)"', html))
    assert set(re.findall(r' href="#([^"]+)"', html)) <= places
    assert len(places) == html.count(' id="')


@pytest.mark.parametrize("call", [call for call in all_calls() if call.body], ids=lambda call: call.anchor)
def test_the_example_of_a_call_is_what_the_schema_allows(call):
    body = json.loads(re.search(r"-d '(.*)'", call.example, re.DOTALL)[1])
    name = re.search(r"#shape-(\w+)", call.body)[1]
    Draft202012Validator(the_schema() | {"$ref": f"#/components/schemas/{name}"}).validate(body)


def test_an_example_names_the_call(html, settings):
    shown = unescape(html)
    assert f'-X POST "{settings.SITE_URL}/api/v1/assignments/$ASSIGNMENT_ID/finish/"' in shown


def test_a_programs_token_opens_it_and_a_wrong_one_is_told_so():
    ApiToken.objects.create(user=person("ravi"), digest=hashlib.sha256(b"key").hexdigest())
    assert "assignments_finish_create" in read(Client(headers={"Authorization": "Token key"}))
    assert Client(headers={"Authorization": "Token other"}).get("/api/v1/docs/").status_code == 401


def test_it_is_in_the_readers_language(html):
    client = Client(headers={"Accept-Language": "es"})
    client.force_login(person("ravi"))
    assert "Respuestas" in read(client)
    assert "Answers" in html
