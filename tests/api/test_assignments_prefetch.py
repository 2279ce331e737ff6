"""The next work is given before the one in hand is finished, and never more than that."""

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from annotation.models import Slot

from ..cast import person, study

pytestmark = pytest.mark.django_db


@pytest.fixture
def ravi() -> APIClient:
    study(prompts=3)
    client = APIClient()
    client.force_login(person("ravi"))
    return client


def work(client: APIClient, after: str = "") -> str:
    """Return the id of the response that the client gets."""
    return client.post(f"/api/v1/projects/june/assignments/{after and f'?after={after}'}").json()["id"]


def test_what_is_given_ahead_is_another_sheet_and_the_same_each_time(ravi: APIClient) -> None:
    first = work(ravi)
    ahead = work(ravi, after=first)
    assert ahead != first
    assert [work(ravi, after=first), work(ravi, after=ahead), work(ravi)] == [ahead, first, first]
    assert Slot.objects.filter(holder__rater=person("ravi")).count() == 2


def test_what_was_given_ahead_comes_next_when_the_first_is_finished(ravi: APIClient) -> None:
    first = work(ravi)
    ahead = work(ravi, after=first)
    Slot.objects.filter(holder__public_id=first).update(finished_at=timezone.now())
    assert work(ravi) == ahead


def test_after_something_that_is_no_id_is_bad_input(ravi: APIClient) -> None:
    answer = ravi.post("/api/v1/projects/june/assignments/?after=last")
    assert answer.status_code == 400 and "after" in answer.json()["errors"]
