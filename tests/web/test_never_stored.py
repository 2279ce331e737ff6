"""What somebody has seen is gone from the browser with their session."""

import pytest
from django.test import Client

from ..cast import person, study

pytestmark = pytest.mark.django_db

PAGES = ["/", "/projects/june/", "/projects/june/report/", "/people/", "/datasets/", "/projects/june/rate/"]


@pytest.mark.parametrize("name", ["ada", "lena", "ravi", None])
@pytest.mark.parametrize("address", [*PAGES, "/nowhere/", "/accounts/login/", "/api/projects/", "/health/live"])
def test_no_answer_is_stored(client: Client, name: str | None, address: str) -> None:
    study()
    if name:
        client.force_login(person(name))
    answer = client.get(address)
    assert "no-store" in answer["Cache-Control"], answer.status_code


def test_an_answer_that_says_how_long_it_holds_keeps_that(client: Client) -> None:
    assert client.get("/assignments/worker.js")["Cache-Control"] == "no-cache"
