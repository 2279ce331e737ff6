"""The next work is given before the one in hand is finished, and never more than that."""

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from annotation.models import Slot
from tests.cast import person

pytestmark = [pytest.mark.django_db, pytest.mark.study(prompts=3)]


def work(client: APIClient, after: str = "") -> str:
    """Return the id of the response that the client gets."""
    return client.post(f"/api/v1/projects/june/assignments/{after and f'?after={after}'}").json()["id"]


def test_what_is_given_ahead_is_another_sheet_the_same_each_time_and_the_next_when_the_first_is_finished(
    ravi: APIClient,
) -> None:
    first = work(ravi)
    ahead = work(ravi, after=first)
    assert ahead != first
    assert [work(ravi, after=first), work(ravi, after=ahead), work(ravi)] == [ahead, first, first]
    assert Slot.objects.filter(holder__rater=person("ravi")).count() == 2
    Slot.objects.filter(holder__public_id=first).update(finished_at=timezone.now())
    assert work(ravi) == ahead
    answer = ravi.post("/api/v1/projects/june/assignments/?after=last")  # no id
    assert answer.status_code == 400 and "after" in answer.json()["errors"]
