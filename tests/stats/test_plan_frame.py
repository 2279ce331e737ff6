"""Samples that further ratings make: probabilities, sums over pairs against plain loops, expected units."""

from itertools import product

import numpy as np
import pytest

from tests.stats.planned_samples import drawn_frame, population


@pytest.fixture
def generator():
    return np.random.default_rng(7)


def test_drawn_items_are_rated_before_a_larger_sample_is_drawn(generator):
    study = population(generator)
    frame = drawn_frame(generator, study, "uniform", 200, part=0.5)
    assert frame.drawn == 200 and 90 <= frame.rated <= 100
    assert frame.now.probability.sum() == pytest.approx(frame.rated)
    assert frame.planned(150).probability.sum() == pytest.approx(150)
    assert frame.planned(200).probability == pytest.approx(frame.probability)
    assert frame.planned(600).probability == pytest.approx(np.full(frame.items, 600 / frame.items))
    assert frame.planned(10**6).probability.tolist() == [1] * frame.items
    everything = frame.planned(frame.items).covariance
    assert max(abs(each).max() for each in (everything.item, everything.response, everything.prompt)) < 1e-9


def test_a_larger_sample_where_the_judge_is_unsure_keeps_the_design(generator):
    frame = drawn_frame(generator, population(generator), "uncertain", 200)
    larger = frame.planned(900).probability
    assert larger.sum() == pytest.approx(900) and larger.max() == 1
    assert np.ptp((larger / frame.probability)[larger < 1]) < 1e-9


def test_sums_over_pairs_equal_plain_loops(generator):
    study = population(generator, prompts=6, sentences=2, documents=2)
    frame = drawn_frame(generator, study, "uniform", 8)
    x, y = generator.random((2, frame.items))
    sums, covariance, delta = {"response": 0.0, "prompt": 0.0, "unit": 0.0}, 0.0, frame.now.covariance
    for i, j in product(range(frame.items), repeat=2):
        if i == j:
            covariance += delta.item[i] * x[i] * y[i]
            continue
        level = next((name for name in sums if getattr(study, name)[i] == getattr(study, name)[j]), None)
        if level:
            sums[level] += x[i] * y[j]
        if level in ("response", "prompt"):
            covariance += getattr(delta, level)[getattr(study, level)[i]] * x[i] * y[j]
    assert [each.sum() for each in frame.pair_sums(x, y)] == pytest.approx(list(sums.values()))
    assert frame.covariance_sum(x, y, delta) == pytest.approx(covariance)


@pytest.mark.parametrize("design", ["uniform", "responses", "uncertain"])
def test_the_expected_units_are_those_of_samples(generator, design):
    study = population(generator, documents=60)
    units, effective = [], []
    for _ in range(60):
        frame = drawn_frame(generator, study, design, 120)
        sizes = np.bincount(study.unit, frame.weight)
        units.append(np.count_nonzero(sizes))
        effective.append(sizes.sum() ** 2 / (sizes @ sizes))
    expected = frame.expected_units(frame.now)
    assert expected[0] == pytest.approx(np.mean(units), rel=0.03)
    assert expected[1] == pytest.approx(np.mean(effective), rel=0.1)
