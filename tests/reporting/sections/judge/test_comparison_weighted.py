"""A judge against people on a sample with unequal probabilities: each item counts 1/π in every figure."""

import pytest

from annotation.models import Project, SampledItem
from annotation.reporting import Choices
from annotation.reporting.sections.judge.comparison import FEW_UNITS, ONE_ANSWER, WEIGHTED, compare_judge
from tests.cast import ACCURATE, SEVERE
from tests.reporting.project_rows import MILD
from tests.reporting.sampled_studies import items_of, judge_all, rate_items, sampled_study

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def project(module_rows):
    """Return twelve prompts with three sentences each, drawn with 1, 1/2 and 1/10; the last of a prompt has no rating.

    The judge finds all accurate; the sentences that were drawn with 1/2 are not.
    """
    project = sampled_study(prompts=12, systems=("heron",), sentences=4, sample=24)
    Project.objects.update(sampling_design="uncertain", sampling_judge=judge_all(project, lambda item: ACCURATE))
    for row in SampledItem.objects.filter(project=project).select_related("item"):
        row.probability = [1, 0.5, 0.1, 0.5][row.item.position]
        row.is_drawn = row.item.position < 3
        row.save()
    rate_items(project, items_of(project, drawn=True), lambda item, _: SEVERE if item.position == 1 else ACCURATE)
    project.refresh_from_db()
    return project


def compared(project):
    return compare_judge(project, project.sampling_judge, Choices(resamples=200))


@pytest.fixture(scope="module")
def comparison(project):
    return compared(project)


def test_each_item_counts_by_its_weight_and_counts_stay_counts(comparison):
    assert comparison.items == 36
    assert comparison.confusion == [[24, 0, 0, 0], [0] * 4, [0] * 4, [12, 0, 0, 0]]
    assert comparison.accuracy == pytest.approx(11 / 13)  # weights 1 and 10 right, 2 wrong
    detection = comparison.detection["inaccurate"]
    assert (detection.tp, detection.fn, detection.tn, detection.recall) == (0, 12, 24, 0)
    assert detection.balanced_accuracy == 0.5
    accurate = comparison.measures["accurate"]
    assert (accurate.items, accurate.judge) == (36, 1)
    assert (accurate.people, accurate.difference) == pytest.approx((11 / 13, 2 / 13))
    (system,) = comparison.by["system"]
    assert (system.items, system.accuracy) == (36, pytest.approx(11 / 13))
    assert system.measures["accurate"].difference == pytest.approx(2 / 13)
    assert comparison.notes == [WEIGHTED, ONE_ANSWER, FEW_UNITS]
    weights = comparison.weights
    assert (weights.smallest, weights.largest) == (1, 10)
    assert weights.effective_items == pytest.approx((12 * 13) ** 2 / (12 * (1 + 4 + 100)))
    assert weights.confusion[0][0] == pytest.approx(11 / 13) and weights.confusion[3][0] == pytest.approx(2 / 13)


def test_equal_probabilities_give_what_no_sample_gives(project, comparison):
    low, high = comparison.intervals["accuracy"]
    assert 0 < low < comparison.accuracy < high < 1
    SampledItem.objects.update(probability=0.25)
    equal = compared(project)
    assert (equal.accuracy, equal.notes, equal.weights) == (24 / 36, [ONE_ANSWER, FEW_UNITS], None)
    Project.objects.update(sampling_design="uniform", sampling_judge=None)
    assert equal == compare_judge(Project.objects.get(), project.sampling_judge, Choices(resamples=200))


def test_ratings_of_items_that_were_not_drawn_have_no_weight_and_are_excluded(project, comparison):
    rate_items(project, items_of(project, drawn=False)[:5], lambda item, _: MILD)
    after = compared(project)
    assert (comparison.excluded["not_drawn"], after.excluded["not_drawn"]) == (0, 5)
    for figure in ("items", "accuracy", "confusion"):
        assert getattr(after, figure) == getattr(comparison, figure)


def test_nothing_compared_has_no_weights_but_the_json_is_whole(project):
    project.ratings.filter(role="rater").delete()
    comparison = compared(project)
    assert (comparison.items, comparison.accuracy) == (0, None)
    assert (comparison.weights.smallest, comparison.weights.effective_items) == (None, 0)
    assert b"NaN" not in comparison.to_json()
