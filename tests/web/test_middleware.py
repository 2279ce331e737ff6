"""No page is stored in the browser, and a request of htmx gets no other page in place of a part."""

from itertools import product
from urllib.parse import parse_qs, urlsplit

import pytest
from django.core.cache import cache
from django.utils import timezone

from annotation.models import Rating
from annotation.reporting import computation_limit

from ..cast import ACCURATE, PASSWORD, person, study
from ..reporting.other_computations import computations_of_other_servers

pytestmark = pytest.mark.django_db

PAGES = ["/", "/projects/june/", "/projects/june/report/", "/people/", "/datasets/", "/projects/june/rate/"]
OTHERS = ["/nowhere/", "/accounts/login/", "/api/v1/projects/june/progress/", "/health/live/", "/signed-in/"]


def test_the_api_is_refused_over_http_where_pages_lead_to_https(client, settings):
    settings.SECURE_SSL_REDIRECT = True
    answer = client.get("/api/v1/projects/june/progress/")
    assert answer.status_code == 403 and answer.json()["detail"] == "The API is served over https only."
    assert client.get("/accounts/login/").url == "https://testserver/accounts/login/"
    assert client.get("/api/v1/projects/june/progress/", secure=True).status_code == 401


def test_no_answer_is_stored(client, ada, lena, ravi):
    for browser, address in product((client, ada, lena, ravi), PAGES + OTHERS):
        answer = browser.get(address)
        assert "no-store" in answer["Cache-Control"], (address, answer.status_code)


def test_a_redirect_answers_a_page_but_not_a_part_and_leads_back_after_signing_in(client):
    assert client.get("/projects/june/plan/").status_code == 302
    part = client.get("/projects/june/plan/", headers={"HX-Request": "true"})
    assert part.status_code == 409 and not part.has_header("Location") and not part.content
    assert client.get("/people/?page=2").url == "/accounts/login/?next=/people/%3Fpage%3D2"


@pytest.mark.parametrize("address", ["/account/data/", "/account/notifications/", "/people/ravi/activity/"])
def test_signing_in_after_a_post_leads_to_the_page_with_the_form(client, address):
    person("ravi")
    own = "http://testserver/account/?tab=1"
    for referer, next_page in ((own, own), ("https://elsewhere.example/account/", "/"), ("", "/")):
        answer = client.post(address, headers={"Referer": referer} if referer else {})
        assert parse_qs(urlsplit(answer.url).query) == {"next": [next_page]}
        assert client.post(answer.url, {"login": "ravi", "password": PASSWORD}).url == next_page
        client.logout()


@pytest.mark.django_db(transaction=True)
def test_a_page_that_would_compute_beside_too_many_others_loads_again_by_itself(client, monkeypatch):
    monkeypatch.setattr(computation_limit, "MAX_WAIT", 0.0)
    june = study()
    Rating.objects.create(
        project=june.project, item=june.items()[0], rater=person("ravi"), answers=ACCURATE, choices=ACCURATE,
        rated_at=timezone.now(),
    )  # fmt: skip
    client.force_login(person("lena"))
    cache.clear()
    with computations_of_other_servers():
        page = client.get("/projects/june/agreement/")
        assert (page.status_code, page["Refresh"], page["Retry-After"]) == (503, "3", "3")
        assert "This page opens automatically" in page.content.decode()
        part = client.get("/projects/june/agreement/?x=1", headers={"HX-Request": "true"})
        assert (part.status_code, part["Retry-After"], part.content) == (503, "3", b"")
        answer = client.get("/api/v1/projects/june/report/")
        assert (answer.status_code, answer["Retry-After"]) == (503, "3")
        assert client.get("/projects/june/members/").status_code == 200, "nothing is computed for it"
    assert client.get("/projects/june/agreement/").status_code == 200
    with computations_of_other_servers():
        assert client.get("/projects/june/agreement/").status_code == 200, "computed before"
