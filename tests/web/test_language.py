"""In which language a page comes: the one that was chosen, else the browser's, else English."""

import json
import re

import pytest
from django.conf import settings
from django.test import Client, override_settings

from tests.cast import person, study
from tests.web.pages import without_layout

pytestmark = pytest.mark.django_db
LOGIN = "/accounts/login/"


def language_of(client: Client, address: str = LOGIN, **headers: str) -> str:
    return re.search(r'<html\s+lang="(.+?)" dir="(.+?)"', client.get(address, headers=headers).text)[1]


def test_the_browser_is_given_the_first_of_its_languages_that_there_is(client):
    for asked_for, expected in {
        "": "en-us",
        "en-US,en;q=0.9": "en-us",
        "en-GB,en;q=0.9,es;q=0.8": "en-us",
        "es-MX,es;q=0.9,en;q=0.8": "es",
        "fi,es;q=0.5": "es",
        "fi": "en-us",
    }.items():
        assert language_of(client, **{"accept-language": asked_for}) == expected, asked_for


def test_what_was_chosen_comes_before_what_the_browser_asks_for_if_the_language_is_there(client):
    answer = client.post("/language/", {"language": "es", "next": LOGIN})
    assert (answer.status_code, answer.url) == (302, LOGIN)
    assert language_of(client, **{"accept-language": "en"}) == "es"
    client.post("/language/", {"language": "en-us", "next": LOGIN})
    assert language_of(client, **{"accept-language": "es"}) == "en-us"
    client.post("/language/", {"language": "tlh", "next": LOGIN})
    assert language_of(client) == "en-us"
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = "en-gb"
    assert language_of(client, **{"accept-language": "es"}) == "en-us"


def test_the_choice_needs_no_token_and_leads_nowhere_else():
    client = Client(enforce_csrf_checks=True)
    answer = client.post("/language/", {"language": "es", "next": "https://example.org/"})
    assert (answer.status_code, answer.url) == (302, "/")
    assert answer.cookies[settings.LANGUAGE_COOKIE_NAME].value == "es"


def test_the_choice_is_offered_with_and_without_an_account(client):
    assert 'lang="es">Español</button>' in without_layout(client.get(LOGIN).text)
    study(prompts=1)
    client.force_login(person("ravi"))
    text = without_layout(client.get("/").text)
    assert text.count('action="/language/"') == 1
    assert 'value="en-us" lang="en-us" aria-current="true">English</button>' in text


def test_a_language_costs_no_queries_and_caches_and_scripts_are_told(client, django_assert_num_queries):
    with django_assert_num_queries(0):
        client.get(LOGIN)
        client.get(LOGIN, headers={"accept-language": "es"})
    answer = client.get(LOGIN, headers={"accept-language": "es"})
    assert {"Cookie", "Accept-Language"} <= set(answer["Vary"].split(", "))
    assert answer["Content-Language"] == "es"
    assert 'id="words"' not in client.get(LOGIN).text
    text = client.get(LOGIN, headers={"accept-language": "es"}).text
    translations = json.loads(re.search(r'<script id="words" type="application/json">(.+?)</script>', text)[1])
    assert set(translations) == {"messages", "forms"}


@override_settings(LANGUAGES=[("en-us", "English"), ("ar", "العربية")])
def test_a_language_from_right_to_left_turns_the_page(client):
    text = client.get(LOGIN, headers={"accept-language": "ar"}).text
    assert re.search(r'<html\s+lang="ar" dir="rtl"', text)
