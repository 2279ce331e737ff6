"""What each response says to the browser, and what requests cannot change."""

from itertools import product

import pytest
from django.urls import reverse

from annotation.models import Rating, User
from tests.cast import ACCURATE, PASSWORD, person
from tests.web.pages import text_of

pytestmark = pytest.mark.django_db

PAGES = [
    "/", "/projects/june/", "/projects/june/report/", "/projects/june/exports/", "/account/", "/projects/june/rate/",
]  # fmt: skip
OTHERS = ["/nowhere/", "/accounts/login/", "/api/v1/projects/june/progress/", "/health/live/"]
COOKIES = {"factuary_session", "factuary_device"}


def test_no_page_can_be_embedded_guessed_or_read_by_another_origin_and_each_has_sign_out(june, lena, ravi):
    title = "{{ 7|add:7 }} {% now 'Y' %} ${7*7}"
    type(june.project).objects.update(title=title)
    assert title.replace("'", "&#x27;") in text_of(lena.get("/projects/june/")), "a text of a person is no template"
    for client, address in product((lena, ravi), PAGES + OTHERS):
        answer = client.get(address, headers={"Origin": "https://other.example"}, follow=address in PAGES)
        assert "frame-ancestors 'none'" in answer["Content-Security-Policy"], address
        assert answer["X-Content-Type-Options"] == "nosniff", address
        assert [name for name in answer.headers if name.lower().startswith("access-control-")] == [], address
        has_sign_out = f'action="{reverse("account_logout")}"' in answer.content.decode()
        assert has_sign_out or address not in PAGES, address


def test_passwords_can_be_pasted_old_ones_still_sign_in_and_scripts_cannot_read_the_cookies(june, client):
    page = client.get("/accounts/login/").content.decode()
    assert 'autocomplete="current-password"' in page and "onpaste" not in page and "readonly" not in page

    User.objects.filter(username="ravi").update(date_joined="2010-01-01T00:00Z", last_login="2010-01-02T00:00Z")
    assert client.post("/accounts/login/", {"login": "ravi", "password": PASSWORD}).url == "/"
    client.post("/accounts/login/", {"login": "ravi", "password": PASSWORD})
    assert {name for name, cookie in client.cookies.items() if cookie["httponly"]} == COOKIES
    assert {name for name, cookie in client.cookies.items() if cookie["domain"]} == set()


def test_fields_that_a_form_or_an_answer_does_not_name_have_no_effect(june, client):
    ravi = person("ravi")
    client.force_login(ravi)
    work = client.post("/api/v1/projects/june/assignments/").json()
    path = f"/api/v1/assignments/{work['id']}/items/{work['items'][0]['id']}/"
    more = {"role": "gold", "rater": "rosa", "counted": True, "version": 9, "project": 0, "rated_at": "2010-01-01"}
    sent = {"answers": ACCURATE, "base_version": 0, **more}
    assert client.put(path, sent, "application/json").json()["version"] == 1
    rating = Rating.objects.get()
    assert (rating.role, rating.rater, rating.counted, rating.version) == ("rater", ravi, False, 1)
    assert rating.rated_at.year > 2010 and rating.project == june.project
    client.post("/account/", {"name": "Ravi K", "is_superuser": "on", "is_staff": "on", "username": "ada"})
    ravi.refresh_from_db()
    assert (ravi.username, ravi.is_superuser, ravi.is_staff) == ("ravi", False, False)
