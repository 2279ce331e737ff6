"""The sample's work was done before today, so that what a person sees as today's is their own; a judge rated it too."""

import pytest
from django.urls import reverse

from annotation import reporting
from annotation.judging.workload import judged_items, missing_items
from annotation.models import Judge, JudgeCall, JudgeRun, Project, Rating, RatingEvent, SampledItem, User
from annotation.projects.overview import midnight, rater_work
from annotation.projects.pace import project_pace
from annotation.quickstart import demo
from annotation.rating.tally_check import find_tally_differences
from annotation.reporting.live import live_figures
from annotation.reporting.planning.hybrid import hybrid_plan_data, hybrid_plans
from tests.cast import person
from tests.web.pages import html_of

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def project(module_rows: None) -> Project:
    for name in ("lena", "ravi", "rosa", "tom"):
        person(name)
    demo.load(lambda step: None)
    return Project.objects.get(slug="demo")


def test_the_samples_work_is_of_the_days_before_and_its_history_has_one_line_an_answer(project):
    assert not Rating.objects.filter(role="rater", rated_at__gte=midnight()).exists()
    assert rater_work(User.objects.get(username="ravi"), project)[0].ratings_today == 0
    assert RatingEvent.objects.count() == Rating.objects.count()
    assert project_pace(project, 12).forecast.status == "forecast"
    assert not find_tally_differences()


def test_a_rule_judge_has_rated_each_sentence_and_its_ratings_do_not_count(project):
    judge = Judge.objects.get()
    assert judge.rule == "lexical-overlap"
    assert not missing_items(judge, project).exists() and not JudgeCall.objects.exists()
    run = JudgeRun.objects.get(project=project)
    assert (run.started_by, run.ended) == (person("lena"), JudgeRun.Ended.DONE)
    report = reporting.build(project, reporting.Choices(resamples=100))
    assert report.data.left_out["judge"] == judged_items(project).count()
    assert report.data.ratings == Rating.objects.filter(project=project, role="rater", counted=True).count()


def test_the_second_project_has_estimates_from_people_and_judge_and_a_plan(project, client):
    sample = Project.objects.get(slug="sample")
    assert SampledItem.objects.filter(project=sample, is_drawn=True).count() == demo.DRAWN_SENTENCES
    assert not missing_items(Judge.objects.get(), sample).exists()
    hybrid = reporting.build(sample, reporting.Choices(resamples=100, judge="lexical-overlap")).hybrid
    assert hybrid.reason is None
    accurate = hybrid.overall.measures["accurate"]
    assert accurate.low is not None and accurate.human.low is not None
    plans = hybrid_plans(live_figures(sample, hybrid_plan_data, "lexical-overlap@1"), 10)
    assert plans.ratings_left > 0 and plans.measures[0].planned_half_width is not None
    client.force_login(User.objects.get(username="lena"))
    judge = ["sample", "lexical-overlap", 1]
    pages = [reverse("project_judges", args=judge[:1]), reverse("judge_verdicts", args=judge)]
    for address in [*pages, reverse("judge_comparison", args=judge), reverse("planner", args=judge[:1])]:
        assert "lexical-overlap" in html_of(client.get(address)).replace("<wbr>", "")
