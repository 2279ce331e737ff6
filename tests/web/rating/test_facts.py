"""The pages on which facts are written."""

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Item
from tests.cast import person
from tests.fact_projects import OWN, fact_texts, first_response, rate_all, without_facts, write_facts
from tests.web.pages import html_of

pytestmark = pytest.mark.django_db


def page(user: str, address: str, **posted: str):
    client = Client()
    client.force_login(person(user))
    return client.post(address, posted) if posted else client.get(address)


@pytest.fixture
def project():
    return without_facts()


@pytest.fixture
def response(project):
    return first_response(project)


@pytest.fixture
def address(project, response):
    return reverse("facts_of_response", args=["facts", response.public_id])


def version_in_form(answer) -> str:
    return answer.context["form"]["base_version"].value()


def test_the_list_shows_responses_without_facts_and_no_system(project, response):
    html = page("ravi", reverse("facts", args=["facts"])).text
    assert html.count("None yet") == 6 and "heron" not in html
    write_facts(project, response, OWN)
    assert len(page("ravi", reverse("facts", args=["facts"])).context["rows"]) == 5
    leads = page("lena", reverse("facts", args=["facts"]))
    assert [row.facts for row in leads.context["rows"]] == [0, 0, 0, 0, 0, len(fact_texts(response))]
    assert f'data-label="Facts">{len(fact_texts(response))}</td>' in html_of(leads)


def test_a_rater_enters_facts_and_comes_to_rate_them(project, response, address):
    html = page("ravi", address)
    assert "It is worth 30% of the grade." in html.text and "heron" not in html.text
    posted = page("ravi", address, response="A.\nB.", reference="C.", base_version=version_in_form(html))
    assert posted.status_code == 302
    assert fact_texts(response) == ["A.", "B.", "C."]


def test_a_refusal_keeps_what_was_typed(project, response, address):
    before = version_in_form(page("lena", address))
    write_facts(project, response, OWN)
    refused = page("lena", address, response="Mine.", reference="", base_version=before)
    assert "in the meantime" in refused.text and "Mine." in refused.text
    assert (
        page("lena", address, response="Mine.", reference="", base_version=version_in_form(refused)).status_code == 302
    )
    assert fact_texts(response) == ["Mine."]


def test_facts_that_others_have_rated_are_shown_without_a_button(project, response, address):
    write_facts(project, response, OWN, by="ravi")
    rate_all(project, "ravi")
    assert "Save facts" in page("ravi", address).text
    assert page("rosa", address).status_code == 404  # has not rated them, and they are there


def test_what_is_typed_is_text(project, response, address):
    start = version_in_form(page("lena", address))
    page("lena", address, response="<b>bold</b>", reference="", base_version=start)
    assert Item.objects.filter(text="<b>bold</b>").exists()
    assert "<b>bold</b>" not in page("lena", address).text
