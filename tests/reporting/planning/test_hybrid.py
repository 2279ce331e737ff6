"""Plans of a project's estimates with a judge: counts of items and ratings, unfinished samples, tuning items."""

import pytest

from annotation.judging.judges import find_judge
from annotation.judging.tuning import record_tuning
from annotation.models import SampledItem
from annotation.projects.progress import slot_counts
from annotation.reporting import build
from annotation.reporting.choices import Choices
from annotation.reporting.data.project_items import read_project_size
from annotation.reporting.live import live_figures
from annotation.reporting.planning.hybrid import hybrid_plan_data, hybrid_plans
from tests.cast import ACCURATE
from tests.reporting.project_rows import MILD
from tests.reporting.sampled_studies import (
    items_of,
    judge_all,
    random_study,
    rate_items,
    sampled_study,
    study_with_good_judge,
)

pytestmark = pytest.mark.django_db
JUDGED = Choices(resamples=200, judge="j")


def plans_of(project, further=100, system=None, judge="j"):
    return hybrid_plans(live_figures(project, hybrid_plan_data, judge), further, system)


@pytest.mark.parametrize("overlap", [1, 2])
def test_ratings_are_those_of_the_overlap(overlap):
    project = random_study(31, overlap=overlap)
    plans = plans_of(project, further=60)
    drawn = SampledItem.objects.filter(project=project, is_drawn=True).count()
    assert (plans.drawn, plans.rated, plans.ratings) == (drawn, drawn, drawn * overlap)
    assert plans.planned_items == drawn + 60 / overlap
    assert plans.is_larger_sample and plans.ratings_left == 0


def test_the_worth_in_ratings_is_that_of_people_alone():
    """People are exact about sentences that a judge knows nearly all, so that the judge is worth many."""
    project = study_with_good_judge()
    plan = plans_of(project).measures[0]
    assert 1 < plan.worth <= 160
    alone = plans_of(project, further=round(plan.worth)).measures[0]
    assert alone.people_planned_half_width == pytest.approx(plan.half_width, rel=0.01)


def test_of_an_unfinished_sample_the_drawn_items_come_first():
    project = sampled_study(overlap=1)
    drawn = items_of(project, drawn=True)
    rate_items(project, drawn[::2], lambda item, _: MILD if item.pk % 3 == 0 else ACCURATE)
    judge_all(project, lambda item: MILD if item.pk % 4 == 0 else ACCURATE)
    plans = plans_of(project, further=10)
    assert (plans.drawn, plans.rated, plans.ratings_left) == (80, 40, 40)
    assert not plans.is_larger_sample and plans_of(project, further=41).is_larger_sample
    assert plans_of(project, further=10_000).is_all
    measure = build(project, JUDGED).hybrid.overall.measures["accurate"]
    assert plans.measures[0].half_width == pytest.approx((measure.high - measure.low) / 2, rel=1e-9)


def test_items_that_tuned_the_prompt_are_not_planned_and_an_unknown_judge_has_a_reason():
    project = random_study(33)
    before = plans_of(project)
    record_tuning(find_judge("j"), [item.pk for item in items_of(project, drawn=True)[:5]])
    after = plans_of(project)
    assert (after.items, after.drawn) == (before.items - 5, before.drawn - 5)
    measure = build(project, JUDGED).hybrid.overall.measures["accurate"]
    assert after.measures[0].half_width == pytest.approx((measure.high - measure.low) / 2, rel=0.05)
    data = live_figures(project, hybrid_plan_data, "nobody")
    assert data.reason.startswith("there is no judge of this name")


def test_progress_planner_and_report_agree_on_the_sample():
    project = sampled_study()
    drawn = items_of(project, drawn=True)
    size = read_project_size(project)
    responses = {item.response_id for item in drawn}
    assert slot_counts(project).with_slots == len(responses)
    assert size.figures["sentences"] == pytest.approx(len(drawn) / len(responses))
    assert size.prompts == len({item.response.prompt_id for item in drawn})
    rate_items(project, drawn, lambda item, _: MILD if item.pk % 3 == 0 else ACCURATE)
    judge_all(project, lambda item: MILD if item.pk % 4 == 0 else ACCURATE)
    report, plans = build(project, JUDGED), plans_of(project)
    assert report.data.sample.drawn == plans.drawn == plans.rated == len(drawn)
    assert report.data.ratings == plans.ratings == report.hybrid.overall.measures["accurate"].human.n
