"""Intervals of label figures: against the figures of each resample, and of samples with unequal probabilities."""

import dataclasses
import json

import numpy as np
import pytest

from annotation.stats.alternative_annotator import alternative_annotator_test
from annotation.stats.bootstrap import Resamples
from annotation.stats.calibration import calibration
from annotation.stats.intervals import clopper_pearson, closed_form
from annotation.stats.label_comparison import confusion, detection, match
from annotation.stats.label_intervals import detection_intervals, match_intervals
from annotation.stats.means import clustered_mean
from annotation.stats.proportions import ratio
from annotation.stats.quantiles import normal_quantile, t_quantile
from annotation.stats.sampling import unequal_probabilities

UNITS, DRAWS = 80, 300


def random_tables(seed, units=30, q=3):
    generator = np.random.default_rng(seed)
    return generator.poisson(np.eye(q) * 2 + 0.4, (units, q, q))


def test_bounds_are_quantiles_of_the_figures_of_each_resample():
    tables, options = random_tables(1), {"resamples": 200, "seed": 5}
    drawn = [np.einsum("u,uij->ij", w.astype(int), tables) for block in Resamples(30, 200, 5).blocks() for w in block]
    for names, intervals, figures in (
        (("cohen_kappa", "cohen_kappa_quadratic", "macro_f1"), match_intervals(tables, **options), match),
        (("f1", "mcc", "balanced_accuracy"), detection_intervals(tables, {1, 2}, **options), problem_detection),
    ):
        for name in names:
            each = [getattr(figures(table), name) for table in drawn]
            assert (intervals[name].low, intervals[name].high) == pytest.approx(np.quantile(each, [0.025, 0.975]))
            assert intervals[name].value == getattr(figures(tables.sum(axis=0)), name)


def problem_detection(table):
    return detection(table, {1, 2})


def test_figures_are_proportions_over_units_of_which_few_have_no_interval():
    tables = random_tables(2)
    bounds = closed_form(ratio([int(np.trace(each)) for each in tables], tables.sum(axis=(1, 2))))
    accuracy = match_intervals(tables, resamples=10)["accuracy"]
    assert (accuracy.low, accuracy.high, accuracy.method) == (bounds.low, bounds.high, "korn-graubard")
    recall = detection_intervals(tables, {0}, resamples=10)["recall"]
    bounds = closed_form(ratio(tables[:, 0, 0], tables[:, 0].sum(axis=1)))
    assert (recall.low, recall.high) == (bounds.low, bounds.high)
    tables = random_tables(3)
    padded = np.insert(tables, 7, 0, axis=0)
    assert match_intervals(padded, resamples=50) == match_intervals(tables, resamples=50)
    for each in (match_intervals(random_tables(4, 9)) | detection_intervals(random_tables(4, 9), {1})).values():
        assert each.value is not None
        assert (each.low, each.high, each.method) == (None, None, "none")


def test_labels_that_always_agree_have_bounds_of_proportions_and_nothing_to_compare_none():
    tables = np.tile([[3, 0], [0, 1]], (20, 1, 1))
    figures = match_intervals(tables, resamples=50) | detection_intervals(tables, {1}, resamples=50)
    assert (figures["accuracy"].value, figures["accuracy"].high) == (1, 1)
    assert 0.8 < figures["accuracy"].low < 1
    assert dataclasses.astuple(figures["cohen_kappa"]) == (1, None, None, "none")
    assert dataclasses.astuple(figures["f1"]) == (1, None, None, "none")
    json.dumps({name: dataclasses.asdict(each) for name, each in figures.items()}, allow_nan=False)
    for tables in (np.zeros((20, 2, 2)), np.zeros((0, 3, 3))):
        figures = match_intervals(tables) | detection_intervals(tables, {1})
        assert {dataclasses.astuple(each) for each in figures.values()} == {(None, None, None, "none")}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (([[1, 2], [3, 4]],), "units x categories"),
        (([[[0.5]]],), "negative or not whole"),
        ((np.ones((12, 2, 2)), np.ones((12, 2, 3)), np.ones((12, 2, 2))), "give all for each"),
    ],
)
def test_shapes_must_fit(arguments, words):
    with pytest.raises(ValueError, match=words):
        match_intervals(*arguments)


@pytest.fixture
def population():
    """Return unit, truth, judge's label and probability of 1,600 items: the judge errs mostly where it is unsure."""
    generator = np.random.default_rng(8)
    unit = np.repeat(np.arange(UNITS), 20)
    truth = (generator.random(1_600) < np.repeat(generator.beta(2, 6, UNITS), 20)).astype(int)
    uncertainty = generator.beta(0.3, 1.5, 1_600)
    judged = np.where(generator.random(1_600) < 0.03 + 0.6 * uncertainty, 1 - truth, truth)
    return unit, truth, judged, unequal_probabilities(400, uncertainty)


def tables_of(unit, truth, judged, weight):
    tables = np.zeros((UNITS, 2, 2))
    np.add.at(tables, (unit, truth, judged), weight)
    return tables


def test_weighted_figures_are_those_of_all_items_and_their_intervals_cover_them(population):
    unit, truth, judged, probability = population
    generator, found = np.random.default_rng(9), []
    for _ in range(DRAWS):
        drawn = generator.random(len(unit)) < probability
        labels, weight = (unit[drawn], truth[drawn], judged[drawn]), 1 / probability[drawn]
        sums, squares, counts = (tables_of(*labels, each) for each in (weight, weight**2, 1))
        found.append(
            match_intervals(sums, squares, counts, resamples=200)
            | detection_intervals(sums, {1}, squares, counts, resamples=200)
        )
    of_all = confusion(truth, judged, 2)
    expected = dataclasses.asdict(match(of_all)) | dataclasses.asdict(detection(of_all, {1}))
    for name in ("accuracy", "cohen_kappa", "macro_f1", "precision", "recall", "f1", "mcc"):
        figures = [each[name] for each in found]
        assert np.mean([each.value for each in figures]) == pytest.approx(expected[name], abs=0.01), name
        assert np.mean([each.low <= expected[name] <= each.high for each in figures]) >= 0.91, name


def test_equal_weights_change_nothing():
    tables = random_tables(1)
    plain = match_intervals(tables, resamples=100) | detection_intervals(tables, {1, 2}, resamples=100)
    weighted = match_intervals(2.5 * tables, 6.25 * tables, tables, resamples=100)
    weighted |= detection_intervals(2.5 * tables, {1, 2}, 6.25 * tables, tables, resamples=100)
    for name, figure in plain.items():
        assert dataclasses.astuple(weighted[name])[:3] == pytest.approx(dataclasses.astuple(figure)[:3], abs=1e-12)
        assert weighted[name].method == figure.method


def test_errors_of_small_weight_give_narrower_bounds_than_weights_of_that_variation_alone():
    """30 units with three right items of weight 10 and one wrong of weight 1: at most 120 ratings, not Kish's 95.8."""
    counts = np.tile([[2, 1], [0, 1]], (30, 1, 1))
    weight = np.array([[10, 1], [1, 10]])
    accuracy = match_intervals(counts * weight, counts * weight**2, counts, resamples=50)["accuracy"]
    assert accuracy.value == pytest.approx(30 / 31)
    size = 120 * (normal_quantile(0.975) / t_quantile(0.975, 29)) ** 2
    expected = clopper_pearson(30 / 31 * size, size)
    assert (accuracy.low, accuracy.high) == pytest.approx((expected.low, expected.high))


def test_all_right_is_1_whatever_the_weights():
    tables = np.zeros((20, 2, 2))
    tables[:, 0, 0], tables[:, 1, 1] = np.random.default_rng(3).uniform(1, 9, (2, 20))
    numbers = (tables > 0).astype(int)
    figures = match_intervals(tables, tables**2, numbers, resamples=50)
    figures |= detection_intervals(tables, {1}, tables**2, numbers)
    assert {figures[name].value for name in ("accuracy", "cohen_kappa", "precision", "f1")} == {1}
    assert figures["accuracy"].high == 1 and figures["accuracy"].low < 1


def test_whole_weights_are_repetitions():
    generator = np.random.default_rng(4)
    weight, unit = generator.integers(1, 5, 200), generator.integers(0, 25, 200)
    again = np.repeat(np.arange(200), weight)
    confidence, right = generator.random(200), generator.integers(0, 2, 200)
    weighted, repeated = calibration(confidence, right, weight), calibration(confidence[again], right[again])
    assert (weighted.ece, weighted.brier, weighted.largest_error) == pytest.approx(
        (repeated.ece, repeated.brier, repeated.largest_error)
    )
    assert [each.accuracy for each in weighted.bins] == pytest.approx([each.accuracy for each in repeated.bins])
    assert (weighted.n, sum(each.right for each in weighted.bins)) == (200, right.sum())
    mean, of_repeated = clustered_mean(confidence, unit, weights=weight), clustered_mean(confidence[again], unit[again])
    assert (mean.value, mean.se, mean.low) == pytest.approx((of_repeated.value, of_repeated.se, of_repeated.low))
    assert mean.n == 200
    labels, judge = generator.integers(0, 2, (200, 3)), generator.integers(0, 2, 200)
    test = alternative_annotator_test(labels, judge, epsilon=0.15, units=unit, weights=weight)
    of_repeated = alternative_annotator_test(labels[again], judge[again], epsilon=0.15, units=unit[again])
    for one, other in zip(test.raters, of_repeated.raters, strict=True):
        assert (one.judge_advantage, one.rater_advantage, one.p) == pytest.approx(
            (other.judge_advantage, other.rater_advantage, other.p)
        )
        assert one.items == 200
