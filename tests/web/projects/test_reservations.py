"""Assigning responses to named raters."""

import pytest

from annotation.models import Membership, Reservation
from annotation.projects.members import add_member
from annotation.web.projects.navigation import FILTERED_FROM
from tests.cast import person
from tests.web.pages import html_of, text_of

pytestmark = [pytest.mark.django_db, pytest.mark.study(prompts=3, systems=("heron", "plover"), sentences=2)]
ASSIGNMENTS = "/projects/june/reservations/"
WORKLOAD = "/projects/june/settings/workload/"


def form_data(june, **changes) -> dict:
    return {"raters": [june.people["ravi"].pk], "by": "system", "system": "heron", **changes}


def test_first_it_says_what_would_happen_then_it_does_it_then_it_is_undone(lena, june):
    nobody = "No assignments: every rater can get every response."
    assert nobody in text_of(lena.get(WORKLOAD))
    page = text_of(lena.post(ASSIGNMENTS, form_data(june)))
    assert "3 responses for ravi" in page and "1 rater, but the overlap is 2" in page
    assert not Reservation.objects.exists()
    page = text_of(lena.post(ASSIGNMENTS, form_data(june, confirmed="1"), follow=True))
    assert "3 responses are assigned to ravi" in page and "Responses of heron" in page
    page = text_of(lena.get(WORKLOAD))
    assert "3 responses are assigned to named raters; all others go to every rater." in page
    [made_at] = Reservation.objects.values_list("made_at", flat=True).distinct()
    page = text_of(lena.post(f"{ASSIGNMENTS}end/", {"made_at": made_at.isoformat()}, follow=True))
    assert "3 responses are no longer reserved" in page and nobody in page
    for posted in ("", "yesterday", "2026-13-45T00:00:00Z", "2026-01-01T00:00:00", made_at.isoformat()):
        page = text_of(lena.post(f"{ASSIGNMENTS}end/", {"made_at": posted}, follow=True))
        assert "This assignment no longer exists" in page


def test_at_random_and_by_document(lena, june):
    raters = [june.people["ravi"].pk, june.people["rosa"].pk]
    page = text_of(lena.post(ASSIGNMENTS, form_data(june, by="random", n="4", seed="9", raters=raters)))
    assert "4 responses for ravi and rosa" in page and "4 at random (seed 9)" in page
    assert "but the overlap is" not in page
    assert "2 responses for ravi" in text_of(lena.post(ASSIGNMENTS, form_data(june, by="document", document="d2")))


def test_a_bad_choice_is_refused_at_the_field(lena, june):
    for changes, message in [
        ({"raters": []}, "This field is required"),
        ({"by": "random", "n": ""}, "Enter a number"),
        ({"system": ""}, "Choose a value"),
        ({"system": "gull"}, "not one of the available choices"),
        ({"by": "moon"}, "not one of the available choices"),
    ]:
        assert message in text_of(lena.post(ASSIGNMENTS, form_data(june, confirmed="1", **changes)))
    assert not Reservation.objects.exists()


def test_many_raters_have_a_field_to_filter_them(lena, june):
    assert "data-filters" not in html_of(lena.get(ASSIGNMENTS))
    for n in range(FILTERED_FROM):
        add_member(june.project, person(f"rater{n}"), Membership.Role.RATER)
    html = html_of(lena.get(ASSIGNMENTS))
    assert 'data-filters="id_raters_choices"' in html and 'id="id_raters_choices"' in html
