"""What the workspace asks when a request of it was refused."""

import pytest

from ..cast import person, study

pytestmark = pytest.mark.django_db


def test_the_answer_brings_a_csrf_token_is_not_kept_and_says_who_is_signed_in(client):
    answer = client.get("/signed-in/")
    assert answer.cookies["factuary_csrf"].value
    assert "no-store" in answer["Cache-Control"]
    study()
    assert client.get("/signed-in/").json() == {"rater": None}
    client.force_login(person("ravi"))
    assert client.get("/signed-in/").json() == {"rater": person("ravi").pk}
