"""Agreement coefficients: published tables, a plain Python version as oracle, properties."""

import dataclasses
import json
import math
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from annotation.stats.agreement import COEFFICIENTS, agreement, agreement_intervals
from annotation.stats.bootstrap import Resamples
from annotation.stats.proportions import count_table

TABLES = arrays(np.int64, array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=7), elements=st.integers(0, 4))


def ordinal(a, b, values):
    low, high = min(a, b), max(a, b)
    return (sum(low <= v <= high for v in values) - (values.count(a) + values.count(b)) / 2) ** 2


DISTANCES = {
    "krippendorff_alpha": lambda a, b, values: a != b,
    "krippendorff_ordinal": ordinal,
    "krippendorff_interval": lambda a, b, values: (a - b) ** 2,
}


def plain(counts):
    """Compute agreement by its definition, one item and one pair at a time."""
    units = [[c for c, many in enumerate(row) for _ in range(many)] for row in counts]
    paired, rated, q = [unit for unit in units if len(unit) > 1], [u for u in units if u], len(counts[0])
    agree = [sum(a == b for a, b in permutations(u, 2)) / (len(u) * (len(u) - 1)) for u in paired]
    observed = sum(agree) / len(agree) if agree else None
    used = [sum(u.count(c) / len(u) for u in rated) / len(rated) for c in range(q)] if rated else [0] * q
    values = [label for unit in paired for label in unit]
    found = {
        "percent": observed,
        "fleiss_kappa": corrected(observed, sum(p * p for p in used)),
        "gwet_ac1": corrected(observed, sum(p * (1 - p) for p in used) / (q - 1)) if q > 1 else None,
        "brennan_prediger": corrected(observed, 1 / q) if q > 1 else None,
    }
    for name, distance in DISTANCES.items():
        do = sum(distance(a, b, values) / (len(u) - 1) for u in paired for a, b in permutations(u, 2))
        de = sum(distance(a, b, values) for a, b in permutations(values, 2))
        found[name] = 1 - do * (len(values) - 1) / de if de else None
    return found


def corrected(observed, chance):
    return None if observed is None or math.isclose(chance, 1) else (observed - chance) / (1 - chance)


def test_a_worked_example_by_hand():
    # three sentences: two raters say accurate; two disagree; three split 2 to 1
    coefficients = agreement([[2, 0], [1, 1], [2, 1]])
    assert (coefficients.items, coefficients.labels) == (3, 7)
    # pairs that agree: 1, 0, 1/3, mean 4/9; accurate on average (1 + 1/2 + 2/3)/3 = 13/18
    assert coefficients.percent == pytest.approx(4 / 9)
    chance = (13 / 18) ** 2 + (5 / 18) ** 2
    assert coefficients.fleiss_kappa == pytest.approx((4 / 9 - chance) / (1 - chance))
    assert coefficients.gwet_ac1 == pytest.approx((4 / 9 - 2 * 13 / 18 * 5 / 18) / (1 - 2 * 13 / 18 * 5 / 18))
    assert coefficients.brennan_prediger == pytest.approx((4 / 9 - 1 / 2) / (1 / 2))
    # disagreeing pairs: 0 + 2/1 + 4/2 = 4 of 7 labels; expected 2 * 5 * 2 of 42: 1 - (4/7) / (20/42)
    assert coefficients.krippendorff_alpha == pytest.approx(1 - (4 / 7) / (20 / 42))


def test_kappa_is_that_of_statsmodels_and_one_sidedness_shows_in_the_right_coefficient():
    # six psychiatrists, ten patients, five diagnoses
    table = [[0, 0, 0, 6, 0], [0, 3, 0, 0, 3], [0, 1, 4, 0, 1], [0, 0, 0, 0, 6], [0, 3, 0, 3, 0]]
    table += [[2, 0, 4, 0, 0], [0, 0, 4, 0, 2], [2, 0, 3, 1, 0], [2, 0, 0, 4, 0], [0, 0, 0, 0, 6]]
    from statsmodels.stats.inter_rater import fleiss_kappa

    assert agreement(table).fleiss_kappa == pytest.approx(fleiss_kappa(np.array(table)), abs=1e-12)
    coefficients = agreement([[2, 0]] * 94 + [[1, 1]] * 6)
    assert coefficients.percent == 0.94
    assert coefficients.fleiss_kappa < 0 < 0.9 < coefficients.gwet_ac1
    table = [[3, 1, 0, 0], [0, 3, 1, 0], [0, 0, 1, 3]]
    coefficients = agreement(table, ordered=True)
    assert coefficients.krippendorff_ordinal > coefficients.krippendorff_alpha


def test_one_category_has_no_kappa_and_no_alpha_and_without_a_pair_of_labels_nothing_is_defined():
    coefficients = agreement([[3, 0], [2, 0]], ordered=True, values=[0, 1])
    assert (coefficients.percent, coefficients.gwet_ac1, coefficients.brennan_prediger) == (1.0, 1.0, 1.0)
    assert [getattr(coefficients, name) for name in ("fleiss_kappa", *DISTANCES)] == [None] * 4
    for counts in (np.zeros((0, 3)), np.zeros((2, 3)), [[1, 0], [0, 1]], np.zeros((2, 0))):
        coefficients = agreement(counts, ordered=True, values=range(np.shape(counts)[1]))
        assert (coefficients.items, coefficients.labels) == (0, 0)
        assert [getattr(coefficients, name) for name in COEFFICIENTS] == [None] * len(COEFFICIENTS)


@given(TABLES, st.randoms())
@settings(max_examples=40)
def test_the_plain_definitions_give_the_same_coefficients_in_any_order(counts, random):
    values = range(counts.shape[1])
    coefficients = agreement(counts, ordered=True, values=values)
    fields, expected = dataclasses.asdict(coefficients), plain(counts.tolist())
    assert {name: fields[name] for name in expected} == pytest.approx(expected, abs=1e-9)
    order = random.sample(range(len(counts)), len(counts))
    assert agreement(counts[order], ordered=True, values=values) == coefficients, "to the last digit"
    assert all(fields[name] is None or fields[name] <= 1 + 1e-12 for name in COEFFICIENTS)
    assert json.loads(json.dumps(fields, allow_nan=False)) == fields


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: agreement([1, 2]), "items x categories"),
        (lambda: agreement([[1, -1]]), "negative or not whole"),
        (lambda: agreement([[1.5, 1]]), "negative or not whole"),
        (lambda: agreement([[1, 1]], values=[1, 2, 3]), "one number for each column"),
        (lambda: agreement_intervals([[1, 1]], [0, 1]), "cluster of each item"),
    ],
)
def test_bad_tables_are_refused_with_the_reason(call, words):
    with pytest.raises(ValueError, match=words):
        call()


def rated_prompts(prompts=40, seed=2):
    """Draw four sentences a prompt, three raters and three categories; raters tend to agree."""
    generator = np.random.default_rng(seed)
    truth = generator.choice(3, prompts * 4, p=[0.6, 0.3, 0.1])
    sure = generator.random((prompts * 4, 3)) < 0.8
    labels = np.where(sure, truth[:, None], generator.integers(0, 3, (prompts * 4, 3)))
    counts = count_table(np.repeat(np.arange(prompts * 4), 3), labels.ravel(), (prompts * 4, 3))
    return counts, np.repeat(np.arange(prompts), 4)


def test_a_replicate_is_the_coefficient_of_the_drawn_prompts():
    counts, prompts = rated_prompts(12)
    replicates = []
    for row in next(Resamples(12, 100, seed=4).blocks()).astype(int):
        drawn = np.concatenate([counts[prompts == p] for p, times in enumerate(row) for _ in range(times)])
        replicates.append(agreement(drawn).krippendorff_alpha)
    bounds = agreement_intervals(counts, prompts, resamples=100, seed=4)["krippendorff_alpha"]
    assert bounds == pytest.approx(tuple(np.quantile(replicates, [0.025, 0.975])), abs=1e-12)


def test_intervals_hold_the_coefficient_and_depend_on_the_seed_but_not_on_order_or_prompts_without_a_pair():
    counts, prompts = rated_prompts(15)
    options = {"ordered": True, "values": [0, 1, 2], "resamples": 300}
    coefficients = agreement(counts, ordered=True, values=[0, 1, 2])
    first = agreement_intervals(counts, prompts, **options, seed=7)
    assert all(first[name][0] < getattr(coefficients, name) < first[name][1] for name in COEFFICIENTS)
    assert first != agreement_intervals(counts, prompts, **options, seed=8)
    order = np.random.default_rng(1).permutation(len(counts))
    assert first == agreement_intervals(counts[order], prompts[order], **options, seed=7)
    longer = np.concatenate([[[1, 0, 0], [0, 0, 0]], counts]), np.concatenate([[0, 1], prompts + 2])
    assert first == agreement_intervals(*longer, **options, seed=7)
    assert agreement_intervals(*rated_prompts(9)) == dict.fromkeys(COEFFICIENTS), "few prompts have none"
    assert agreement_intervals(np.zeros((0, 3)), []) == dict.fromkeys(COEFFICIENTS)


def test_undefined_resamples_give_no_interval_and_no_variation_none_of_no_width():
    # one sentence in 12 prompts is disputed: a third of the resamples have one category only
    intervals = agreement_intervals(np.array([[2, 0]] * 11 + [[1, 1]]), np.arange(12), resamples=500)
    assert intervals["fleiss_kappa"] is None and intervals["krippendorff_alpha"] is None
    assert intervals["percent"] is not None
    counts = np.array([[3, 0], [0, 3]] * 10)
    coefficients = agreement(counts)
    assert coefficients.percent == coefficients.fleiss_kappa == coefficients.krippendorff_alpha == 1
    assert agreement_intervals(counts, np.arange(20), resamples=200) == dict.fromkeys(COEFFICIENTS)
    # in every prompt two of three raters agree: 1/3 of the pairs, up to rounding
    counts = np.array([[2, 1], [1, 2]] * 10)
    assert agreement_intervals(counts, np.arange(20), resamples=200)["percent"] is None
