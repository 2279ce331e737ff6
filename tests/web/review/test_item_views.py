"""Judges' ratings on the page of an item under review: hidden until the lead has decided or asks for them."""

import pytest

from annotation.models import Item, Rating, SampledItem, VerdictsShown
from tests.cast import ACCURATE, person, study
from tests.reporting.project_rows import judge_items
from tests.web.pages import rates, text_of

pytestmark = pytest.mark.django_db
FORM = {"answers.accuracy": "accurate", "reason": "Table 2.", "seen": "none"}
REASON = "as judged"  # what the judge says about each item


@pytest.fixture(scope="module")
def june(module_rows):
    june = study()
    rates(june.people["ravi"], june.project)
    judge_items(june.project, {(item.response.key, item.position): ACCURATE for item in june.items()})
    return june


@pytest.fixture
def address(june):
    return f"/projects/june/review/{june.items()[0].public_id}/"


def is_shown_to(name: str) -> bool:
    return VerdictsShown.objects.filter(person=person(name)).exists()


def test_the_rating_of_a_judge_is_hidden_until_the_lead_has_decided(lena, ada, address):
    before = text_of(lena.get(address))
    assert REASON not in before and "Hidden until you have adjudicated." in before
    assert not is_shown_to("lena")
    assert lena.post(address, FORM).status_code == 302
    assert REASON not in text_of(ada.get(address)), "another lead has not decided"
    assert not is_shown_to("ada")
    assert REASON in text_of(lena.get(address)) and is_shown_to("lena")
    assert Rating.objects.get(role=Rating.Role.ADJUDICATOR).verdict_shown is False


def test_a_decision_after_the_lead_asked_for_the_rating_is_marked(lena, address):
    shown = lena.post(address, FORM | {"show_names": "judges"}, follow=True)
    assert REASON in text_of(shown) and is_shown_to("lena")
    assert not Rating.objects.filter(role=Rating.Role.ADJUDICATOR).exists()
    lena.post(address, FORM)
    assert Rating.objects.get(role=Rating.Role.ADJUDICATOR).verdict_shown is True
    lena.post(address, {"hide_names": "judges"})
    assert REASON in text_of(lena.get(address))  # the lead's own decision stands


def test_an_item_outside_of_the_sample_says_that_raters_are_not_asked(lena):
    drawn = SampledItem.objects.filter(project=study("own", sample=2).project, is_drawn=True)
    items = Item.objects.filter(response__dataset__slug="own-data", rate=True)
    texts = {item.pk: text_of(lena.get(f"/projects/own/review/{item.public_id}/")) for item in items}
    not_asked = {pk for pk, text in texts.items() if "Not in the sample: raters are not asked about it." in text}
    assert all("No ratings yet" in text for text in texts.values())
    assert drawn.count() == 2 and not_asked == set(texts) - set(drawn.values_list("item", flat=True))
