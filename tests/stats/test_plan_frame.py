"""Samples that further ratings make: probabilities, sums over pairs against plain loops, expected units."""

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
    study = population(generator)
    frame = drawn_frame(generator, study, "uncertain", 200)
    larger = frame.planned(900).probability
    below = larger < 1
    assert larger.sum() == pytest.approx(900) and larger.max() == 1
    assert np.ptp(larger[below] / frame.probability[below]) < 1e-9


def test_sums_over_pairs_equal_plain_loops(generator):
    study = population(generator, prompts=6, sentences=2, documents=2)
    frame = drawn_frame(generator, study, "uniform", 8)
    x, y = generator.random(frame.items), generator.random(frame.items)
    in_response = in_prompt = in_unit = covariance = 0.0
    delta = frame.now.covariance
    for i in range(frame.items):
        for j in range(frame.items):
            if i == j:
                covariance += delta.item[i] * x[i] * y[i]
            elif study.response[i] == study.response[j]:
                in_response += x[i] * y[j]
                covariance += delta.response[study.response[i]] * x[i] * y[j]
            elif study.prompt[i] == study.prompt[j]:
                in_prompt += x[i] * y[j]
                covariance += delta.prompt[study.prompt[i]] * x[i] * y[j]
            elif study.unit[i] == study.unit[j]:
                in_unit += x[i] * y[j]
    assert [sums.sum() for sums in frame.pair_sums(x, y)] == pytest.approx([in_response, in_prompt, in_unit])
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
