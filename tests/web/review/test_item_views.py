"""Judges' ratings on the page of an item under review: hidden until the lead has decided or asks for them."""

import pytest
from django.test import Client

from annotation.models import Item, Rating, SampledItem, VerdictsShown
from tests.cast import ACCURATE, Study, person, study
from tests.reporting.judged_rows import judge_items
from tests.web.pages import rates, text_of

pytestmark = pytest.mark.django_db
FORM = {"answers.accuracy": "accurate", "reason": "Table 2.", "seen": "none"}
REASON = "as judged"  # what the judge says about each item


@pytest.fixture
def june():
    june = study()
    rates(june.people["ravi"], june.project)
    keys = {(item.response.key, item.position): ACCURATE for item in june.items()}
    judge_items(june.project, keys)
    return june


def page(lena: Client, june: Study) -> str:
    return text_of(lena.get(f"/projects/june/review/{june.items()[0].public_id}/"))


def is_shown_to(name: str) -> bool:
    return VerdictsShown.objects.filter(person=person(name)).exists()


def test_the_rating_of_a_judge_is_hidden_until_the_lead_has_decided(lena, june):
    before = page(lena, june)
    assert REASON not in before and "Hidden until you have adjudicated." in before
    assert not is_shown_to("lena")
    address = f"/projects/june/review/{june.items()[0].public_id}/"
    assert lena.post(address, FORM).status_code == 302
    assert REASON in page(lena, june) and is_shown_to("lena")
    assert Rating.objects.get(role=Rating.Role.ADJUDICATOR).verdict_shown is False


def test_a_decision_after_the_lead_asked_for_the_rating_is_marked(lena, june):
    address = f"/projects/june/review/{june.items()[0].public_id}/"
    shown = lena.post(address, FORM | {"show_names": "judges"}, follow=True)
    assert REASON in text_of(shown) and is_shown_to("lena")
    assert not Rating.objects.filter(role=Rating.Role.ADJUDICATOR).exists()
    lena.post(address, FORM)
    assert Rating.objects.get(role=Rating.Role.ADJUDICATOR).verdict_shown is True
    lena.post(address, {"hide_names": "judges"})
    assert REASON in page(lena, june)  # the lead's own decision stands


def test_the_decision_of_another_lead_does_not_show_it(lena, june, ada):
    lena.post(f"/projects/june/review/{june.items()[0].public_id}/", FORM)
    assert REASON not in page(ada, june)
    assert not is_shown_to("ada")


def test_an_item_outside_of_the_sample_says_that_raters_are_not_asked(client):
    june = study(sample=2)
    client.force_login(june.people["lena"])
    drawn = set(SampledItem.objects.filter(is_drawn=True).values_list("item__public_id", flat=True))
    texts = {
        item.public_id: text_of(client.get(f"/projects/june/review/{item.public_id}/"))
        for item in Item.objects.filter(rate=True)
    }
    not_asked = {key for key, text in texts.items() if "Not in the sample: raters are not asked about it." in text}
    assert all("No ratings yet" in text for text in texts.values())
    assert len(drawn) == 2 and not_asked == set(texts) - drawn
