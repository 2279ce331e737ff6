"""The planner's part about people and a judge: margins and worth as the plans have them, live, and reasons."""

import pytest
from django.urls import reverse

from annotation.reporting import build
from annotation.reporting.choices import Choices
from annotation.reporting.live import live_figures
from annotation.reporting.planning.hybrid import hybrid_plan_data, hybrid_plans
from tests.cast import ACCURATE
from tests.reporting.project_rows import MILD, judge_items
from tests.reporting.sampled_studies import items_of, judge_all, rate_items, sampled_study, study_with_good_judge
from tests.seeds import seeded
from tests.web.pages import html_of

pytestmark = [pytest.mark.django_db, pytest.mark.seeded]
HTMX = {"HX-Request": "true", "HX-Target": "judge-plan-result"}


def page(client, headers=None, slug="judged", **params) -> str:
    return html_of(client.get(reverse("planner", args=[slug]), params, headers=headers))


def test_the_page_has_the_plans_and_the_present_intervals_of_the_report(lena):
    project = study_with_good_judge(slug="good")
    text = page(lena, slug="good", more="50")
    plans = hybrid_plans(live_figures(project, hybrid_plan_data, "j@1"), 50)
    overall = build(project, Choices(judge="j")).hybrid.overall
    for plan in plans.measures:
        measure = overall.measures[plan.measure]
        assert plan.half_width == pytest.approx((measure.high - measure.low) / 2, rel=1e-6)
        assert plan.people_half_width == pytest.approx((measure.human.high - measure.human.low) / 2, rel=1e-6)
        assert f"± {100 * plan.half_width:.1f}" in text
        assert (
            f"± {100 * plan.planned_half_width:.1f}" in text and f"± {100 * plan.people_planned_half_width:.1f}" in text
        )
    [accurate, *_] = plans.measures
    assert f"This judge is worth {round(accurate.worth)} ratings: without it, {round(accurate.worth)} more" in text
    assert f"{overall.rated} sentences; {overall.drawn} of {overall.items} were drawn" in text


def test_only_the_margins_are_sent_when_only_they_are_asked_for_and_bad_input_is_named(lena):
    text = page(lena, HTMX, more="50", judge="j@1")
    assert "<html" not in text and 'id="needed"' not in text and "This judge is worth" in text
    assert "50 ratings more" in text
    for more, words in (("0", "greater than or equal to 1"), ("many", "whole number")):
        for headers in (None, HTMX):
            text = page(lena, headers, more=more)
            assert "Nothing can be calculated:" in text and words in text
    assert "Select a valid choice" in page(lena, judge="nobody@1")


def test_one_system_can_be_planned_and_of_several_judges_one_is_chosen(lena):
    project = seeded("judged")
    text = page(lena, about="tern", more="40")
    assert '<option value="tern" selected>tern</option>' in text
    plans = hybrid_plans(live_figures(project, hybrid_plan_data, "j@1"), 40, "tern")
    assert f"± {100 * plans.measures[0].planned_half_width:.1f}" in text
    tern = build(project, Choices(judge="j")).hybrid.systems[1]
    assert (plans.items, plans.drawn, plans.rated) == (tern.items, tern.drawn, tern.rated)
    judge_all(project, lambda item: ACCURATE, name="other")
    text = page(lena, judge="j@1")
    assert '<option value="j@1" selected>' in text and '<option value="other@1">' in text
    assert '<option value="other@1" selected>' in page(lena, judge="other@1")


def test_what_is_missing_for_a_plan_is_named_and_a_constant_judge_is_worth_no_ratings(lena, june):
    item = june.ratings.select_related("item__response").first().item
    judge_items(june, {(item.response.key, item.position): ACCURATE})
    assert "No estimates with judge j@1: no sample was drawn, so no probabilities are stored" in page(lena, slug="june")
    project = sampled_study(prompts=8, sample=40, slug="own")
    assert "judge-plan-result" not in page(lena, slug="own")
    judge_all(project, lambda item: ACCURATE)
    assert "No rating of the sample counts yet" in page(lena, slug="own")
    rate_items(project, items_of(project, drawn=True), lambda item, _: ACCURATE)
    assert "No interval yet: it takes ten units" in page(lena, slug="own")
    project = sampled_study(slug="same")
    judge_all(project, lambda item: ACCURATE)
    rate_items(project, items_of(project, drawn=True), lambda item, _: MILD if item.pk % 3 == 0 else ACCURATE)
    assert "This judge is worth no ratings: the margin with it is not smaller." in page(lena, slug="same")
