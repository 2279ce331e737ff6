"""The pages on which facts are written."""

import pytest
from django.urls import reverse

from tests.cast import signed_in
from tests.fact_projects import OWN, fact_texts, first_response, rate_all, without_facts, write_facts
from tests.web.pages import html_of

pytestmark = pytest.mark.django_db
LIST = "/projects/facts/facts/"


@pytest.fixture(scope="module")
def project(module_rows):
    return without_facts()


@pytest.fixture
def response(project):
    return first_response(project)


@pytest.fixture
def address(response):
    return reverse("facts_of_response", args=["facts", response.public_id])


@pytest.fixture
def lena(project):
    return signed_in("lena")


@pytest.fixture
def ravi(project):
    return signed_in("ravi")


def version_in_form(answer) -> str:
    return answer.context["form"]["base_version"].value()


def test_the_list_shows_responses_without_facts_and_no_system(project, response, lena, ravi):
    html = ravi.get(LIST).text
    assert html.count("None yet") == 6 and "heron" not in html
    write_facts(project, response, OWN)
    assert len(ravi.get(LIST).context["rows"]) == 5
    page, count = lena.get(LIST), len(fact_texts(response))
    assert [row.facts for row in page.context["rows"]] == [0, 0, 0, 0, 0, count]
    assert f'data-label="Facts">{count}</td>' in html_of(page)


def test_a_rater_enters_facts_and_comes_to_rate_them(response, address, ravi):
    page = ravi.get(address)
    assert "It is worth 30% of the grade." in page.text and "heron" not in page.text
    posted = {"response": "A.\n<b>B</b>", "reference": "C.", "base_version": version_in_form(page)}
    assert ravi.post(address, posted).status_code == 302
    assert fact_texts(response) == ["A.", "<b>B</b>", "C."]
    assert "<b>B</b>" not in ravi.get(address).text


def test_a_refusal_keeps_what_was_typed(project, response, address, lena):
    typed = {"response": "Mine.", "reference": "", "base_version": version_in_form(lena.get(address))}
    write_facts(project, response, OWN)
    refused = lena.post(address, typed)
    assert "in the meantime" in refused.text and "Mine." in refused.text
    assert lena.post(address, typed | {"base_version": version_in_form(refused)}).status_code == 302
    assert fact_texts(response) == ["Mine."]


def test_facts_that_others_have_rated_are_not_found(project, response, address, ravi):
    write_facts(project, response, OWN, by="ravi")
    rate_all(project, "ravi")
    assert "Save facts" in ravi.get(address).text
    assert signed_in("rosa").get(address).status_code == 404
