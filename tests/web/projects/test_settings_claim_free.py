"""The counts of items that probably claim nothing on the project's page, and the choice to skip them."""

import pytest

from annotation.models import Item, Project
from tests.cast import marked_study
from tests.web.pages import html_of, rates, text_of

pytestmark = pytest.mark.django_db
JUNE = "/projects/june/"


@pytest.fixture
def june():
    return marked_study(responses=2)


def test_leads_see_the_counts_by_reason_or_that_there_are_none_and_choose(lena):
    page = text_of(lena.get(f"{JUNE}settings/workload/"))
    assert "4 of 8 sentences are marked as likely free of claims, by their wording:" in page
    assert "Question 2 Courtesy 2 All are rated" in page
    page = text_of(lena.post(f"{JUNE}claim-free/", {"claim_free": "skip"}, follow=True))
    assert "Raters are not asked about items marked as likely free of claims." in page
    assert "Skipped: raters see them as plain text" in page
    assert Project.objects.get().skips_claim_free
    page = text_of(lena.post(f"{JUNE}claim-free/", {"claim_free": "rate"}, follow=True))
    assert "Raters are asked about all items." in page
    assert not Project.objects.get().skips_claim_free
    assert lena.post(f"{JUNE}claim-free/", {"claim_free": "perhaps"}).status_code == 302
    assert not Project.objects.get().skips_claim_free
    Item.objects.update(claim_free="")
    page = text_of(lena.get(f"{JUNE}settings/workload/"))
    assert "None of 8 sentences is marked as likely free of claims. Data imported before" in page


def test_after_the_first_rating_the_page_says_why_it_stays(lena, june):
    rates(june.people["ravi"], june.project, sentences=1)
    page = html_of(lena.get(f"{JUNE}settings/workload/"))
    assert "This cannot change because the project has ratings." in page and 'name="claim_free"' not in page
    page = text_of(lena.post(f"{JUNE}claim-free/", {"claim_free": "skip"}, follow=True))
    assert "This project already has ratings, so what is rated cannot change" in page
    assert not Project.objects.get().skips_claim_free


@pytest.mark.parametrize(("field", "skips"), [({"skips_claim_free": "on"}, True), ({}, False)])
def test_a_new_project_may_skip_them(ada, june, field, skips):
    form = {"dataset": "june-data", "slug": "july", "title": "July", "overlap": 1, "seed": 1}
    ada.post("/projects/new/", form | {"protocol": june.project.protocol_id} | field)
    assert Project.objects.get(slug="july").skips_claim_free is skips
