"""Intervals of label figures: against the figures of each resample in turn, coverage of a known value, undefined."""

import dataclasses
import json

import numpy as np
import pytest

from annotation.stats.bootstrap import Resamples
from annotation.stats.intervals import closed_form
from annotation.stats.label_comparison import detection, match
from annotation.stats.label_intervals import detection_intervals, match_intervals
from annotation.stats.proportions import ratio


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


@pytest.mark.parametrize("tables", [np.zeros((20, 2, 2)), np.zeros((0, 3, 3))])
def test_nothing_to_compare_is_undefined(tables):
    figures = match_intervals(tables) | detection_intervals(tables, {1})
    assert {dataclasses.astuple(each) for each in figures.values()} == {(None, None, None, "none")}


def test_labels_that_always_agree_have_bounds_of_proportions_and_shapes_must_fit():
    tables = np.tile([[3, 0], [0, 1]], (20, 1, 1))
    figures = match_intervals(tables, resamples=50) | detection_intervals(tables, {1}, resamples=50)
    assert (figures["accuracy"].value, figures["accuracy"].high) == (1, 1)
    assert 0.8 < figures["accuracy"].low < 1
    assert dataclasses.astuple(figures["cohen_kappa"]) == (1, None, None, "none")
    assert dataclasses.astuple(figures["f1"]) == (1, None, None, "none")
    json.dumps({name: dataclasses.asdict(each) for name, each in figures.items()}, allow_nan=False)
    with pytest.raises(ValueError, match="units x categories"):
        match_intervals([[1, 2], [3, 4]])
    with pytest.raises(ValueError, match="negative or not whole"):
        match_intervals([[[0.5]]])
