"""A project's page for raters and for leads: what is asked, how far it is, and when it will end."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.models import Membership, Project, Slot
from annotation.projects.archiving import archive
from annotation.projects.members import add_member
from tests.cast import person, study
from tests.reporting.project_rows import documents_of_prompts, project_of, two_systems, worked_example
from tests.web.pages import html_of, queries, rates, text_of

pytestmark = [pytest.mark.django_db, pytest.mark.study(prompts=3, systems=("heron", "plover"))]
JUNE = "/projects/june/"
LIVE, LATE = f"{JUNE}live/", f"{JUNE}late/"


def test_a_rater_reads_what_is_asked_and_how_far_they_are_and_nothing_of_others_and_of_systems(ravi, june):
    rates(june.people["ravi"], june.project)
    rates(june.people["rosa"], june.project)
    page = text_of(ravi.get(JUNE))
    assert "How accurate is the sentence according to the article?" in page
    assert "at least one factual claim is contradicted by the article or is unreasonable" in page
    assert "5 responses left for you" in page and "Next response" in page
    assert "rosa" not in page and "heron" not in page


def test_a_lead_sees_how_far_and_how_fast_it_is_and_that_it_is_too_early_or_over(lena, june):
    assert "No ratings yet" in text_of(lena.get(LATE))
    rates(june.people["ravi"], june.project)
    rates(june.people["rosa"], june.project, sentences=2)
    html = html_of(lena.get(JUNE))
    page = text_of(lena.get(JUNE))
    assert "6 responses; 2 raters per response: 12 annotations." in page
    assert "2 ratings of unfinished annotations do not count yet" in page
    assert "No forecast yet" in page and "1 of 12" in page and "ravi 1 1.0 1 ● Now" in page
    live = html_of(lena.get(LIVE))
    for name in ("progress", "pace"):
        part = re.search(rf'id="live-{name}">(.*?)</(?:div> ?<table|tbody)', live)
        assert part and part[1].strip() in html
    page = text_of(lena.get(f"{JUNE}settings/general/"))
    assert "Accuracy according to the article, version 1" in page and june.project.protocol.sha256[:12] in page
    archive(june.project)
    page = text_of(lena.get(JUNE))
    assert "Rating has ended" in page and "No forecast yet" not in page


def test_with_days_behind_it_it_says_between_when_and_when_and_how_raters_agree(lena, june):
    for name in ("ravi", "rosa"):
        for _ in range(5):
            rates(june.people[name], june.project)
    now = timezone.now()  # a slow pace: the ends of the interval are over two days apart at each time of the day
    for n, slot in enumerate(Slot.objects.filter(finished_at__isnull=False)):
        Slot.objects.filter(pk=slot.pk).update(finished_at=now - timedelta(hours=40 * n + 1))
    page = text_of(lena.get(JUNE))
    assert "Expected finish: " in page
    assert "80 % prediction interval" in page and "at the pace of the last 7 days" in page
    page = text_of(lena.get(LATE))
    assert "Intervals appear when a system has ratings in ten prompts" in page and "100 %" in page


def test_responses_with_nothing_to_rate_are_counted(client):
    client.force_login(study("bare", sentences=0, heading=True).people["lena"])
    assert "The 1 response has nothing to rate" in text_of(client.get("/projects/bare/"))


@pytest.mark.study(raters=("ravi",), prompts=4, overlap=4)
def test_more_ratings_and_members_take_no_more_queries(lena, june):
    rates(june.people["ravi"], june.project, sentences=1)
    few = [queries(lena, address) for address in (JUNE, LIVE)]
    for name in ("rosa", "tom", "ines"):
        add_member(june.project, person(name), Membership.Role.RATER)
        rates(person(name), june.project)
    assert [queries(lena, address) for address in (JUNE, LIVE)] == few
    assert few[0] <= 21 and few[1] <= 12  # one is of the bell


def test_the_plan_for_the_target_is_that_of_the_planner(lena):
    project = project_of(worked_example(), "worked")
    Project.objects.filter(pk=project.pk).update(target_half_width=0.05)
    sizes = re.findall(r"about ([0-9,]+ prompts)", text_of(lena.get("/projects/worked/late/")))
    assert len(sizes) == 3
    for measure, size in zip(("accurate", "inaccurate", "severely_inaccurate"), sizes, strict=True):
        assert f"{size} at an overlap of 3." in text_of(lena.get("/projects/worked/plan/", {"measure": measure}))


def test_the_unit_is_named_and_prompts_stand_beside_documents(lena):
    documents_of_prompts(project_of(two_systems(60), "shared"), {f"q{n:03}": f"d{n // 4}" for n in range(60)})
    page = text_of(lena.get("/projects/shared/late/"))
    assert "documents are the sampling unit." in page
    planned = text_of(lena.get("/projects/shared/plan/"))
    for text, times in ((page, 3), (planned, 6)):
        assert len(re.findall(r"further prompts about these documents: ± [0-9.]+", text)) == times
