"""The pages with hours: all raters' for leads, their own for raters, and the file."""

import pytest
from django.utils import timezone

from annotation.models import PayRate, Rating, User
from tests.cast import signed_in
from tests.web.pages import queries, rates, text_of

pytestmark = [pytest.mark.django_db, pytest.mark.study(prompts=3, systems=("heron", "plover"), sentences=2)]
JUNE = "/projects/june/"


@pytest.fixture
def rated(june):
    for name in ("ravi", "rosa"):
        rates(june.people[name], june.project)
    Rating.objects.filter(rater=june.people["ravi"]).update(seconds=450)
    return june


def test_a_lead_sees_every_rater_and_how_time_is_measured_and_has_a_file_without_formulas(lena, rated):
    page = text_of(lena.get(f"{JUNE}hours/"))
    assert "ravi 1 2 2 0.25" in page and "rosa 1 2 0 0.00" in page
    assert "a pause of more than a minute does not count" in page
    User.objects.filter(username="ravi").update(first_name="=1+1")
    lines = lena.get(f"{JUNE}hours/file/").content.decode().replace('"', "").split("\r\n")
    assert lines[0] == "week_from,rater,name,annotations,ratings,ratings_with_time,hours,rate,currency,amount"
    assert lines[1].split(",")[1:] == ["ravi", "'=1+1", "1", "2", "2", "0.2500", "", "", ""]
    few = queries(lena, f"{JUNE}hours/")
    rates(rated.people["ravi"], rated.project)
    assert queries(lena, f"{JUNE}hours/") == few


def test_raters_see_their_own_hours_and_are_told_who_else_does(ravi, rated):
    page = text_of(ravi.get(JUNE))
    assert "Your hours" in page and "0.25" in page
    assert "Only you and the leads of this project see your pace and hours." in page
    assert page.count("is highlighted") == 1
    assert "0.25" not in text_of(signed_in("rosa").get(JUNE))


def test_a_pay_rate_gives_amounts_on_the_page_and_in_the_file_and_is_not_shown_to_raters(lena, ravi, rated):
    assert "Without a pay rate, only hours are listed." in text_of(lena.get(f"{JUNE}hours/"))
    posted = {"amount": "18.50", "currency": "eur", "rater": "", "starts_on": timezone.localdate().isoformat()}
    wrong = {"amount": "-1", "currency": "euros", "rater": "rosa\x00", "starts_on": "soon"}
    page = text_of(lena.post(f"{JUNE}hours/", wrong))
    assert "Three letters, such as EUR or USD." in page and "not one of the available choices" in page
    assert not PayRate.objects.exists()
    page = text_of(lena.post(f"{JUNE}hours/", posted, follow=True))
    assert "The pay rate is saved." in page
    assert "ravi 1 2 2 0.25 18.50 EUR 4.63 EUR" in page and "Total 2 0.25 4.63 EUR" in page
    lines = lena.get(f"{JUNE}hours/file/").content.decode().replace('"', "").split("\r\n")
    assert lines[1].endswith("0.2500,18.50,EUR,4.63") and lines[2].endswith("0.0000,18.50,EUR,0.00")
    posted |= {"amount": "20", "currency": "USD", "rater": "rosa"}
    page = text_of(lena.post(f"{JUNE}hours/", posted, follow=True))
    assert "rosa 1 2 0 0.00 20.00 USD 0.00 USD" in page and "Total 2 0.25 4.63 EUR 0.00 USD" in page
    assert "EUR" not in text_of(ravi.get(JUNE))
