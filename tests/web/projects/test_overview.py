"""A project's page for raters and for leads, its members, and making one."""

import pytest

from annotation.models import Membership
from annotation.projects.members import add_member
from tests.cast import person, study
from tests.web.pages import queries, rates, text_of

pytestmark = [pytest.mark.django_db, pytest.mark.slow, pytest.mark.study(prompts=2)]

JUNE = "/projects/june/"


def test_a_rater_reads_what_is_asked_and_how_far_they_are(ravi, june):
    rates(june.people["ravi"], june.project)
    page = text_of(ravi.get(JUNE))
    assert "How accurate is the sentence according to the article?" in page
    assert "at least one factual claim is contradicted by the article or is unreasonable" in page
    assert "1 response left for you" in page and "Next response" in page


def test_a_rater_learns_nothing_of_others_and_of_systems(ravi, june):
    rates(june.people["rosa"], june.project)
    page = text_of(ravi.get(JUNE))
    assert "rosa" not in page and "heron" not in page


def test_a_lead_sees_slots_raters_and_settings(lena, june):
    rates(june.people["ravi"], june.project)
    rates(june.people["rosa"], june.project, sentences=2)
    page = text_of(lena.get(JUNE))
    assert "2 responses; 2 raters per response: 4 annotations." in page
    assert "2 ratings of unfinished annotations do not count yet" in page
    page = text_of(lena.get(f"{JUNE}settings/general/"))
    assert "Accuracy according to the article, version 1" in page and june.project.protocol.sha256[:12] in page


def test_responses_with_nothing_to_rate_are_counted(client):
    empty = study("bare", sentences=0, heading=True, prompts=1)
    client.force_login(empty.people["lena"])
    assert "The 1 response has nothing to rate" in text_of(client.get("/projects/bare/"))


def test_three_members_take_as_many_queries_as_one(client):
    june = study(raters=("ravi",), prompts=4, overlap=4)
    rates(june.people["ravi"], june.project, sentences=1)
    client.force_login(person("lena"))
    queries_of_one = queries(client, JUNE)
    for name in ("rosa", "tom", "ines"):
        add_member(june.project, person(name), Membership.Role.RATER)
        rates(person(name), june.project)
    assert queries(client, JUNE) == queries_of_one
    assert queries_of_one <= 21  # one is of the bell
