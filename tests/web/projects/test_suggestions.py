"""The switch for suggested passages, and what of the article's text must survive the page."""

import pytest
from django.test import Client

from annotation.models import Project, Prompt, Sheet, Slot
from annotation.web.rendering.articles import render_paragraph
from tests.cast import person, study
from tests.web.pages import text_of

pytestmark = pytest.mark.django_db


def test_a_lead_switches_suggestions_off_and_on_and_raters_pages_say_so(client: Client) -> None:
    study()
    client.force_login(person("lena"))
    assert "Suggest nothing" in text_of(client.get("/projects/june/"))
    page = client.post("/projects/june/suggestions/", {"suggestions": "off"}, follow=True)
    assert "nothing is suggested to them" in text_of(page) and "Suggest passages" in text_of(page)
    assert not Project.objects.get().suggestions
    rater = Client()
    rater.force_login(person("ravi"))
    workspace = rater.get("/projects/june/rate/", follow=True).content.decode()
    assert '"suggestions": false' in workspace and "data-walk" not in workspace
    client.post("/projects/june/suggestions/", {"suggestions": "perhaps"})
    assert not Project.objects.get().suggestions
    client.post("/projects/june/suggestions/", {"suggestions": "on"})
    assert Project.objects.get().suggestions
    assert "data-walk" in rater.get("/projects/june/rate/", follow=True).content.decode()


def test_a_carriage_return_stays_in_the_page_so_that_offsets_agree() -> None:
    assert render_paragraph("One\r\ntwo & <three>") == "One&#13;\ntwo &amp; &lt;three&gt;"


def test_where_raters_have_no_article_there_is_no_switch(client: Client) -> None:
    june = study().project
    client.force_login(person("lena"))
    for about in (Slot, Sheet, Prompt):
        about.objects.update(document=None)
    june.dataset.documents.all().delete()
    assert "Passages suggested to raters" not in text_of(client.get("/projects/june/"))
