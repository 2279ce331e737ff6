"""How many ratings are needed: textbook numbers, and that the two questions are inverses."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.stats.planning import design_effect, half_width, sample_size
from annotation.stats.proportions import ratio


def test_the_textbook_case_of_half_and_five_points():
    # z² / 4 / .05² = 384.1
    found = sample_size(0.5, 0.05)
    assert (found.ratings, found.prompts) == (385, 385)
    assert found.ratings_exact == pytest.approx(384.1459, abs=1e-4)


def test_clustered_ratings_need_more_of_them():
    found = sample_size(0.5, 0.05, deff=design_effect(0.25, 6), ratings_per_prompt=6)
    assert design_effect(0.25, 6) == 2.25
    assert (found.ratings, found.prompts) == (865, 145)  # 384.1459 * 2.25 = 864.3; 865 / 6 = 144.2


def test_a_sure_thing_needs_no_ratings():
    assert sample_size(0.0, 0.05).ratings == 0


def test_the_last_digits_of_a_float_do_not_cost_a_rating():
    assert sample_size(0.5, 0.05, ratings_per_prompt=0.1 + 0.2).prompts == 1284  # 385 / .3 = 1283.3
    assert sample_size(0.5, 0.05, ratings_per_prompt=385 / 3).prompts == 3


def test_the_design_effect_is_near_the_one_that_ratings_show():
    found = ratio([5, 0] * 40, [5] * 80)  # prompts all one or all the other: ICC 1
    assert design_effect(found.icc, 5) == pytest.approx(found.deff, rel=0.02)


@given(st.floats(0.01, 0.99), st.floats(0.005, 0.3), st.floats(1, 10))
def test_the_ratings_needed_give_the_width_wanted(p, wanted, deff):
    needed = sample_size(p, wanted, deff=deff)
    assert half_width(p, needed.ratings_exact, deff=deff) == pytest.approx(wanted)
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
