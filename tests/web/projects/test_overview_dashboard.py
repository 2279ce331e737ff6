"""What a lead sees of a running project."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.models import Membership, Project, Slot
from annotation.projects.archiving import archive
from annotation.projects.members import add_member
from tests.cast import person
from tests.reporting.project_rows import documents_of_prompts, project_of, two_systems, worked_example
from tests.web.pages import html_of, queries, rates, text_of

pytestmark = [pytest.mark.django_db, pytest.mark.study(prompts=3, systems=("heron", "plover"), sentences=2)]
JUNE = "/projects/june/"


class TestDashboard:
    def test_it_says_how_far_how_fast_and_that_it_is_too_early_or_over(self, lena, june):
        rates(june.people["ravi"], june.project)
        page = text_of(lena.get(JUNE))
        assert "No forecast yet" in page and "1 of 12" in page and "ravi 1 1.0 1 ● Now" in page
        archive(june.project)
        page = text_of(lena.get(JUNE))
        assert "Rating has ended" in page and "No forecast yet" not in page

    def test_with_days_behind_it_it_says_between_when_and_when(self, lena, june):
        for name in ("ravi", "rosa"):
            for _ in range(5):
                rates(june.people[name], june.project)
        now = timezone.now()  # a slow pace: the ends of the interval are over two days apart at each time of the day
        for n, slot in enumerate(Slot.objects.filter(finished_at__isnull=False)):
            Slot.objects.filter(pk=slot.pk).update(finished_at=now - timedelta(hours=40 * n + 1))
        page = text_of(lena.get(JUNE))
        assert "Expected finish: " in page
        assert "80 % prediction interval" in page and "at the pace of the last 7 days" in page

    def test_the_live_part_is_the_same_as_the_page(self, lena, june):
        rates(june.people["ravi"], june.project)
        page, now = html_of(lena.get(JUNE)), html_of(lena.get(f"{JUNE}live/"))
        for name in ("progress", "pace"):
            part = re.search(rf'id="live-{name}">(.*?)</(?:div> ?<table|tbody)', now)
            assert part and part[1].strip() in page

    def test_more_ratings_and_raters_take_no_more_queries(self, lena, june):
        rates(june.people["ravi"], june.project, sentences=1)
        few = [queries(lena, JUNE), queries(lena, f"{JUNE}live/")]
        for name in ("rosa", "tom", "ines"):
            if name != "rosa":
                add_member(june.project, person(name), Membership.Role.RATER)
            rates(person(name), june.project)
        assert [queries(lena, JUNE), queries(lena, f"{JUNE}live/")] == few
        assert few[1] <= 12

    def test_widths_and_agreement_come_after_the_page(self, lena, june):
        assert "No ratings yet" in text_of(lena.get(f"{JUNE}late/"))
        for name in ("ravi", "rosa"):
            for _ in range(3):
                rates(june.people[name], june.project)
        page = text_of(lena.get(f"{JUNE}late/"))
        assert "Intervals appear when a system has ratings in ten prompts" in page and "100 %" in page

    def test_the_plan_for_the_target_is_that_of_the_planner(self, lena, june):
        project = project_of(worked_example(), "worked")
        Project.objects.filter(pk=project.pk).update(target_half_width=0.05)
        sizes = re.findall(r"about ([0-9,]+ prompts)", text_of(lena.get("/projects/worked/late/")))
        assert len(sizes) == 3
        for measure, size in zip(("accurate", "inaccurate", "severely_inaccurate"), sizes, strict=True):
            assert f"{size} at an overlap of 3." in text_of(lena.get("/projects/worked/plan/", {"measure": measure}))

    def test_the_unit_is_named_and_prompts_stand_beside_documents(self, lena):
        documents_of_prompts(project_of(two_systems(60), "shared"), {f"q{n:03}": f"d{n // 4}" for n in range(60)})
        page = text_of(lena.get("/projects/shared/late/"))
        assert "documents are the sampling unit." in page
        assert len(re.findall(r"further prompts about these documents: ± [0-9.]+", page)) == 3
        planned = text_of(lena.get("/projects/shared/plan/"))
        assert len(re.findall(r"further prompts about these documents: ± [0-9.]+", planned)) == 6
