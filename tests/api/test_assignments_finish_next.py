"""One request finishes a response and gives the next one with its article."""

import pytest
from rest_framework.test import APIClient

from annotation.models import Membership
from tests.api.clients import program_of, put, take
from tests.cast import ACCURATE, Study, study

pytestmark = pytest.mark.django_db


@pytest.fixture
def june() -> Study:
    return study(systems=("heron", "ibis", "crane"))


@pytest.fixture
def ravi(june: Study) -> APIClient:
    return program_of(june.people["ravi"])


def finish(client: APIClient, work: dict, **query: str) -> dict:
    for n, item in enumerate(work["items"]):
        if item["rate"]:
            put(client, work, n, ACCURATE)
    response = client.post(f"/api/v1/assignments/{work['id']}/finish/", query_params=query)
    assert response.status_code == 200, response.content
    return response.json()


def test_without_asking_the_answer_is_empty(ravi: APIClient) -> None:
    assert finish(ravi, take(ravi)) == {}


def test_the_answer_has_the_next_work_and_its_article_until_nothing_is_left(june: Study, ravi: APIClient) -> None:
    first = take(ravi)
    answer = finish(ravi, first, next="true")
    second = answer["next"]
    assert second["id"] != first["id"] and second["id"] == take(ravi)["id"]
    assert answer["article"] == ravi.get(second["document"]["url"]).json()
    answer = finish(ravi, second, next="true", has_document=second["document"]["id"])
    assert answer["next"]["id"] == take(ravi)["id"] and "article" not in answer
    assert finish(ravi, answer["next"], next="true") == {"next": None}


def test_a_rater_who_is_paused_meanwhile_is_told_the_gate(june: Study, ravi: APIClient) -> None:
    work = take(ravi)
    for n, item in enumerate(work["items"]):
        if item["rate"]:
            put(ravi, work, n, ACCURATE)
    Membership.objects.filter(project=june.project, user=june.people["ravi"]).update(paused_at="2026-01-01T00:00:00Z")
    response = ravi.post(f"/api/v1/assignments/{work['id']}/finish/?next=true")
    assert response.status_code == 423


def test_an_unfinished_response_gives_no_next_work(ravi: APIClient) -> None:
    work = take(ravi)
    response = ravi.post(f"/api/v1/assignments/{work['id']}/finish/?next=true")
    assert response.status_code == 409 and take(ravi)["id"] == work["id"]
