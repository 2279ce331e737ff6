"""Hybrid estimates: a worked example in fractions, random studies against plain loops, invariances, undefined cases."""

import dataclasses
import json
import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from annotation.stats.hybrid import (
    best_lambda,
    estimate,
    group_shares,
    hybrid,
    hybrid_difference,
    people_alone,
    unit_sums,
    verdict_weights,
)
from annotation.stats.intervals import korn_graubard
from annotation.stats.proportions import ratio

# unit, y, a, f, g, sampled, π: four units with two items each, the last one without a rating
WORKED = [
    (0, 1, 1, 1, 1, True, Fraction(1, 2)),
    (0, 0, 0, 1, 1, False, Fraction(1, 2)),
    (1, 0, 1, 0, 1, True, Fraction(1, 2)),
    (1, 0, 0, 1, 1, False, Fraction(1, 4)),
    (2, 1, 1, 1, 1, True, Fraction(1, 4)),
    (2, 0, 0, 0, 1, False, Fraction(1, 2)),
    (3, 0, 0, 1, 1, False, Fraction(1, 2)),
    (3, 0, 0, 0, 1, False, Fraction(1, 2)),
]


def by_hand(rows, units):
    """Return value, λ, V, z and denominator in fractions. Without the judge, C is of the rated units."""
    weighted = [(row, 1 / Fraction(row[6]) if row[5] else Fraction(0)) for row in rows]

    def sums(value):
        u, v = [Fraction(0)] * units, [Fraction(0)] * units
        for (unit, y, a, f, g, *_), w in weighted:
            u[unit] += w * (y - value * a)
            v[unit] += (w - 1) * (f - value * g)
        return u, v

    def total(weight):
        top = sum(w * y - weight * (w - 1) * f for (_, y, _, f, *_), w in weighted)
        bottom = sum(w * a - weight * (w - 1) * g for (_, _, a, _, g, *_), w in weighted)
        return top / bottom, bottom

    u, v = sums(total(Fraction(0))[0])
    u_mean, v_mean = sum(u) / units, sum(v) / units
    cov = sum((x - u_mean) * (y - v_mean) for x, y in zip(u, v, strict=True))
    weight = min(Fraction(1), max(Fraction(0), cov / sum((y - v_mean) ** 2 for y in v)))
    value, bottom = total(weight)
    z = [x - weight * y for x, y in zip(*sums(value), strict=True)]
    mean = sum(z) / units
    counted = units if weight else len({row[0] for row in rows if row[2]})
    variance = Fraction(counted, counted - 1) * sum((each - mean) ** 2 for each in z) / bottom**2
    return value, weight, variance, z, bottom


def sums_of(rows, units):
    columns = list(zip(*rows, strict=True))
    return unit_sums(*columns[:6], [float(pi) for pi in columns[6]], units=units)


def random_study(seed, units=40, system=0):
    """Return rows with unequal probabilities, two raters of an item, and answers that cannot be assessed."""
    generator, rows = np.random.default_rng([seed, system]), []
    for unit in range(units):
        chance = generator.beta(4, 2)
        for _ in range(generator.integers(1, 12)):
            pi = Fraction(int(generator.integers(2, 11)), 16)
            sampled = bool(generator.random() < pi)
            a = int(generator.binomial(2, 0.9)) if sampled else 0
            truth = generator.random() < chance
            y = int(generator.binomial(a, 0.9 if truth else 0.2))
            g = 2 * int(generator.random() < 0.95)
            rows.append((unit, y, a, g * int(generator.random() < (0.9 if truth else 0.3)), g, sampled, pi))
    return rows


def test_the_worked_example_in_numbers_and_in_fractions():
    # people: w y = 2 + 0 + 4 among w a = 2 + 2 + 4, so 6/8; u = (.5, -1.5, 1, 0). With f, g and θ = 3/4:
    # v = (.25 - .25, -.75 - .25, .75 + .75, -.25 + .75) = (0, -1, 1.5, .5), mean .25; cov = 3, var = 3.25
    sums = sums_of(WORKED, 4)
    assert best_lambda(sums) == pytest.approx(12 / 13, abs=1e-14)
    # numerator 6 - λ (1 - 1 + 0 - 1 + 3 - 0 - 1 - 0) = 6 - λ, denominator 8 - λ (1 - 1 + 1 - 1 + 3 - 1 - 1 - 1) = 8
    both = hybrid(sums)
    assert both.value == pytest.approx((6 - 12 / 13) / 8, abs=1e-14)
    assert (both.low, both.high) == (None, None)  # three rated units
    assert (both.units, both.rated_units, both.n, both.n_judge) == (4, 3, 3, 8)
    assert sums.judge_value == 5 / 8
    value, weight, variance, z, _ = by_hand(WORKED, 4)
    assert both.lambda_ == pytest.approx(float(weight), abs=1e-14)
    assert both.value == pytest.approx(float(value), abs=1e-14)
    assert both.se == pytest.approx(math.sqrt(variance), abs=1e-14)
    assert both.z == pytest.approx([float(each) for each in z], abs=1e-13)


@pytest.mark.parametrize("verdict", [0, 1])
def test_a_judge_whose_verdicts_are_all_alike_has_no_weight(verdict):
    """The weights of the sample would give it one: λ of these studies was up to .4."""
    for seed in range(3):
        rows = [(unit, y, a, verdict * g, g, sampled, pi) for unit, y, a, _, g, sampled, pi in random_study(seed)]
        both, alone = (function(sums_of(rows, 40)) for function in (hybrid, people_alone))
        assert (both.lambda_, both.value, both.low, both.high) == (0, alone.value, alone.low, alone.high)


@pytest.mark.parametrize("seed", range(4))
def test_random_studies_and_their_differences_equal_plain_loops(seed):
    studies = [random_study(seed, system=system) for system in (0, 1)]
    estimates, by_hands = [hybrid(sums_of(rows, 40)) for rows in studies], [by_hand(rows, 40) for rows in studies]
    both, (value, weight, variance, z, _) = estimates[0], by_hands[0]
    assert both.lambda_ == pytest.approx(float(weight), abs=1e-10)
    assert both.value == pytest.approx(float(value), abs=1e-10)
    assert both.se == pytest.approx(math.sqrt(variance), abs=1e-10)
    assert both.z == pytest.approx([float(each) for each in z], abs=1e-9)
    p, t = float(value), stats.t.ppf(0.975, both.degrees)
    people = np.array([(1 / pi * a, 1 / pi**2 * a) for _, _, a, _, _, s, pi in studies[0] if s], dtype=float)
    largest = math.inf if weight else people.sum(axis=0)[0] ** 2 / people.sum(axis=0)[1]
    size = min(largest, p * (1 - p) / float(variance)) * (stats.norm.ppf(0.975) / t) ** 2
    assert both.low == pytest.approx(stats.beta.ppf(0.025, p * size, size - p * size + 1), abs=1e-10)
    assert both.high == pytest.approx(stats.beta.ppf(0.975, p * size + 1, size - p * size), abs=1e-10)
    (p, _, _, p_z, p_bottom), (q, _, _, q_z, q_bottom) = by_hands
    parts = [x / p_bottom - y / q_bottom for x, y in zip(p_z, q_z, strict=True)]
    se = math.sqrt(Fraction(40, 39) * sum(each**2 for each in parts))
    pair, half = hybrid_difference(*estimates), stats.t.ppf(0.975, min(each.degrees for each in estimates)) * se
    assert (pair.difference, pair.se) == pytest.approx((float(p - q), se), abs=1e-10)
    assert (pair.low, pair.high) == pytest.approx((float(p - q) - half, float(p - q) + half), abs=1e-10)


@pytest.mark.parametrize("seed", range(3))
def test_people_alone_with_equal_probabilities_have_the_interval_of_proportions(seed):
    rows = [(*row[:6], Fraction(3, 10)) for row in random_study(seed)]
    unit, y, a = np.array([row[:3] for row in rows]).T
    k, n = (np.bincount(unit, column, 40).astype(int) for column in (y, a))
    alone, today = people_alone(sums_of(rows, 40)), ratio(k, n)
    bounds = korn_graubard(today)
    assert (alone.n, alone.rated_units) == (today.n, today.clusters)
    found = (alone.value, alone.se, alone.low, alone.high)
    assert found == pytest.approx((today.value, today.se, bounds.low, bounds.high), abs=1e-12)


def test_all_or_no_hits_have_the_interval_of_proportions():
    for hits in (0, 1):
        rows = [(unit, hits, 1, unit % 2, 1, True, 0.5) for unit in range(20)]
        both, bounds = hybrid(sums_of(rows, 20)), korn_graubard(ratio([hits] * 20, [1] * 20))
        assert (both.value, both.lambda_, both.se) == (hits, 0, 0)
        assert (both.low, both.high) == pytest.approx((bounds.low, bounds.high), abs=1e-12)


def test_a_perfect_judge_gives_the_value_of_all_items():
    generator = np.random.default_rng(1)
    rows = [(unit, 0, 0, int(generator.random() < 0.7), 1, False, 0.25) for unit in range(100) for _ in range(8)]
    sampled = generator.random(len(rows)) < 0.25
    rows = [(row[0], row[3], 1, *row[3:5], True, 0.25) if s else row for s, row in zip(sampled, rows, strict=True)]
    sums = sums_of(rows, 100)
    assert estimate(sums, 1.0).value == pytest.approx(sums.judge_value)
    assert hybrid(sums).se < 0.6 * people_alone(sums).se


def test_bounds_assume_two_differences_from_a_judge_that_agrees_with_people_everywhere():
    """Of 40 prompts with 100 sentences each one sentence is rated, every tenth a miss, and judge and people agree.

    The judge's share of misses is about .1 in each prompt, so V of the hybrid is nearly 0. Two of 40 sentences on which
    they differ have the variance 2 / 40²; people alone have .1 · .9 / 39, which is more.
    """
    rows = [
        (unit, hit, 1, hit, 1, True, 0.01) if number == 0 else (unit, 0, 0, int(number % 10 > 0), 1, False, 0.01)
        for unit in range(40)
        for number, hit in enumerate([int(unit % 10 > 0)] * 100)
    ]
    sums = sums_of(rows, 40)
    both, alone = hybrid(sums), people_alone(sums)
    assert both.lambda_ > 0.9
    assert both.se**2 < 0.1 * both.lambda_ * 2 / 40**2
    assert both.lambda_ * 2 / 40**2 < alone.se**2 == pytest.approx(0.09 / 39)
    assert both.added_variance == pytest.approx(both.lambda_ * 2 / 40**2 - both.se**2, rel=1e-9)
    size = both.value * (1 - both.value) / (both.lambda_ * 2 / 40**2)
    t = stats.t.ppf(0.975, 39)
    assert both.effective_n == pytest.approx(size * (stats.norm.ppf(0.975) / t) ** 2, rel=1e-9)
    assert alone.high - alone.low > both.high - both.low
    pair = hybrid_difference(both, both)
    assert (pair.se, pair.high) == pytest.approx((0, t * math.sqrt(2 * both.added_variance)), abs=1e-12)


def test_a_judge_that_tells_nothing_has_hardly_any_weight():
    generator = np.random.default_rng(2)
    sampled, y, f = generator.random((3, 2_000)) < [[0.3], [0.8], [0.5]]
    one = np.ones(2_000)
    sums = unit_sums(np.arange(2_000), y, one, f, one, sampled, 0.3 * one, units=2_000)
    both = hybrid(sums)
    assert both.lambda_ < 0.05
    assert both.value == pytest.approx(people_alone(sums).value, abs=0.002)


def test_neither_the_order_of_items_nor_ratings_of_items_not_sampled_matter():
    rows = random_study(3)
    both, turned = hybrid(sums_of(rows, 40)), hybrid(sums_of(rows[::-1], 40))
    assert (turned.value, turned.se, turned.low) == pytest.approx((both.value, both.se, both.low), abs=1e-12)
    rows = random_study(4)
    filled = [(u, y, a, f, g, s, pi) if s else (u, 2, 2, f, g, s, pi) for u, y, a, f, g, s, pi in rows]
    assert hybrid(sums_of(filled, 40)) == hybrid(sums_of(rows, 40))
    both = hybrid(sums_of(random_study(5), 40))
    assert dataclasses.astuple(hybrid_difference(both, both)) == (0, 0, 0, 0)


def test_few_rated_units_have_no_interval_one_no_error_and_none_no_value():
    rows = [(unit, unit % 2, int(unit < 9), 1, 1, unit < 9, 0.5) for unit in range(50)]
    both = hybrid(sums_of([(u, y * a, a, f, g, s, pi) for u, y, a, f, g, s, pi in rows], 50))
    assert both.value is not None and both.se is not None
    assert (both.low, both.high) == (None, None)
    assert hybrid_difference(both, both).low is None
    both = hybrid(sums_of([(0, 1, 2, 1, 1, True, 0.5), (1, 0, 0, 1, 1, False, 0.5)], 2))
    assert (both.value, both.se, both.low) == (0.5, None, None)
    rows = [(unit, 0, 0, 1, 1, False, 0.5) for unit in range(20)]
    both = hybrid(sums_of(rows, 20))
    assert (both.value, both.low, both.high, both.se, both.effective_n) == (None,) * 5
    assert dataclasses.astuple(hybrid_difference(both, both)) == (None,) * 4
    assert json.loads(json.dumps(dataclasses.asdict(both), allow_nan=False))["n_judge"] == 20


def test_an_estimate_outside_0_to_1_is_that_of_people_alone():
    # Everything that people rated of high weight counts for the judge but not for people.
    rows = [(u, int(u > 1), 1, 1, 1, True, 0.05 if u < 2 else 1.0) for u in range(12)]
    rows += [(u, 0, 0, 0, 1, False, 1.0) for u in range(12)]
    sums = sums_of(rows, 12)
    assert not 0 <= estimate(sums, 1.0).value <= 1
    assert 0 <= hybrid(sums).value <= 1


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        *(([[0], [1], [1], [1], [1], [True], [pi]], "without a stored π > 0") for pi in (0.0, -0.1, 1.5, math.nan)),
        ([[0], [2], [1], [1], [1], [True], [0.5]], "not between 0 and the number assessed"),
        ([[1], [1], [1], [1], [1], [True], [0.5]], "not among the 1"),
        ([[0], [1, 1], [1], [1], [1], [True], [0.5]], "different lengths"),
    ],
)
def test_impossible_arrays_are_refused(columns, message):
    with pytest.raises(ValueError, match=message):
        unit_sums(*columns, units=1)


def test_systems_with_other_units_are_not_compared():
    with pytest.raises(ValueError, match="same units"):
        hybrid_difference(hybrid(sums_of(random_study(1), 40)), hybrid(sums_of(random_study(1, 41), 41)))


def tuned_study(seed, *, in_sample):
    """Return the error of the estimate in a study of 2,000 items, 400 drawn, where 200 items tuned the judge.

    `in_sample`: all 200 were drawn; else they are any of the items. The judge copies people on them and is too lenient
    on others. Without weights of verdicts the mean error would be above .015.
    """
    generator = np.random.default_rng([7, seed])
    items, units = 2_000, 100
    y = (generator.random(items) < 0.7).astype(float)
    pi = np.where(y > 0, 0.15, 0.2 + 0.1 / 0.6)  # more often where people find a mistake, 400 of 2,000 on average
    drawn = generator.random(items) < pi
    tuned = np.zeros(items, dtype=bool)
    tuned[generator.permutation(np.flatnonzero(drawn) if in_sample else items)[:200]] = True
    lenient = np.where(generator.random(items) < 0.95, np.maximum(y, generator.random(items) < 0.5), 0)
    f, g, one = np.where(tuned, y, lenient), np.ones(items), np.zeros(items, dtype=int)
    unit, used = generator.integers(units, size=items), drawn & ~tuned
    pi_used = pi * group_shares(used, drawn, one)
    columns = (y, g, f * ~tuned, g * ~tuned, used, pi_used, verdict_weights(tuned, drawn, pi, one))
    return hybrid(unit_sums(unit, *columns, units=units)).value - y.mean()


@pytest.mark.parametrize("in_sample", [True, False])
def test_items_of_the_sample_that_tuned_the_judge_do_not_bias_the_estimate(in_sample):
    errors = [tuned_study(seed, in_sample=in_sample) for seed in range(200)]
    assert abs(np.mean(errors)) < 0.003


def test_weights_of_verdicts_by_hand():
    # Of four drawn items one tuned the prompt, of two others one: 1 / (1 − ½·¼ − ½·½) = 1.6; the second group has only
    # tuning items.
    tuned = [True, False, False, False, True, False, True]
    drawn = [True, True, True, True, False, False, True]
    weights = verdict_weights(tuned, drawn, [0.5] * 6 + [1.0], [0] * 6 + [1])
    assert weights.tolist() == pytest.approx([0, 1.6, 1.6, 1.6, 0, 1.6, 0])
    drawn, pi = np.array([True, False, True]), np.array([0.3, 0.7, 1.0])
    assert verdict_weights([False] * 3, drawn, pi, [0, 0, 1]).tolist() == [1, 1, 1]
