"""No page is stored in the browser, and a request of htmx gets no other page in place of a part."""

import pytest
from django.test import Client

from ..cast import person, study

pytestmark = pytest.mark.django_db

PAGES = ["/", "/projects/june/", "/projects/june/report/", "/people/", "/datasets/", "/projects/june/rate/"]
OTHERS = ["/nowhere/", "/accounts/login/", "/api/v1/projects/june/progress/", "/health/live/", "/signed-in/"]


@pytest.mark.parametrize("name", ["ada", "lena", "ravi", None])
@pytest.mark.parametrize("address", PAGES + OTHERS)
def test_no_answer_is_stored(client: Client, name: str | None, address: str) -> None:
    study()
    if name:
        client.force_login(person(name))
    answer = client.get(address)
    assert "no-store" in answer["Cache-Control"], answer.status_code


def test_a_redirect_answers_a_page_but_not_a_part(client):
    assert client.get("/projects/june/plan/").status_code == 302
    part = client.get("/projects/june/plan/", headers={"HX-Request": "true"})
    assert part.status_code == 409 and not part.has_header("Location") and not part.content
