"""Samples of items: how often each is drawn over many seeds, how they spread, and probabilities that add up."""

from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.stats.sampling import Frame, draw_items, draw_responses, random_numbers, unequal_probabilities

SEEDS = 1_500


def frame_of(seed: int, lengths: list[list[int]]) -> Frame:
    """Return a frame of prompts, each with responses of these numbers of items."""
    prompts, responses, items = [], [], []
    for p, prompt in enumerate(lengths):
        for r, length in enumerate(prompt):
            prompts += [f"q{p}"] * length
            responses += [f"q{p}-{r}"] * length
            items += [f"q{p}-{r}:{n}" for n in range(length)]
    return Frame.of_names(seed, prompts, responses, items)


UNEVEN = [[3, 1], [7], [2, 2, 5], [1], [4]]
ITEMS = 25


@cache
def frames() -> list[Frame]:
    """Return the frame of UNEVEN for each seed."""
    return [frame_of(seed, UNEVEN) for seed in range(SEEDS)]


def drawn_by_seed(probability: np.ndarray) -> np.ndarray:
    """Return which items each seed draws, shape (seeds, items), all of them as often as their probability says."""
    drawn = np.array([draw_items(seed, frame, probability) for seed, frame in enumerate(frames())])
    error = np.sqrt(probability * (1 - probability) / SEEDS)
    assert (np.abs(drawn.mean(axis=0) - probability) <= 4.5 * error + 1e-12).all()
    return drawn


def test_items_have_equal_probabilities_and_prompts_and_responses_their_shares() -> None:
    assert set(drawn_by_seed(np.full(ITEMS, 6 / ITEMS)).sum(axis=1)) == {6}
    probability = np.full(ITEMS, 8 / ITEMS)
    for frame, drawn in zip(frames()[:200], drawn_by_seed(probability), strict=False):
        for group in (frame.prompt, frame.response):
            for number in np.unique(group):
                expected = probability[group == number].sum()
                assert np.floor(expected) <= drawn[group == number].sum() <= np.ceil(expected)


def test_items_are_drawn_whatever_their_position_and_whole_responses_alike() -> None:
    probability = np.full(9, 1 / 3)
    samples = {tuple(np.flatnonzero(draw_items(s, frame_of(s, [[9]]), probability))) for s in range(SEEDS)}
    assert len(samples) == 84  # all sets of 3 of 9
    drawn = np.array([draw_responses(seed, frame, 2 / 8) for seed, frame in enumerate(frames())])
    for row, frame in zip(drawn[:200], frames(), strict=False):
        chosen = set(frame.response[row])
        assert len(chosen) == 2
        assert set(frame.response[~row]).isdisjoint(chosen)
    assert np.abs(drawn.mean(axis=0) - 0.25).max() < 4 * np.sqrt(0.25 * 0.75 / SEEDS)


def test_unequal_probabilities_are_kept_as_in_worked_examples() -> None:
    assert set(drawn_by_seed(unequal_probabilities(9, np.linspace(0, 1, ITEMS) ** 4)).sum(axis=1)) == {9}
    # Of 2: half is 1/4 each, half in proportion to 0, 1, 1, 2: shares 1/8, 1/4, 1/4, 3/8, times 2.
    assert unequal_probabilities(2, [0, 1, 1, 2]).tolist() == [0.25, 0.5, 0.5, 0.75]
    # Of 2: shares 1/8, 1/8, 1/8, 5/8 would give 1.25 to the last; the others share the remaining 1.
    assert unequal_probabilities(2, [0, 0, 0, 9]).tolist() == pytest.approx([1 / 3, 1 / 3, 1 / 3, 1])
    assert unequal_probabilities(2, [0, 0, 0, 0]).tolist() == [0.5] * 4


@given(st.lists(st.floats(0, 1), min_size=1, max_size=60), st.data())
@settings(max_examples=50)
def test_probabilities_add_up_and_are_at_least_half_of_the_equal_ones(uncertainty: list[float], data) -> None:
    items = len(uncertainty)
    size = data.draw(st.integers(1, items))
    probability = unequal_probabilities(size, uncertainty)
    assert probability.sum() == pytest.approx(size)
    assert probability.max() <= 1 + 1e-12
    assert probability.min() >= 0.5 * size / items - 1e-12
    ranked = probability[np.argsort(uncertainty, kind="stable")]
    assert all(a <= b + 1e-12 for a, b in pairwise(ranked))
    assert draw_items(1, frame_of(1, [[items]]), probability).sum() == size


@pytest.mark.parametrize(("size", "uncertainty"), [(0, [1, 1]), (3, [1, 1]), (1, [1, -1]), (1, [float("nan"), 1])])
def test_bad_input_is_refused(size: int, uncertainty: list[float]) -> None:
    with pytest.raises(ValueError, match=r"a sample of|an uncertainty"):
        unequal_probabilities(size, uncertainty)


def test_samples_depend_on_seed_and_name_only() -> None:
    assert [f"{number:016x}" for number in random_numbers(1, ["q1", "q2"])] == ["177828fc9f86ea90", "5f00fa00c9885733"]
    assert random_numbers(2, ["q1"])[0] != random_numbers(1, ["q1"])[0]
    frame, probability = frame_of(3, UNEVEN), np.full(ITEMS, 0.4)
    drawn = draw_items(3, frame, probability)
    shuffled = np.random.default_rng(1).permutation(ITEMS)
    other = Frame(frame.prompt[shuffled], frame.response[shuffled], frame.item[shuffled])
    assert (draw_items(3, other, probability) == drawn[shuffled]).all()
    assert draw_items(5, frame_of(5, UNEVEN), np.ones(ITEMS)).all()
    assert not len(draw_items(5, frame_of(5, []), np.ones(0)))
