"""How many ratings are needed: textbook numbers, and that the two questions are inverses."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.stats.planning import (
    Correlations,
    Design,
    between_items,
    design_effect,
    half_width,
    least_half_width,
    nested_design_effect,
    plan,
    planned_half_width,
    rater_correlation,
    sample_size,
)
from annotation.stats.proportions import ratio

shares = st.floats(0, 1)


def test_the_textbook_case_of_half_and_five_points():
    # z² / 4 / .05² = 384.1
    size = sample_size(0.5, 0.05)
    assert (size.ratings, size.prompts) == (385, 385)
    assert size.ratings_exact == pytest.approx(384.1459, abs=1e-4)


def test_clustered_ratings_need_more_of_them():
    size = sample_size(0.5, 0.05, deff=design_effect(0.25, 6), ratings_per_prompt=6)
    assert design_effect(0.25, 6) == 2.25
    assert (size.ratings, size.prompts) == (865, 145)  # 384.1459 * 2.25 = 864.3; 865 / 6 = 144.2


def test_a_sure_thing_needs_no_ratings():
    assert sample_size(0.0, 0.05).ratings == 0


def test_the_last_digits_of_a_float_do_not_cost_a_rating():
    assert sample_size(0.5, 0.05, ratings_per_prompt=0.1 + 0.2).prompts == 1284  # 385 / .3 = 1283.3
    assert sample_size(0.5, 0.05, ratings_per_prompt=385 / 3).prompts == 3


def test_the_design_effect_is_near_the_one_that_ratings_show():
    proportion = ratio([5, 0] * 40, [5] * 80)  # prompts all one or all the other: ICC 1
    assert design_effect(proportion.icc, 5) == pytest.approx(proportion.deff, rel=0.02)


@given(st.floats(0.01, 0.99), st.floats(0.005, 0.3), st.floats(1, 10))
def test_the_ratings_needed_give_the_width_wanted(p, goal, deff):
    needed = sample_size(p, goal, deff=deff)
    assert half_width(p, needed.ratings_exact, deff=deff) == pytest.approx(goal)
    assert needed.ratings_exact - 1e-6 <= needed.ratings < needed.ratings_exact + 1


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: sample_size(1.2, 0.05), "p is 1.2"),
        (lambda: sample_size(0.5, 0), "half_width is 0"),
        (lambda: sample_size(0.5, 0.05, deff=-1), "deff is -1"),
        (lambda: half_width(0.5, 0), "ratings is 0"),
    ],
)
def test_a_plan_that_makes_no_sense_is_refused(call, words):
    with pytest.raises(ValueError, match=words):
        call()


@given(shares, st.floats(1, 30), st.integers(1, 10))
def test_one_correlation_for_all_pairs_is_kishs_design_effect(icc, items, raters):
    effect = nested_design_effect(Design(items, raters), Correlations(icc, icc))
    assert effect == pytest.approx(design_effect(icc, items * raters))


def test_a_sentence_of_its_own_and_one_rater_is_an_independent_rating():
    assert nested_design_effect(Design(1, 1), Correlations(0.9, 0.9)) == 1
    assert nested_design_effect(Design(0.8, 1), Correlations(0.9, 0.9)) == 1  # some prompts have nothing to assess


@given(st.floats(0, 0.9), st.floats(0, 0.9), st.floats(1.5, 20), st.integers(1, 8))
def test_the_correlation_between_sentences_is_found_again(prompt, more, items, raters):
    """The ICC of all pairs of a prompt's ratings is the mean of the two kinds of pairs."""
    item, design = min(0.99, prompt + more), Design(items, raters)
    pairs = items * raters - 1
    icc = ((raters - 1) * item + raters * (items - 1) * prompt) / pairs
    assert between_items(icc, item, design) == pytest.approx(prompt, abs=1e-9)


def test_the_correlation_between_sentences_stays_within_sense():
    assert between_items(-0.1, 0.4, Design(5, 2)) == 0
    assert between_items(0.9, 0.4, Design(5, 1)) == 0.4
    assert between_items(0.3, 0.4, Design(1, 1)) == 0.3


@given(st.floats(0.05, 0.95), st.floats(0.01, 0.2), st.floats(1, 20), shares, shares)
def test_more_raters_never_need_more_prompts_nor_help_as_much_as_more_prompts(p, goal, items, icc, other):
    alike = Correlations(min(icc, other), max(icc, other))
    prompts = [plan(p, goal, Design(items, raters), alike).prompts for raters in (1, 2, 3, 5)]
    assert prompts == sorted(prompts, reverse=True)
    for raters in (2, 3, 5):
        on_the_same = planned_half_width(p, 100, Design(items, raters), alike)
        on_others = planned_half_width(p, 100 * raters, Design(items, 1), alike)
        assert on_others <= on_the_same + 1e-12


@given(st.floats(0.05, 0.95), st.floats(0.01, 0.2), st.floats(1, 20), st.integers(1, 5), shares, shares)
def test_a_plan_brings_the_width_it_was_made_for(p, goal, items, raters, icc, other):
    alike, design = Correlations(min(icc, other), max(icc, other)), Design(items, raters)
    result = plan(p, goal, design, alike)
    assert planned_half_width(p, result.prompts, design, alike) <= goal + 1e-9
    if not result.is_at_minimum and result.prompts > 11:
        assert planned_half_width(p, result.prompts - 2, design, alike) > goal


def test_a_plan_never_has_fewer_prompts_than_an_interval_needs():
    result = plan(0.5, 0.4, Design(10, 3), Correlations(0, 0))
    assert (result.prompts, result.is_at_minimum) == (10, True)


def test_raters_who_differ_alike_everywhere_leave_a_width_that_prompts_do_not_narrow():
    # z · sqrt(.25 · .02 / 4) = 1.95996 · .035355
    assert least_half_width(0.5, Correlations(0.1, 0.4, 0.02), 4) == pytest.approx(0.069295, abs=1e-6)
    assert least_half_width(0.5, Correlations(0.1, 0.4, 0.0), 4) == 0


def test_the_correlation_of_a_raters_own_ratings():
    # One rater always says yes, the other always no: e is ± 1/2, every pair of one rater has the product 1/4.
    assert rater_correlation([1, 1, 0, 0], [0, 0, 1, 1], [0, 1, 0, 1]) == 1
    assert rater_correlation([1, 0], [0, 0], [0, 0]) is None  # one prompt: no pair to compare
    assert rater_correlation([1, 1], [0, 0], [0, 1]) is None  # nobody said no
    assert rater_correlation([], [], []) is None


def test_raters_of_one_mind_have_no_correlation_of_their_own():
    hits = np.random.default_rng(3).integers(0, 2, 400)
    twice = np.repeat(hits, 2)
    correlation = rater_correlation(twice, np.tile([0, 1], 400), np.repeat(np.arange(400), 2))
    assert abs(correlation) < 0.05
