"""Dawid and Skene: a planted truth is found, and a rater who errs counts for less."""

import json
from dataclasses import asdict

import numpy as np
import pytest

from annotation.stats.dawid_skene import dawid_skene


def rated(items=300, reliable=(0.9, 0.9, 0.55, 0.55, 0.55)):
    """Draw answers: each rater answers every item, correctly with her own probability, else with the other label."""
    generator = np.random.default_rng(3)
    truth, (item, rater) = generator.random(items) < 0.4, np.indices((items, len(reliable))).reshape(2, -1)
    is_right = generator.random(item.size) < np.array(reliable)[rater]
    return truth, item, rater, (truth[item] == is_right).astype(int)


def test_raters_who_err_count_for_less_and_their_errors_are_estimated():
    truth, item, rater, label = rated()
    estimate = dawid_skene(item, rater, label, (300, 5, 2))
    assert np.mean(np.array(estimate.labels) == truth) > np.mean(np.array(estimate.majority) == truth) + 0.04
    _, item, rater, label = rated(items=3000)
    estimate = dawid_skene(item, rater, label, (3000, 5, 2))
    sure = [np.mean([table[0][0], table[1][1]]) for table in estimate.errors]
    assert sure == pytest.approx([0.9, 0.9, 0.55, 0.55, 0.55], abs=0.05)


def test_unanimous_answers_are_what_they_say_and_without_answers_there_is_no_label():
    estimate = dawid_skene([0, 0, 1, 1, 2, 2], [0, 1, 0, 1, 0, 1], [0, 0, 1, 1, 0, 0], (3, 2, 2))
    assert estimate.labels == estimate.majority == (0, 1, 0)
    assert estimate.class_shares == pytest.approx((2 / 3, 1 / 3))
    estimate = dawid_skene([0, 0, 2], [0, 1, 0], [0, 0, 1], (3, 2, 2))
    assert (estimate.labels[1], estimate.posterior[1], estimate.majority[1]) == (None, None, None)
    assert sum(estimate.class_shares) == pytest.approx(1)
    estimate = dawid_skene([0, 1], [0, 0], [0, 0], (2, 2, 2))
    assert estimate.errors == (((1.0, 0.0), None), (None, None))
    estimate = dawid_skene([], [], [], (2, 1, 2))
    assert estimate.labels == (None, None)


def test_the_names_of_raters_and_categories_do_not_matter_and_it_goes_to_json():
    _, item, rater, label = rated(items=60)
    estimate = dawid_skene(item, rater, label, (60, 5, 2))
    other = dawid_skene(item, 4 - rater, 1 - label, (60, 5, 2))
    assert [1 - label for label in other.labels] == list(estimate.labels)
    assert other.class_shares == pytest.approx(estimate.class_shares[::-1], abs=1e-9)
    json.dumps(asdict(estimate), allow_nan=False)


@pytest.mark.parametrize(
    "parts, words",
    [
        (([0], [0], [2]), "labels hold an index"),
        (([0], [-1], [0]), "raters hold an index"),
        (([0], [], [0]), "one of each"),
    ],
)
def test_bad_answers_are_refused_with_the_reason(parts, words):
    with pytest.raises(ValueError, match=words):
        dawid_skene(*parts, (1, 1, 2))


def in_logarithms(item, rater, label, shape, iterations=100):
    """Do the same steps as they are usually written, with sums of logarithms."""
    items, raters, categories = shape
    votes = np.zeros((items, categories))
    np.add.at(votes, (item, label), 1)
    posterior = votes / votes.sum(axis=1, keepdims=True)
    for _ in range(iterations):
        sums = np.zeros((raters, categories, categories))
        np.add.at(sums, (rater, slice(None), label), posterior[item])
        errors = sums / np.maximum(sums.sum(axis=2, keepdims=True), 1e-300)
        likelihood = np.tile(np.log(np.maximum(posterior.mean(axis=0), 1e-10)), (items, 1))
        np.add.at(likelihood, item, np.log(np.maximum(errors, 1e-10))[rater, :, label])
        odds = np.exp(likelihood - likelihood.max(axis=1, keepdims=True))
        posterior = odds / odds.sum(axis=1, keepdims=True)
    return posterior


@pytest.mark.parametrize("raters, seed", [(3, 1), (17, 2), (90, 3)])
def test_products_give_what_sums_of_logarithms_give(raters, seed):
    generator, shape = np.random.default_rng(seed), (40, raters, 3)
    truth, (item, rater) = generator.integers(0, 3, 40), np.indices(shape[:2]).reshape(2, -1)
    label = np.where(generator.random(item.size) < 0.6, truth[item], generator.integers(0, 3, item.size))
    estimate = dawid_skene(item, rater, label, shape)
    assert np.array(estimate.posterior) == pytest.approx(in_logarithms(item, rater, label, shape), abs=1e-9)


def test_hundreds_of_raters_who_contradict_each_other_leave_a_probability():
    # each half is certain and wrong for the other: every likelihood is 1e-10 to the power of hundreds
    item, rater = np.repeat([0, 1], 800), np.tile(np.arange(800), 2)
    label = np.where((rater < 400) == (item == 0), 0, 1)
    estimate = dawid_skene(item, rater, label, (2, 800, 2), iterations=20)
    assert [sum(row) for row in estimate.posterior] == pytest.approx([1, 1])
