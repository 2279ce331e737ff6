"""One request finishes a response and gives the next one with its article."""

import pytest
from rest_framework.test import APIClient

from annotation.models import Membership
from tests.api.clients import put, take
from tests.cast import ACCURATE, Study

pytestmark = [pytest.mark.django_db, pytest.mark.study(systems=("heron", "ibis", "crane", "tern"))]


def finish(client: APIClient, work: dict, **query: str) -> dict:
    for n, item in enumerate(work["items"]):
        if item["rate"]:
            put(client, work, n, ACCURATE)
    response = client.post(f"/api/v1/assignments/{work['id']}/finish/", query_params=query)
    assert response.status_code == 200, response.content
    return response.json()


def test_the_answer_has_the_next_work_and_its_article_if_asked_for_until_nothing_is_left(ravi: APIClient) -> None:
    assert finish(ravi, take(ravi)) == {}
    first = take(ravi)
    answer = finish(ravi, first, next="true")
    second = answer["next"]
    assert second["id"] != first["id"] and second["id"] == take(ravi)["id"]
    assert answer["article"] == ravi.get(second["document"]["url"]).json()
    answer = finish(ravi, second, next="true", has_document=second["document"]["id"])
    assert answer["next"]["id"] == take(ravi)["id"] and "article" not in answer
    assert finish(ravi, answer["next"], next="true") == {"next": None}


def test_a_rater_who_is_paused_meanwhile_is_told_the_gate_and_an_unfinished_response_gives_no_next_work(
    june: Study, ravi: APIClient
) -> None:
    work = take(ravi)
    address = f"/api/v1/assignments/{work['id']}/finish/?next=true"
    assert ravi.post(address).status_code == 409 and take(ravi)["id"] == work["id"]
    for n, item in enumerate(work["items"]):
        if item["rate"]:
            put(ravi, work, n, ACCURATE)
    Membership.objects.filter(project=june.project, user=june.people["ravi"]).update(paused_at="2026-01-01T00:00:00Z")
    assert ravi.post(address).status_code == 423
