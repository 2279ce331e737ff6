"""A request of htmx gets no other page in place of a part."""

import pytest

pytestmark = pytest.mark.django_db


def test_a_redirect_answers_a_page_but_not_a_part(client):
    assert client.get("/projects/june/plan/").status_code == 302
    part = client.get("/projects/june/plan/", headers={"HX-Request": "true"})
    assert part.status_code == 409 and not part.has_header("Location") and not part.content
