"""Covariances of sampling weights: those of many samples, drawn as projects draw them."""

import numpy as np
import pytest

from annotation.stats.pair_probabilities import WeightCovariance, of_items, of_part, of_responses
from annotation.stats.sampling import Frame, draw_items, draw_responses

RESPONSE = np.array([0, 0, 0, 1, 1, 2, 2, 2, 2, 3, 4, 4])
PROMPT = np.array([0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2])
DRAWS = 6_000


def mean_products(draw, probability):
    """Return the mean of w_i w_j − 1 over draws, for the levels of `WeightCovariance`, as sums over their pairs."""
    generator = np.random.default_rng(1)
    total = np.zeros((len(RESPONSE), len(RESPONSE)))
    for _ in range(DRAWS):
        numbers = [generator.integers(0, 2**63, n).astype(np.uint64) for n in (3, 5, len(RESPONSE))]
        frame = Frame(numbers[0][PROMPT], numbers[1][RESPONSE], numbers[2])
        weight = draw(int(generator.integers(2**31)), frame) / probability
        total += np.outer(weight, weight)
    return total / DRAWS - 1


def sums_by_group(covariance, probability):
    """Return Σ π_i π_j Δ_ij of the pairs of each response, and of different responses of each prompt."""
    products = covariance * np.outer(probability, probability)
    same_response = RESPONSE[:, None] == RESPONSE[None]
    same_prompt = PROMPT[:, None] == PROMPT[None]
    apart = ~np.eye(len(RESPONSE), dtype=bool)
    in_response = [products[same_response & apart & (r == RESPONSE)[:, None]].sum() for r in range(5)]
    in_prompt = [products[same_prompt & ~same_response & (p == PROMPT)[:, None]].sum() for p in range(3)]
    return in_response, in_prompt


def as_matrix(covariance: WeightCovariance):
    same = RESPONSE[:, None] == RESPONSE[None]
    matrix = np.where(PROMPT[:, None] == PROMPT[None], covariance.prompt[PROMPT][:, None], 0.0)
    matrix = np.where(same, covariance.response[RESPONSE][:, None], matrix)
    matrix[np.diag_indices(len(RESPONSE))] = covariance.item
    return matrix


@pytest.mark.parametrize(
    "probability",
    [np.full(12, 0.3), np.full(12, 0.75), np.array([1, 0.4, 0.2, 0.9, 0.1, 0.3, 0.3, 0.8, 0.5, 0.7, 0.2, 0.6])],
)
def test_samples_of_items_have_these_covariances(probability):
    measured = mean_products(lambda seed, frame: draw_items(seed, frame, probability), probability)
    expected = as_matrix(of_items(probability, RESPONSE, PROMPT))
    assert np.diag(measured) == pytest.approx(np.diag(expected), abs=0.35)
    for found, wanted in zip(sums_by_group(measured, probability), sums_by_group(expected, probability), strict=True):
        assert found == pytest.approx(wanted, abs=0.06)


def test_covariances_of_samples_of_responses_and_by_hand():
    probability = np.full(12, 0.4)
    measured = mean_products(lambda seed, frame: draw_responses(seed, frame, 0.4), probability)
    expected = as_matrix(of_responses(probability, RESPONSE, PROMPT))
    found, wanted = (sums_by_group(each, probability)[0] for each in (measured, expected))
    assert found == pytest.approx(wanted, abs=0.12)
    assert expected[0, 1] == pytest.approx(1.5) and expected[0, 3] == 0
    three = np.zeros(3, dtype=np.int64)
    covariance = of_items(np.full(3, 0.5), three, three)
    assert covariance.item.tolist() == [1, 1, 1]
    assert covariance.response.tolist() == pytest.approx([1 / 1.5 - 1])
    assert covariance.prompt.tolist() == [0]


def test_the_rated_part_of_a_drawn_sample_has_whole_responses():
    """With all drawn and half of the responses rated, it is a sample of half of the responses."""
    ones, share = np.ones(12), np.full(12, 0.5)
    part = of_part(of_items(ones, RESPONSE, PROMPT), share, RESPONSE)
    whole = of_responses(share, RESPONSE, PROMPT)
    for name in ("item", "response", "prompt"):
        assert getattr(part, name) == pytest.approx(getattr(whole, name))
