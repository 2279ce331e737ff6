"""The setting for work without a network, and the one article for several responses."""

import pytest
from django.test import Client

from annotation.models import Project
from tests.cast import person, study
from tests.web.pages import text_of

pytestmark = pytest.mark.django_db


def test_a_lead_sets_how_many_responses_raters_have_ahead(client: Client) -> None:
    study()
    client.force_login(person("lena"))
    assert "keeps 8 responses ready" in text_of(client.get("/projects/june/"))
    page = client.post("/projects/june/ahead/", {"ahead": "3"}, follow=True)
    assert "Raters have 3 responses ahead from now on." in text_of(page) and "keeps 3 responses ready" in text_of(page)
    for wrong in ("0", "11", "many", ""):
        page = client.post("/projects/june/ahead/", {"ahead": wrong}, follow=True)
        assert page.context["messages"] and "from now on" not in text_of(page)
    assert Project.objects.get().ahead == 3


def test_an_article_that_the_page_has_is_not_sent_again(client: Client) -> None:
    study(prompts=2)
    client.force_login(person("ravi"))
    address = client.get("/projects/june/rate/").url
    article = client.get(address).context["work"]["article"]
    sheet = f"{address}sheet/?article=none&article="
    assert 'data-part="article"' not in client.get(f"{sheet}{article}").content.decode()
    assert 'data-part="article"' in client.get(f"{sheet}another").content.decode()
